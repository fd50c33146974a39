// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
//
// ID3 calls its 8-bit texts ISO 8859-1 and RIFF INFO says nothing; programs write UTF-8, or the code
// page of their Windows, into both. Text in another encoding is hardly ever valid UTF-8, so: UTF-8 if
// it is that, else Windows-1252, which is ISO 8859-1 with letters where that has control characters.

#include "text.h"

#include <taglib/id3v1tag.h>
#include <taglib/id3v2tag.h>
#include <taglib/infotag.h>
#include <taglib/tdebuglistener.h>

#include <string>

namespace tutti {

namespace {

using TagLib::ByteVector;
using TagLib::String;

/// What 0x80 to 0x9F are in Windows-1252 (unicode.org, CP1252.TXT; 0 where it has nothing).
constexpr wchar_t windowsLetters[32] = {
  0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152,
  0, 0x017D, 0, 0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161,
  0x203A, 0x0153, 0, 0x017E, 0x0178,
};

/// How many bytes follow the first of a character; -1 if no character begins so. Overlong forms and
/// surrogates are left to TagLib, which makes nothing of them.
int continuations(unsigned char first) {
  if (first < 0x80) return 0;
  if (first >= 0xC2 && first < 0xE0) return 1;
  if (first >= 0xE0 && first < 0xF0) return 2;
  if (first >= 0xF0 && first < 0xF5) return 3;
  return -1;
}

bool isUTF8(const ByteVector &bytes) {
  for (unsigned int index = 0; index < bytes.size(); index += 1) {
    int more = continuations(static_cast<unsigned char>(bytes[index]));
    if (more < 0 || index + unsigned(more) >= bytes.size()) return false;
    for (; more > 0; more -= 1) {
      index += 1;
      if ((static_cast<unsigned char>(bytes[index]) & 0xC0) != 0x80) return false;
    }
  }
  return true;
}

String windows1252(const ByteVector &bytes) {
  std::wstring text;
  for (unsigned int index = 0; index < bytes.size(); index += 1) {
    wchar_t letter = static_cast<unsigned char>(bytes[index]);
    if (letter >= 0x80 && letter < 0xA0) letter = windowsLetters[letter - 0x80];
    if (letter != 0) text.push_back(letter);
  }
  return String(text);
}

/// The bytes before the first NUL, as text.
String readable(const ByteVector &bytes) {
  int end = bytes.find('\0');
  ByteVector text = end < 0 ? bytes : bytes.mid(0, unsigned(end));
  return isUTF8(text) ? String(text, String::UTF8) : windows1252(text);
}

struct ID3v1Text final : TagLib::ID3v1::StringHandler {
  String parse(const ByteVector &data) const override { return readable(data).stripWhiteSpace(); }
};

struct ID3v2Text final : TagLib::ID3v2::Latin1StringHandler {
  String parse(const ByteVector &data) const override { return readable(data); }
};

struct InfoText final : TagLib::RIFF::Info::StringHandler {
  String parse(const ByteVector &data) const override { return readable(data); }
};

struct Silence final : TagLib::DebugListener {
  void printMessage(const String &) override {}
};

}  // namespace

void prepareTagLib() {
  // They live as long as the process: TagLib keeps pointers to them.
  static const bool isPrepared = [] {
    TagLib::ID3v1::Tag::setStringHandler(new ID3v1Text);
    TagLib::ID3v2::Tag::setLatin1StringHandler(new ID3v2Text);
    TagLib::RIFF::Info::Tag::setStringHandler(new InfoText);
    TagLib::setDebugListener(new Silence);
    return true;
  }();
  (void)isPrepared;
}

}  // namespace tutti
