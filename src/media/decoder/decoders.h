// SPDX-License-Identifier: Apache-2.0
// The decoders of twinsift-decoder: bytes of one format in, plain text out.
//
// They are pure functions of their input and keep to `text_limit` themselves; time and memory
// are limited by the process around them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "media/document.h"
#include "twinsift/result.h"

namespace twinsift {

using Bytes = std::span<const std::byte>;

Result<DecodedDocument> decode_pdf(Bytes bytes, std::uint64_t text_limit);
Result<DecodedDocument> decode_html(Bytes bytes, std::uint64_t text_limit);
Result<DecodedDocument> decode_rtf(Bytes bytes, std::uint64_t text_limit);

// DOCX, ODT or EPUB: a ZIP file is looked into to see which.
Result<DecodedDocument> decode_zip(Bytes bytes, std::uint64_t text_limit);
Result<DecodedDocument> decode_epub(Bytes bytes, std::uint64_t text_limit);

}  // namespace twinsift
