// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <libwebsockets.h>

/// The room that lws_write needs in front of the data; LWS_PRE is a cast and does not import.
static inline int tutti_lws_headroom(void) { return LWS_PRE; }
