// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// The version of all of Tutti's programs, which are built and released together.
public let tuttiVersion = "0.1.0"
