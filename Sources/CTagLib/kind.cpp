// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

#include "kind.h"

#include <taglib/id3v2header.h>
#include <taglib/tbytevector.h>

namespace tutti {

namespace {

using TagLib::ByteVector;

bool has(const ByteVector &bytes, const char *what, unsigned int offset = 0) {
  return bytes.containsAt(ByteVector(what), offset);
}

/// Frame sync and fields that MPEG audio layer I to III can have (ISO 11172-3, 2.4.2.3).
bool isFrameHeader(const ByteVector &bytes) {
  if (bytes.size() < 4) return false;
  auto byte = [&](unsigned int index) { return static_cast<unsigned char>(bytes[index]); };
  bool isSync = byte(0) == 0xFF && (byte(1) & 0xE0) == 0xE0;
  bool hasVersion = (byte(1) & 0x18) != 0x08;
  bool hasLayer = (byte(1) & 0x06) != 0x00;
  bool hasRate = (byte(2) & 0x0C) != 0x0C && (byte(2) & 0xF0) != 0xF0;
  return isSync && hasVersion && hasLayer && hasRate;
}

/// The codec is named at the beginning of the first packet of an Ogg stream.
enum tutti_tag_kind kindOfOgg(const ByteVector &bytes) {
  unsigned int segments = bytes.size() > 26 ? static_cast<unsigned char>(bytes[26]) : 0;
  unsigned int packet = 27 + segments;
  if (has(bytes, "OpusHead", packet)) return tutti_tag_opus;
  if (has(bytes, "\x01vorbis", packet)) return tutti_tag_vorbis;
  if (has(bytes, "\x7F" "FLAC", packet)) return tutti_tag_ogg_flac;
  return tutti_tag_unknown;
}

enum tutti_tag_kind kindOfBytes(const ByteVector &bytes) {
  if (has(bytes, "fLaC")) return tutti_tag_flac;
  if (has(bytes, "OggS")) return kindOfOgg(bytes);
  if (has(bytes, "ftyp", 4)) return tutti_tag_mp4;
  if (has(bytes, "RIFF") && has(bytes, "WAVE", 8)) return tutti_tag_wav;
  if (has(bytes, "FORM") && (has(bytes, "AIFF", 8) || has(bytes, "AIFC", 8))) {
    return tutti_tag_aiff;
  }
  if (has(bytes, "wvpk")) return tutti_tag_wavpack;
  if (has(bytes, "\x30\x26\xB2\x75\x8E\x66\xCF\x11")) return tutti_tag_asf;
  if (isFrameHeader(bytes)) return tutti_tag_mpeg;
  return tutti_tag_unknown;
}

}  // namespace

enum tutti_tag_kind kindOf(DescriptorStream &stream) {
  long start = 0;
  // Some taggers write a second tag instead of changing the first.
  for (int tags = 0; tags < 4; tags += 1) {
    stream.seek(start);
    // An Ogg page header with all its segments, and the beginning of the packet.
    ByteVector bytes = stream.readBlock(27 + 255 + 8);
    if (!has(bytes, "ID3") || bytes.size() < 10) {
      enum tutti_tag_kind kind = kindOfBytes(bytes);
      // TagLib looks for the first frame behind the tag and whatever stands there.
      return kind == tutti_tag_unknown && tags > 0 ? tutti_tag_mpeg : kind;
    }
    TagLib::ID3v2::Header header(bytes.mid(0, 10));
    start += long(header.completeTagSize());
  }
  return tutti_tag_mpeg;
}

}  // namespace tutti

extern "C" enum tutti_tag_kind tutti_tag_kind_of(int descriptor) {
  try {
    tutti::DescriptorStream stream(descriptor);
    return tutti::kindOf(stream);
  } catch (...) {
    return tutti_tag_unknown;
  }
}
