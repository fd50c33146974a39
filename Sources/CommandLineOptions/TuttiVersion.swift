// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// The version of all of Tutti's programs, which are built and released together.
public let tuttiVersion = "0.1.0"

/// When this version was released, for the manual pages; a fixed text keeps builds repeatable.
public let tuttiReleaseDate = "2026-11-30"
