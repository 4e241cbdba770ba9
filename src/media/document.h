// SPDX-License-Identifier: Apache-2.0
// Text out of PDF, DOCX, ODT, EPUB, HTML and RTF files, decoded in child processes.
//
// The formats are large, their libraries are heavy and the files may be hostile.  Therefore
// none of these libraries is linked here: the bytes go to `twinsift-decoder`, a small program
// that works under limits on time, memory and output.  A hostile file can end such a child and
// nothing else, and a program that never meets a document never pays for loading poppler.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "media/decoder_parts.h"
#include "media/decoder_pool.h"
#include "media/decoder_wire.h"
#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

enum class DocumentKind : std::uint8_t { kNone, kPdf, kZip, kHtml, kRtf };

// By the first bytes, never by a name; 4 KiB are plenty.  kZip: DOCX, ODT or EPUB as far as
// the head shows; any other ZIP file is kNone.  Plain text that mentions tags is kNone.
DocumentKind recognise_document(std::span<const std::byte> head);

struct DecodedDocument {
  std::string text;         // UTF-8; one line per paragraph, no blank lines
  std::string format;       // "pdf", "docx", "odt", "epub", "html" or "rtf"
  std::vector<Fact> facts;  // {"pages", "12"}, {"charset", "windows-1252"}
};

// Decodes documents in children of its own.  Thread-safe.
class DocumentDecoder {
 public:
  explicit DocumentDecoder(const DecodeLimits& limits = {});

  // The message begins with a short reason.  kCorrupt: damaged, or the decoder crashed on it;
  // kUnsupported: "encrypted", "image-only PDF: ..."; kLimit: a limit stopped it.  kNotFound (no
  // decoder is installed) and kIo say nothing about the document.  Requires: kind != kNone.
  [[nodiscard]] Result<DecodedDocument> decode(const Input& input, DocumentKind kind);

 private:
  DecoderPool pool_;
};

// What twinsift-decoder is asked.
struct DocumentQuestion {
  DocumentKind kind = DocumentKind::kNone;
  std::uint64_t text = 0;  // at most so many bytes
};

// How a document travels: format, text, facts.
inline Parts to_parts(DecodedDocument document) {
  Parts parts = {std::move(document.format), std::move(document.text)};
  append_facts(parts, std::move(document.facts));
  return parts;
}
Result<DecodedDocument> document_from_parts(Parts parts);

}  // namespace twinsift
