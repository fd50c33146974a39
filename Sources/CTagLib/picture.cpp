// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

#include <taglib/aifffile.h>
#include <taglib/apetag.h>
#include <taglib/asffile.h>
#include <taglib/attachedpictureframe.h>
#include <taglib/flacfile.h>
#include <taglib/id3v2tag.h>
#include <taglib/mp4file.h>
#include <taglib/mpegfile.h>
#include <taglib/wavfile.h>
#include <taglib/wavpackfile.h>
#include <taglib/xiphcomment.h>

#include "file.h"
#include "kind.h"
#include "text.h"

namespace tutti {

namespace {

using namespace TagLib;
using Found = std::optional<ByteVector>;

/// "Cover (front)" in ID3v2, FLAC and ASF.
constexpr int frontCover = 3;

Found pictureOf(const ID3v2::Tag *tag) {
  if (tag == nullptr) return {};
  Found first;
  for (const auto *frame : tag->frameList("APIC")) {
    const auto *picture = dynamic_cast<const ID3v2::AttachedPictureFrame *>(frame);
    if (picture == nullptr || picture->picture().isEmpty()) continue;
    if (picture->type() == frontCover) return picture->picture();
    if (!first) first = picture->picture();
  }
  return first;
}

Found pictureOf(const List<FLAC::Picture *> &pictures) {
  Found first;
  for (const auto *picture : pictures) {
    if (picture->data().isEmpty()) continue;
    if (picture->type() == frontCover) return picture->data();
    if (!first) first = picture->data();
  }
  return first;
}

/// An item holds a file name, a NUL, and the picture.
Found pictureOf(const APE::Tag *tag) {
  if (tag == nullptr) return {};
  for (const char *key : {"COVER ART (FRONT)", "COVER ART (BACK)"}) {
    auto item = tag->itemListMap().find(key);
    if (item == tag->itemListMap().end()) continue;
    ByteVector data = item->second.binaryData();
    int end = data.find('\0');
    if (end >= 0 && unsigned(end) + 1 < data.size()) return data.mid(unsigned(end) + 1);
  }
  return {};
}

Found pictureOf(const MP4::Tag *tag) {
  if (tag == nullptr || !tag->contains("covr")) return {};
  for (const auto &cover : tag->item("covr").toCoverArtList()) {
    if (!cover.data().isEmpty()) return cover.data();
  }
  return {};
}

Found pictureOf(const ASF::Tag *tag) {
  if (tag == nullptr || !tag->contains("WM/Picture")) return {};
  Found first;
  for (const auto &attribute : tag->attribute("WM/Picture")) {
    ASF::Picture picture = attribute.toPicture();
    if (!picture.isValid() || picture.picture().isEmpty()) continue;
    if (picture.type() == frontCover) return picture.picture();
    if (!first) first = picture.picture();
  }
  return first;
}

Found pictureOf(FLAC::File &file) {
  if (Found found = pictureOf(file.pictureList())) return found;
  return pictureOf(file.ID3v2Tag());
}

Found pictureOf(MPEG::File &file) {
  if (Found found = pictureOf(file.ID3v2Tag())) return found;
  return pictureOf(file.APETag());
}

}  // namespace

Found picture(File &file, enum tutti_tag_kind kind) {
  switch (kind) {
    case tutti_tag_mpeg: return pictureOf(static_cast<MPEG::File &>(file));
    case tutti_tag_flac: return pictureOf(static_cast<FLAC::File &>(file));
    case tutti_tag_mp4: return pictureOf(static_cast<MP4::File &>(file).tag());
    case tutti_tag_wav: return pictureOf(static_cast<RIFF::WAV::File &>(file).ID3v2Tag());
    case tutti_tag_aiff: return pictureOf(static_cast<RIFF::AIFF::File &>(file).tag());
    case tutti_tag_wavpack: return pictureOf(static_cast<WavPack::File &>(file).APETag());
    case tutti_tag_asf: return pictureOf(static_cast<ASF::File &>(file).tag());
    case tutti_tag_vorbis:
    case tutti_tag_opus:
    case tutti_tag_ogg_flac: {
      auto *comment = dynamic_cast<Ogg::XiphComment *>(file.tag());
      return comment != nullptr ? pictureOf(comment->pictureList()) : Found();
    }
    case tutti_tag_unknown: break;
  }
  return {};
}

bool hasPicture(File &file, enum tutti_tag_kind kind) {
  // TagLib shares the bytes, it does not copy them.
  return picture(file, kind).has_value();
}

}  // namespace tutti

extern "C" enum tutti_tag_result tutti_tag_read_picture(
  int descriptor, size_t limit, void *context,
  void (*handOver)(void *context, const uint8_t *bytes, size_t count)
) {
  using namespace tutti;
  return withoutThrowing([&] {
    prepareTagLib();
    DescriptorStream stream(descriptor);
    enum tutti_tag_kind kind = kindOf(stream);
    auto file = parse(stream, kind);
    if (file == nullptr) return tutti_tag_nothing;
    auto found = picture(*file, kind);
    if (stream.isExhausted()) return tutti_tag_too_large;
    if (!found) return tutti_tag_nothing;
    if (found->size() > limit) return tutti_tag_too_large;
    handOver(context, reinterpret_cast<const uint8_t *>(found->data()), found->size());
    return tutti_tag_read;
  });
}
