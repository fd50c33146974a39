// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
#pragma once

#include "CTagLib.h"
#include "stream.h"

namespace tutti {

/// What the file is by its first bytes, whatever its name says.
///
/// Where an ID3v2 tag comes first, what follows the tag decides.
enum tutti_tag_kind kindOf(DescriptorStream &stream);

}  // namespace tutti
