// SPDX-License-Identifier: Apache-2.0
#include "media/av/libav.h"

#include <atomic>
#include <cctype>
#include <cstdarg>
#include <new>
#include <string>

#include <fmt/format.h>

namespace twinsift {
namespace {

std::atomic<bool> too_many_streams = false;

}  // namespace

void throw_if_no_memory(int code) {
  if (code == AVERROR(ENOMEM)) throw std::bad_alloc();
}

Error libav_error(int code, std::string_view what) {
  throw_if_no_memory(code);
  char words[AV_ERROR_MAX_STRING_SIZE] = {};
  av_strerror(code, words, sizeof(words));
  words[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(words[0])));
  return {ErrorCode::kCorrupt, fmt::format("damaged: {}: {}", what, words)};
}

void silence_libav() {
  av_log_set_callback([](void*, int, const char* format, va_list) {
    if (std::string_view(format).starts_with("Number of streams exceeds")) too_many_streams = true;
  });
}

bool had_too_many_streams() { return too_many_streams.exchange(false); }

}  // namespace twinsift
