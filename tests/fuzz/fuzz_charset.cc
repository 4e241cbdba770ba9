// SPDX-License-Identifier: Apache-2.0
// No input may crash the decoder of charsets, and whatever it returns is valid UTF-8.
#include <cstdlib>
#include <span>

#include "base/utf8.h"
#include "media/charset.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  const auto text = twinsift::decode_text(bytes);
  if (text.has_value() != twinsift::looks_like_text(bytes)) std::abort();
  if (text && !twinsift::is_utf8(text->utf8)) std::abort();
  const std::string_view chars(reinterpret_cast<const char*>(data), size);
  std::string repaired;
  const std::uint64_t replaced = twinsift::append_repaired_utf8(chars, repaired);
  if (!twinsift::is_utf8(repaired) || (replaced == 0) != (repaired == chars)) std::abort();
  return 0;
}
