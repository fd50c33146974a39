// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <opus/opus.h>

// opus_encoder_ctl is variadic, which Swift does not import: one wrapper for each request in use.

static inline int tutti_opus_set(OpusEncoder *encoder, int request, opus_int32 value) {
  return opus_encoder_ctl(encoder, request, value);
}

static inline int tutti_opus_look_ahead(OpusEncoder *encoder, opus_int32 *frames) {
  return opus_encoder_ctl(encoder, OPUS_GET_LOOKAHEAD(frames));
}

static inline int tutti_opus_reset(OpusEncoder *encoder) {
  return opus_encoder_ctl(encoder, OPUS_RESET_STATE);
}
