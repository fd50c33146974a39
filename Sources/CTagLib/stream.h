// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
#pragma once

#include <taglib/tiostream.h>

#include <vector>

namespace tutti {

/// An open file as TagLib reads it: with pread, through one small window, and not without end.
///
/// TagLib's own stream is stdio, which reads 4 KiB again at every seek; and TagLib searches a file
/// that is not what it seems from end to end, at 20 MB a second. Here a file may ask for `budget`
/// bytes in all and be searched for `searchBudget`; after that it ends wherever it is read.
class DescriptorStream final : public TagLib::IOStream {
public:
  explicit DescriptorStream(int descriptor);

  TagLib::FileName name() const override { return ""; }
  TagLib::ByteVector readBlock(unsigned long length) override;
  void seek(long offset, Position from = Beginning) override;
  long tell() const override { return position; }
  long length() override { return size; }
  bool readOnly() const override { return true; }
  bool isOpen() const override { return true; }

  /// Whether the file has asked for more than it may.
  bool isExhausted() const { return budget <= 0; }

  // Nothing is ever written.
  void writeBlock(const TagLib::ByteVector &) override {}
  void insert(const TagLib::ByteVector &, unsigned long, unsigned long) override {}
  void removeBlock(unsigned long, unsigned long) override {}
  void truncate(long) override {}

private:
  size_t copy(char *target, size_t count);
  void fillWindow();

  int descriptor;
  long size = 0;
  long position = 0;
  /// Bytes that may still be asked for: a picture of 64 MiB, twice, and what surrounds it.
  long budget = 160L << 20;
  /// Bytes that may still be searched: what stands between a tag and the first frame of some MP3
  /// files, and 0.1 s.
  long searchBudget = 2L << 20;
  std::vector<char> window;
  long windowStart = 0;
};

}  // namespace tutti
