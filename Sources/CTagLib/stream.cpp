// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

#include "stream.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace tutti {

namespace {

/// Two pages: what stands at the beginning of most files, and what TagLib searches backwards.
constexpr long windowSize = 8192;

/// The block by which TagLib searches, and reads nothing else (File::bufferSize in tfile.cpp).
constexpr unsigned long searchBlock = 1024;

/// Reads at a place, as much as there is.
size_t readAt(int descriptor, char *target, size_t count, long offset) {
  size_t done = 0;
  while (done < count) {
    ssize_t got = pread(descriptor, target + done, count - done, offset + long(done));
    if (got > 0) {
      done += size_t(got);
    } else if (got == 0 || errno != EINTR) {
      break;
    }
  }
  return done;
}

}  // namespace

DescriptorStream::DescriptorStream(int descriptor) : descriptor(descriptor) {
  struct stat status;
  if (fstat(descriptor, &status) == 0) size = status.st_size;
}

TagLib::ByteVector DescriptorStream::readBlock(unsigned long length) {
  long wanted = std::min({long(std::min(length, 1UL << 40)), size - position, budget});
  bool isSearch = length == searchBlock;
  if (wanted <= 0 || (isSearch && searchBudget <= 0)) return {};
  budget -= wanted;
  if (isSearch) searchBudget -= wanted;
  TagLib::ByteVector block(static_cast<unsigned int>(std::min(wanted, 1L << 30)), '\0');
  size_t got = copy(block.data(), block.size());
  if (got < block.size()) block.resize(static_cast<unsigned int>(got));
  position += long(got);
  return block;
}

size_t DescriptorStream::copy(char *target, size_t count) {
  if (long(count) > windowSize / 2) return readAt(descriptor, target, count, position);
  if (position < windowStart || position + long(count) > windowStart + long(window.size())) {
    fillWindow();
  }
  size_t offset = size_t(position - windowStart);
  size_t available = offset < window.size() ? window.size() - offset : 0;
  count = std::min(count, available);
  std::memcpy(target, window.data() + offset, count);
  return count;
}

void DescriptorStream::fillWindow() {
  // Searching backwards, the next thing wanted is before this one.
  bool isBackwards = position < windowStart;
  windowStart = std::max(0L, isBackwards ? position - windowSize / 2 : position);
  window.resize(size_t(windowSize));
  window.resize(readAt(descriptor, window.data(), window.size(), windowStart));
}

void DescriptorStream::seek(long offset, Position from) {
  long base = from == Beginning ? 0 : from == Current ? position : size;
  position = std::max(0L, base + offset);
}

}  // namespace tutti
