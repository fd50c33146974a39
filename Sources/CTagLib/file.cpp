// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

#include "file.h"

#include <taglib/aifffile.h>
#include <taglib/asffile.h>
#include <taglib/flacfile.h>
#include <taglib/id3v2framefactory.h>
#include <taglib/mp4file.h>
#include <taglib/mpegfile.h>
#include <taglib/oggflacfile.h>
#include <taglib/opusfile.h>
#include <taglib/vorbisfile.h>
#include <taglib/wavfile.h>
#include <taglib/wavpackfile.h>

namespace tutti {

namespace {

std::unique_ptr<TagLib::File> open(DescriptorStream &stream, enum tutti_tag_kind kind) {
  using namespace TagLib;
  auto *frames = ID3v2::FrameFactory::instance();
  stream.seek(0);
  switch (kind) {
    case tutti_tag_mpeg: return std::make_unique<MPEG::File>(&stream, frames);
    case tutti_tag_flac: return std::make_unique<FLAC::File>(&stream, frames);
    case tutti_tag_vorbis: return std::make_unique<Ogg::Vorbis::File>(&stream);
    case tutti_tag_opus: return std::make_unique<Ogg::Opus::File>(&stream);
    case tutti_tag_ogg_flac: return std::make_unique<Ogg::FLAC::File>(&stream);
    case tutti_tag_mp4: return std::make_unique<MP4::File>(&stream);
    case tutti_tag_wav: return std::make_unique<RIFF::WAV::File>(&stream);
    case tutti_tag_aiff: return std::make_unique<RIFF::AIFF::File>(&stream);
    case tutti_tag_wavpack: return std::make_unique<WavPack::File>(&stream);
    case tutti_tag_asf: return std::make_unique<ASF::File>(&stream);
    case tutti_tag_unknown: break;
  }
  return nullptr;
}

}  // namespace

std::unique_ptr<TagLib::File> parse(DescriptorStream &stream, enum tutti_tag_kind kind) {
  auto file = open(stream, kind);
  // Asked for tags all the same, TagLib follows null pointers (Vorbis, Opus).
  if (file != nullptr && (!file->isValid() || file->tag() == nullptr)) return nullptr;
  return file;
}

}  // namespace tutti
