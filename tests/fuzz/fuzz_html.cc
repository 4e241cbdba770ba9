// SPDX-License-Identifier: Apache-2.0
// No input may crash the HTML decoder, and what it returns is always valid UTF-8.
#include <cstdlib>

#include "base/utf8.h"
#include "media/decoder/decoders.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto document = twinsift::decode_html(std::as_bytes(std::span(data, size)), 1 << 20);
  if (document && !twinsift::is_utf8(document->text)) std::abort();
  return 0;
}
