// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
//
// TagLib as C: everything about one open file, handed to callbacks. TagLib's own C interface has
// neither property maps nor pictures nor chapters.
//
// All functions may be called from any thread, one file per call. They only read; the descriptor
// stays open and keeps its position. Nothing is thrown: what TagLib throws becomes a result.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a file is, by its first bytes.
enum tutti_tag_kind {
  tutti_tag_unknown = 0,
  tutti_tag_mpeg,
  tutti_tag_flac,
  tutti_tag_vorbis,
  tutti_tag_opus,
  tutti_tag_ogg_flac,
  tutti_tag_mp4,
  tutti_tag_wav,
  tutti_tag_aiff,
  tutti_tag_wavpack,
  tutti_tag_asf,
};

/// How a call ended.
enum tutti_tag_result {
  /// What there is was read.
  tutti_tag_read = 0,
  /// No such format, or nothing of the kind that was asked for.
  tutti_tag_nothing,
  /// More than this process may hold.
  tutti_tag_too_large,
  /// TagLib gave up.
  tutti_tag_failed,
};

/// What is not text. 0 where it is not known.
struct tutti_tag_facts {
  enum tutti_tag_kind kind;
  int64_t milliseconds;
  int32_t sample_rate;
  int32_t channels;
  int32_t bits_per_sample;
  int32_t kilobits_per_second;
  /// "flac", "mp3", ...: a static string, never null.
  const char *codec;
  bool has_picture;
  /// Bytes of sound, where a wrong header may claim any length (MP3).
  int64_t sound_bytes;
  /// Whether an Ogg file ends with another stream than it begins with; the length is then the last
  /// one's.
  bool is_chained;
};

/// Where the contents go, during the call only; texts are UTF-8 without a NUL at the end.
struct tutti_tag_sink {
  void *context;
  /// One value of one field. `layer` counts the tags of the file, the one to be preferred first
  /// (0 = ID3v2, 1 = APE, 2 = ID3v1 in an MP3 file); `key` in capitals, as TagLib unifies them.
  void (*property)(
    void *context, int32_t layer, const char *key, size_t key_length, const char *value,
    size_t value_length);
  /// A chapter of ID3v2 or of Nero's list in MP4.
  void (*chapter)(void *context, int64_t milliseconds, const char *title, size_t title_length);
};

/// Says what an open regular file is by its first bytes.
enum tutti_tag_kind tutti_tag_kind_of(int descriptor);

/// Reads the tags of an open regular file.
enum tutti_tag_result tutti_tag_read_tags(
  int descriptor, struct tutti_tag_facts *facts, const struct tutti_tag_sink *sink);

/// Hands over the front cover, else the first picture, of an open regular file.
enum tutti_tag_result tutti_tag_read_picture(
  int descriptor, size_t limit, void *context,
  void (*picture)(void *context, const uint8_t *bytes, size_t count));

#ifdef __cplusplus
}
#endif
