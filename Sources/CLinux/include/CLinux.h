// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
//
// What Linux offers and Swift's Glibc import lacks: GNU-only calls, variadics and macros. The
// headers stay free of system headers, because _GNU_SOURCE in an imported header breaks the
// Glibc module; it is defined in the .c files only. Every int result is >= 0, or minus errno.
#pragma once
#include "CLinuxClock.h"
#include "CLinuxFiles.h"
#include "CLinuxNetwork.h"
#include "CLinuxPoll.h"
#include "CLinuxProcess.h"
