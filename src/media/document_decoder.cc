// SPDX-License-Identifier: Apache-2.0
// Documents through the children.
#include <cassert>

#include <simdjson.h>

#include "media/decoder_parts.h"
#include "media/document.h"

namespace twinsift {
namespace {

constexpr DecoderProgram kProgram = {"twinsift-decoder", "TWINSIFT_DECODER", "documents"};

}  // namespace

// The child may have been taken over by what it read: nothing it says is taken for granted.
Result<DecodedDocument> document_from_parts(Parts parts) {
  if (parts.size() < 2 || !simdjson::validate_utf8(parts[1])) return bad_answer();
  DecodedDocument document{.text = std::move(parts[1]), .format = std::move(parts[0]), .facts = {}};
  TWINSIFT_TRY(document.facts, facts_from(std::move(parts), 2));
  return document;
}

DocumentDecoder::DocumentDecoder(const DecodeLimits& limits) : pool_(kProgram, limits) {}

Result<DecodedDocument> DocumentDecoder::decode(const Input& input, DocumentKind kind) {
  assert(kind != DocumentKind::kNone);
  const DocumentQuestion question = {.kind = kind, .text = pool_.limits().output};
  TWINSIFT_TRY(Parts parts, pool_.ask(input.bytes, Question(question)));
  return document_from_parts(std::move(parts));
}

}  // namespace twinsift
