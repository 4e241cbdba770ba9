// SPDX-License-Identifier: Apache-2.0
// Text in all its clothes: plain text of any charset, and the documents that document.h reads.
// What is compared is the text alone, so a PDF and the DOCX it was made from can match.
#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "feature/passages.h"
#include "feature/shingle.h"
#include "feature/token_set.h"
#include "media/charset.h"
#include "media/document.h"
#include "twinsift/media.h"

namespace twinsift {
namespace {

class TextMedia final : public MediaType {
 public:
  explicit TextMedia(Shingler shingler) : shingler_(std::move(shingler)) {}

  [[nodiscard]] std::string spec() const override { return "text1:" + shingler_.spec(); }
  [[nodiscard]] std::string_view medium() const override { return "text"; }

  [[nodiscard]] bool recognises(std::span<const std::byte> head) const override {
    return recognise_document(head) != DocumentKind::kNone || looks_like_text(head);
  }

  [[nodiscard]] Result<Description> extract(const Input& input) const override {
    Description description;
    TWINSIFT_TRY(const std::string text, decode(input, description.facts));
    Shingles shingles;
    shingler_.shingle(text, shingles);
    description.facts.emplace_back("tokens", std::to_string(shingles.tokens));
    if (shingles.tiny) return description;
    if (shingler_.weights()) {
      const auto terms = count_terms(std::move(shingles.ids));
      description.features.push_back(Feature{.value = as_weights(terms)});
      return description;
    }
    make_set(shingles.ids);
    description.features.push_back(Feature{.value = std::move(shingles.ids)});
    return description;
  }

  [[nodiscard]] Result<Explanation> explain(const Input& a, const Input& b) const override {
    std::vector<Fact> facts;
    Explanation explanation;
    TWINSIFT_TRY(explanation.text_a, decode(a, facts));
    TWINSIFT_TRY(explanation.text_b, decode(b, facts));
    explanation.passages =
        find_passages(explanation.text_a, explanation.text_b, shingler_.passage_words());
    return explanation;
  }

 private:
  Result<std::string> decode(const Input& input, std::vector<Fact>& facts) const {
    // Words are found by 32-bit offsets, and nobody compares novels of this size by eye.
    constexpr std::size_t kMaxText = std::size_t{1} << 30U;
    if (input.bytes.size() > kMaxText) {
      return Error{ErrorCode::kLimit, "longer than 1 GiB: compared by its bytes only"};
    }
    const DocumentKind kind = recognise_document(head_of(input.bytes));
    if (kind != DocumentKind::kNone) {
      TWINSIFT_TRY(DecodedDocument document, documents_->decode(input, kind));
      facts.emplace_back("format", document.format);
      facts.insert(facts.end(), document.facts.begin(), document.facts.end());
      return std::move(document.text);
    }
    TWINSIFT_TRY(DecodedText text, decode_text(input.bytes));
    facts.emplace_back("format", "plain");
    facts.emplace_back("charset", text.charset);
    if (text.replaced > 0) facts.emplace_back("replaced", std::to_string(text.replaced));
    return std::move(text.utf8);
  }

  static std::span<const std::byte> head_of(std::span<const std::byte> bytes) {
    return bytes.first(std::min<std::size_t>(bytes.size(), std::size_t{64} << 10U));
  }

  Shingler shingler_;
  std::unique_ptr<DocumentDecoder> documents_ = std::make_unique<DocumentDecoder>();
};

}  // namespace

Result<std::unique_ptr<MediaType>> make_text_media(std::string_view features) {
  TWINSIFT_TRY(Shingler shingler, Shingler::make(features));
  return std::unique_ptr<MediaType>(std::make_unique<TextMedia>(std::move(shingler)));
}

}  // namespace twinsift
