// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
#pragma once
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/opt.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

// Swift imports neither macros with casts nor function-like ones.

static const int64_t tutti_no_timestamp = AV_NOPTS_VALUE;

static const int tutti_error_end_of_file = AVERROR_EOF;
static const int tutti_error_again = AVERROR(EAGAIN);
static const int tutti_error_invalid_data = AVERROR_INVALIDDATA;
static const int tutti_error_decoder_not_found = AVERROR_DECODER_NOT_FOUND;
static const int tutti_error_protocol_not_found = AVERROR_PROTOCOL_NOT_FOUND;
static const int tutti_error_http_unauthorized = AVERROR_HTTP_UNAUTHORIZED;
static const int tutti_error_http_forbidden = AVERROR_HTTP_FORBIDDEN;
static const int tutti_error_http_not_found = AVERROR_HTTP_NOT_FOUND;
static const int tutti_error_http_other_4xx = AVERROR_HTTP_OTHER_4XX;
static const int tutti_error_http_bad_request = AVERROR_HTTP_BAD_REQUEST;
static const int tutti_error_http_server = AVERROR_HTTP_SERVER_ERROR;

static const int tutti_stream_metadata_updated = AVSTREAM_EVENT_FLAG_METADATA_UPDATED;
static const int tutti_search_children = AV_OPT_SEARCH_CHILDREN;

static const int tutti_seek_size = AVSEEK_SIZE;
static const int tutti_seek_force = AVSEEK_FORCE;
