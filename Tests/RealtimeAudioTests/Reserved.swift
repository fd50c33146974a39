// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// Reserved: the target exists so that the arrows in Package.swift are settled.
