// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <alsa/asoundlib.h>
#include <stdarg.h>

/// Swallows alsa-lib's own messages: it prints to stderr by a variadic handler, which Swift cannot
/// write; every error reaches us as a return code too.
static inline void tutti_alsa_discard(const char *file, int line, const char *function, int err,
                                      const char *format, ...) {
  (void)file, (void)line, (void)function, (void)err, (void)format;
}

/// Installs the silent handler. `snd_lib_error_set_handler` takes a variadic function pointer.
static inline void tutti_alsa_silence(void) { snd_lib_error_set_handler(tutti_alsa_discard); }
