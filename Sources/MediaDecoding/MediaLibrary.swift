// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import CFFmpeg

/// Settings of FFmpeg that belong to the process.
public enum MediaLibrary {
  /// Stops FFmpeg from writing to standard error: it comments on every oddity of a file, and what
  /// stops a file is said in the failure.
  public static func quiet() { av_log_set_level(AV_LOG_QUIET) }
}
