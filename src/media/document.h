// SPDX-License-Identifier: Apache-2.0
// Text out of PDF, DOCX, ODT, EPUB, HTML and RTF files, decoded in child processes.
//
// The formats are large, their libraries are heavy and the files may be hostile.  Therefore
// none of these libraries is linked here: the bytes go to `twinsift-decoder`, a small program
// that works under limits on time, memory and output.  A hostile file can end such a child and
// nothing else, and a program that never meets a document never pays for loading poppler.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

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

// What one document may cost.
struct DecodeLimits {
  std::chrono::milliseconds time{20000};  // of a processor; three times that by the clock
  std::uint64_t memory = 1ULL << 30;      // bytes above the input and the decoder's own code
  std::uint64_t text = 256ULL << 20;      // bytes of UTF-8
};

// The children.  Each works on one document at a time; they are started when first needed,
// kept for the next document, and replaced when they die.  Thread-safe: as many children run
// as threads are inside decode().
class DecoderPool {
 public:
  explicit DecoderPool(DecodeLimits limits = {});
  ~DecoderPool();
  DecoderPool(const DecoderPool&) = delete;
  DecoderPool& operator=(const DecoderPool&) = delete;

  // The message begins with a short reason.  kCorrupt: damaged, or the decoder crashed on it;
  // kUnsupported: "encrypted", "image-only PDF: ..."; kLimit: a limit stopped it.  kNotFound (no
  // decoder is installed) and kIo say nothing about the document.  Requires: kind != kNone.
  [[nodiscard]] Result<DecodedDocument> decode(const Input& input, DocumentKind kind);

 private:
  class Child;
  Result<std::unique_ptr<Child>> take();

  const DecodeLimits limits_;
  const std::string program_;  // empty: not found
  std::mutex mutex_;
  std::vector<std::unique_ptr<Child>> idle_;  // guarded by mutex_
};

}  // namespace twinsift
