// SPDX-License-Identifier: Apache-2.0
#include "media/av/libav.h"

#include <cctype>
#include <new>
#include <string>

#include <fmt/format.h>

namespace twinsift {

void throw_if_no_memory(int code) {
  if (code == AVERROR(ENOMEM)) throw std::bad_alloc();
}

Error libav_error(int code, std::string_view what) {
  throw_if_no_memory(code);
  char words[AV_ERROR_MAX_STRING_SIZE] = {};
  av_strerror(code, words, sizeof(words));
  words[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(words[0])));
  const bool ours = code == AVERROR(EIO);
  return {ours ? ErrorCode::kIo : ErrorCode::kCorrupt,
          fmt::format("{}: {}: {}", ours ? "unreadable" : "damaged", what, words)};
}

void silence_libav() { av_log_set_level(AV_LOG_QUIET); }

}  // namespace twinsift
