// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
#pragma once

namespace tutti {

/// Makes TagLib read 8-bit texts of ID3v1, ID3v2 and RIFF INFO as what they are rather than what
/// they should be, and keeps it from writing to standard error. Once per process; cheap after that.
void prepareTagLib();

}  // namespace tutti
