// SPDX-License-Identifier: Apache-2.0
// PDF by poppler, page by page in reading order.
#include <limits>
#include <memory>
#include <string>

#include <poppler-document.h>
#include <poppler-global.h>
#include <poppler-page.h>

#include "media/decoder/decoders.h"
#include "media/decoder/text_builder.h"

namespace twinsift {

Result<DecodedDocument> decode_pdf(Bytes bytes, std::uint64_t text_limit) {
  if (bytes.size() > std::numeric_limits<int>::max()) {
    return Error{ErrorCode::kLimit, "too large: a PDF of more than 2 GiB"};
  }
  poppler::set_debug_error_function([](const std::string&, void*) {}, nullptr);
  const std::unique_ptr<poppler::document> pdf(poppler::document::load_from_raw_data(
      reinterpret_cast<const char*>(bytes.data()), static_cast<int>(bytes.size())));
  if (!pdf) return Error{ErrorCode::kCorrupt, "damaged PDF"};
  if (pdf->is_locked()) return Error{ErrorCode::kUnsupported, "encrypted PDF"};

  TextBuilder text(text_limit);
  const int pages = pdf->pages();
  for (int i = 0; i < pages && !text.full(); ++i) {
    const std::unique_ptr<poppler::page> page(pdf->create_page(i));
    if (!page) continue;
    const auto utf8 = page->text({}, poppler::page::non_raw_non_physical_layout).to_utf8();
    text.append_lines({utf8.data(), utf8.size()});
    text.line_break();
  }
  if (pages <= 0) return Error{ErrorCode::kCorrupt, "damaged PDF: no pages"};
  if (text.empty() && !text.full()) {
    return Error{ErrorCode::kUnsupported, "image-only PDF: no text in it, only pictures"};
  }
  TWINSIFT_TRY(std::string plain, text.take());
  return DecodedDocument{std::move(plain), "pdf", {{"pages", std::to_string(pages)}}};
}

}  // namespace twinsift
