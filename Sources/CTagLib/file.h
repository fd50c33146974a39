// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
#pragma once

#include <taglib/tbytevector.h>
#include <taglib/tfile.h>

#include <memory>
#include <optional>

#include "CTagLib.h"
#include "stream.h"

namespace tutti {

/// A file of one kind, parsed by TagLib; null for kinds that it is not asked to read, and for files
/// that are damaged beyond reading.
std::unique_ptr<TagLib::File> parse(DescriptorStream &stream, enum tutti_tag_kind kind);

/// Whether a picture is in the file.
bool hasPicture(TagLib::File &file, enum tutti_tag_kind kind);

/// The front cover, else the first picture; nothing if there is none.
std::optional<TagLib::ByteVector> picture(TagLib::File &file, enum tutti_tag_kind kind);

/// Runs `body`, which may throw whatever TagLib and the library below it throw.
template <typename Body> enum tutti_tag_result withoutThrowing(Body body) {
  try {
    return body();
  } catch (const std::bad_alloc &) {
    return tutti_tag_too_large;
  } catch (...) {
    return tutti_tag_failed;
  }
}

}  // namespace tutti
