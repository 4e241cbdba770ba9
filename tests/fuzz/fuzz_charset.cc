// SPDX-License-Identifier: Apache-2.0
// No input may crash the decoder of charsets, and whatever it returns is valid UTF-8.
#include <cstdlib>
#include <span>

#include "media/charset.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  const auto text = twinsift::decode_text(bytes);
  if (text.has_value() != twinsift::looks_like_text(bytes)) std::abort();
  if (text && !twinsift::valid_utf8(text->utf8)) std::abort();
  std::uint64_t replaced = 0;
  const std::string_view chars(reinterpret_cast<const char*>(data), size);
  const std::string repaired = twinsift::repair_utf8(chars, replaced);
  if (!twinsift::valid_utf8(repaired) || (replaced == 0) != (repaired == chars)) std::abort();
  return 0;
}
