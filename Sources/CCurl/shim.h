// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <curl/curl.h>

// curl_easy_setopt and curl_easy_getinfo are variadic, which Swift cannot call: one wrapper a type.

static inline CURLcode tutti_curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode tutti_curl_set_number(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode tutti_curl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode tutti_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode tutti_curl_set_list(CURL *handle, struct curl_slist *value) {
  return curl_easy_setopt(handle, CURLOPT_HTTPHEADER, value);
}

typedef size_t (*tutti_curl_data_function)(char *bytes, size_t size, size_t count, void *context);
typedef int (*tutti_curl_progress_function)(void *context, curl_off_t download_total,
                                            curl_off_t downloaded, curl_off_t upload_total,
                                            curl_off_t uploaded);

static inline CURLcode tutti_curl_set_data_function(CURL *handle, CURLoption option,
                                                    tutti_curl_data_function value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode tutti_curl_set_progress_function(CURL *handle,
                                                        tutti_curl_progress_function value) {
  return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, value);
}

static inline long tutti_curl_response_code(CURL *handle) {
  long code = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &code);
  return code;
}
