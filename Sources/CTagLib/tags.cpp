// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

#include <taglib/aifffile.h>
#include <taglib/apetag.h>
#include <taglib/asffile.h>
#include <taglib/chapterframe.h>
#include <taglib/flacfile.h>
#include <taglib/id3v1tag.h>
#include <taglib/id3v2tag.h>
#include <taglib/infotag.h>
#include <taglib/mp4file.h>
#include <taglib/mpegfile.h>
#include <taglib/oggflacfile.h>
#include <taglib/oggpageheader.h>
#include <taglib/synchronizedlyricsframe.h>
#include <taglib/tpropertymap.h>
#include <taglib/wavfile.h>
#include <taglib/wavpackfile.h>
#include <taglib/xiphcomment.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "file.h"
#include "kind.h"
#include "text.h"

namespace tutti {

namespace {

using namespace TagLib;

/// Hands the contents of TagLib's tags to a sink.
class Reader {
public:
  explicit Reader(const struct tutti_tag_sink &sink) : sink(sink) {}

  void read(File &file, enum tutti_tag_kind kind);

private:
  void emit(const std::string &key, const String &value);
  void emitAll(const PropertyMap &properties);
  template <typename Typed> void readLayer(const Typed *tag);
  void readMP4(const MP4::Tag *tag);
  void readID3v2Frames(const ID3v2::Tag *tag);
  void readChapters(const ID3v2::Tag &tag);
  void readTimedLyrics(const ID3v2::Tag &tag);

