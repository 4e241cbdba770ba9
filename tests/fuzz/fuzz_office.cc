// SPDX-License-Identifier: Apache-2.0
// No input may crash the DOCX, ODT and EPUB decoders, and what they return is always valid UTF-8.
//
// Each input is tried as an archive, and then as the XML inside of each kind of archive: random
// changes rarely get through compression and checksums.
#include <cstdlib>
#include <string>

#include "base/utf8.h"
#include "media/decoder/decoders.h"
#include "media/decoder/test_zip.h"

namespace {

void decode(std::span<const std::byte> bytes) {
  const auto document = twinsift::decode_zip(bytes, 1 << 20);
  if (document && !twinsift::is_utf8(document->text)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  decode(bytes);
  const std::string xml(reinterpret_cast<const char*>(data), size);
  const std::string docx = twinsift::make_zip({{"word/document.xml", xml}});
  const std::string odt = twinsift::make_zip(
      {{"mimetype", "application/vnd.oasis.opendocument.text"}, {"content.xml", xml}});
  const std::string epub =
      twinsift::make_zip({{"META-INF/container.xml", "<c><rootfile full-path='a.opf'/></c>"},
                          {"a.opf", xml},
                          {"a", "<html><body>chapter</body></html>"}});
  for (const auto& zip : {docx, odt, epub}) decode(twinsift::bytes_of(zip));
  return 0;
}
