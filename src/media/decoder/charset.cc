// SPDX-License-Identifier: Apache-2.0
#include "media/decoder/charset.h"

#include <memory>
#include <vector>

#include <unicode/ucnv.h>

namespace twinsift {
namespace {

using Converter = std::unique_ptr<UConverter, decltype(&ucnv_close)>;

Converter open_converter(const char* name) {
  UErrorCode status = U_ZERO_ERROR;
  Converter converter(ucnv_open(name, &status), &ucnv_close);
  if (U_FAILURE(status) != 0) converter.reset();
  return converter;
}

}  // namespace

std::optional<std::string> to_utf8(std::string_view bytes, const std::string& charset) {
  const Converter from = open_converter(charset.c_str());
  const Converter to = open_converter("UTF-8");
  if (!from || !to) return std::nullopt;
  std::string text;
  std::vector<char> block(64 << 10);
  std::vector<UChar> pivot(16 << 10);
  const char* source = bytes.data();
  UChar* pivot_read = pivot.data();
  UChar* pivot_write = pivot.data();
  UErrorCode status = U_BUFFER_OVERFLOW_ERROR;
  for (UBool reset = 1; status == U_BUFFER_OVERFLOW_ERROR; reset = 0) {
    status = U_ZERO_ERROR;
    char* target = block.data();
    ucnv_convertEx(to.get(), from.get(), &target, block.data() + block.size(), &source,
                   bytes.data() + bytes.size(), pivot.data(), &pivot_read, &pivot_write,
                   pivot.data() + pivot.size(), reset, 1, &status);
    text.append(block.data(), target);
  }
  if (U_FAILURE(status) != 0) return std::nullopt;
  return text;
}

}  // namespace twinsift