  const struct tutti_tag_sink &sink;
  int32_t layer = 0;
};

void Reader::emit(const std::string &key, const String &value) {
  std::string text = value.to8Bit(true);
  if (text.empty()) return;
  sink.property(sink.context, layer, key.data(), key.size(), text.data(), text.size());
}

void Reader::emitAll(const PropertyMap &properties) {
  for (const auto &[key, values] : properties) {
    std::string name = key.upper().to8Bit(true);
    for (const auto &value : values) emit(name, value);
  }
}

/// A tag of its own; the next one is of less weight. Typed, because Tag::properties is not virtual and
/// knows the basic fields only.
template <typename Typed> void Reader::readLayer(const Typed *tag) {
  if (tag == nullptr) return;
  emitAll(tag->properties());
  layer += 1;
}

void Reader::readID3v2Frames(const ID3v2::Tag *tag) {
  if (tag == nullptr) return;
  readLayer(tag);
  readChapters(*tag);
  readTimedLyrics(*tag);
}

void Reader::readChapters(const ID3v2::Tag &tag) {
  for (const auto *frame : tag.frameList("CHAP")) {
    const auto *chapter = dynamic_cast<const ID3v2::ChapterFrame *>(frame);
    if (chapter == nullptr) continue;
    const auto &titles = chapter->embeddedFrameList("TIT2");
    std::string title = titles.isEmpty() ? "" : titles.front()->toString().to8Bit(true);
    sink.chapter(sink.context, int64_t(chapter->startTime()), title.data(), title.size());
  }
}

/// SYLT as LRC, where its times are milliseconds.
void Reader::readTimedLyrics(const ID3v2::Tag &tag) {
  for (const auto *frame : tag.frameList("SYLT")) {
    const auto *lyrics = dynamic_cast<const ID3v2::SynchronizedLyricsFrame *>(frame);
    if (lyrics == nullptr) continue;
    if (lyrics->timestampFormat() != ID3v2::SynchronizedLyricsFrame::AbsoluteMilliseconds) continue;
    std::string text;
    for (const auto &line : lyrics->synchedText()) {
      char time[32];
      std::snprintf(
        time, sizeof time, "[%02u:%02u.%02u]", line.time / 60000, line.time / 1000 % 60,
        line.time / 10 % 100);
      text += time + line.text.stripWhiteSpace().to8Bit(true) + "\n";
    }
    emit("SYNCEDLYRICS", String(text, String::UTF8));
  }
}

/// TagLib's property map leaves out what iTunes calls a media kind, and fields of free names.
void Reader::readMP4(const MP4::Tag *tag) {
  if (tag == nullptr) return;
  readLayer(tag);
  for (const auto &[name, item] : tag->itemMap()) {
    if (name == "stik") {
      emit("STIK", String::number(int(item.toByte())));
    } else if (name == "pcst") {
      emit("PODCAST", item.toBool() ? "1" : "0");
    } else if (name.startsWith("----:")) {
      std::string key = name.substr(unsigned(name.rfind(":")) + 1).upper().to8Bit(true);
      for (const auto &value : item.toStringList()) emit(key, value);
    }
  }
}

void Reader::read(File &file, enum tutti_tag_kind kind) {
  switch (kind) {
    case tutti_tag_mpeg: {
      auto &mpeg = static_cast<MPEG::File &>(file);
      readID3v2Frames(mpeg.ID3v2Tag());
      readLayer(mpeg.APETag());
      readLayer(mpeg.ID3v1Tag());
      break;
    }
    case tutti_tag_flac: {
      auto &flac = static_cast<FLAC::File &>(file);
      readLayer(flac.xiphComment());
      readID3v2Frames(flac.ID3v2Tag());
      readLayer(flac.ID3v1Tag());
      break;
    }
    case tutti_tag_wav: {
      auto &wav = static_cast<RIFF::WAV::File &>(file);
      if (wav.hasID3v2Tag()) readID3v2Frames(wav.ID3v2Tag());
      readLayer(wav.InfoTag());
      break;
    }
    case tutti_tag_aiff: readID3v2Frames(static_cast<RIFF::AIFF::File &>(file).tag()); break;
    case tutti_tag_mp4: readMP4(static_cast<MP4::File &>(file).tag()); break;
    case tutti_tag_wavpack: {
      auto &wavpack = static_cast<WavPack::File &>(file);
      readLayer(wavpack.APETag());
      readLayer(wavpack.ID3v1Tag());
      break;
    }
    default: emitAll(file.properties()); break;
  }
}

const char *codecOf(File &file, enum tutti_tag_kind kind) {
  switch (kind) {
    case tutti_tag_mpeg: {
      const auto *properties = static_cast<MPEG::File &>(file).audioProperties();
      int layer = properties != nullptr ? properties->layer() : 3;
      return layer == 1 ? "mp1" : layer == 2 ? "mp2" : "mp3";
    }
    case tutti_tag_flac:
    case tutti_tag_ogg_flac: return "flac";
    case tutti_tag_vorbis: return "vorbis";
    case tutti_tag_opus: return "opus";
    case tutti_tag_mp4: {
      const auto *properties = static_cast<MP4::File &>(file).audioProperties();
      if (properties == nullptr) return "";
      return properties->codec() == MP4::Properties::ALAC ? "alac"
           : properties->codec() == MP4::Properties::AAC  ? "aac"
                                                          : "";
    }
    case tutti_tag_wav:
    case tutti_tag_aiff: return "pcm";
    case tutti_tag_wavpack: return "wavpack";
    case tutti_tag_asf: return "wma";
    case tutti_tag_unknown: break;
  }
  return "";
}

template <typename Typed> int bitsOf(File &file) {
  const auto *properties = static_cast<Typed &>(file).audioProperties();
  return properties != nullptr ? properties->bitsPerSample() : 0;
}

int bitsPerSample(File &file, enum tutti_tag_kind kind) {
  switch (kind) {
    case tutti_tag_flac: return bitsOf<FLAC::File>(file);
    case tutti_tag_ogg_flac: return bitsOf<Ogg::FLAC::File>(file);
    case tutti_tag_wav: return bitsOf<RIFF::WAV::File>(file);
    case tutti_tag_aiff: return bitsOf<RIFF::AIFF::File>(file);
    case tutti_tag_wavpack: return bitsOf<WavPack::File>(file);
    case tutti_tag_mp4: {
      const auto *properties = static_cast<MP4::File &>(file).audioProperties();
      bool isLossless = properties != nullptr && properties->codec() == MP4::Properties::ALAC;
      return isLossless ? properties->bitsPerSample() : 0;
    }
    default: return 0;
  }
}

/// TagLib has read both pages for the length.
bool isChained(Ogg::File &file) {
  const Ogg::PageHeader *first = file.firstPageHeader();
  const Ogg::PageHeader *last = file.lastPageHeader();
  return first != nullptr && last != nullptr
    && first->streamSerialNumber() != last->streamSerialNumber();
}

void readFacts(File &file, enum tutti_tag_kind kind, struct tutti_tag_facts &facts) {
  facts.kind = kind;
  facts.codec = codecOf(file, kind);
  facts.has_picture = hasPicture(file, kind);
  facts.bits_per_sample = bitsPerSample(file, kind);
  if (kind == tutti_tag_mpeg) {
    facts.sound_bytes = file.length() - std::max(0L, static_cast<MPEG::File &>(file).firstFrameOffset());
  }
  if (auto *ogg = dynamic_cast<Ogg::File *>(&file)) facts.is_chained = isChained(*ogg);
  const AudioProperties *properties = file.audioProperties();
  if (properties == nullptr) return;
  facts.milliseconds = properties->lengthInMilliseconds();
  facts.sample_rate = properties->sampleRate();
  facts.channels = properties->channels();
  facts.kilobits_per_second = properties->bitrate();
}

}  // namespace

}  // namespace tutti

extern "C" enum tutti_tag_result tutti_tag_read_tags(
  int descriptor, struct tutti_tag_facts *facts, const struct tutti_tag_sink *sink
) {
  using namespace tutti;
  *facts = {};
  facts->codec = "";
  return withoutThrowing([&] {
    prepareTagLib();
    DescriptorStream stream(descriptor);
    facts->kind = kindOf(stream);
    auto file = parse(stream, facts->kind);
    if (file == nullptr) return tutti_tag_nothing;
    readFacts(*file, facts->kind, *facts);
    Reader(*sink).read(*file, facts->kind);
    return tutti_tag_read;
  });
}
