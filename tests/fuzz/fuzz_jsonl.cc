// SPDX-License-Identifier: Apache-2.0
// No line may crash the JSONL parser; what it calls a document has a text and an id that can be
// written as JSON and read back.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/escape.h"
#include "ingest/jsonl.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using twinsift::Outcome;
  static const auto format = *twinsift::make_jsonl_format("text", "a.id");
  std::string line(reinterpret_cast<const char*>(data), size);
  line.append(twinsift::kPadding, '"');
  twinsift::Document document;
  std::string reason;
  const auto outcome = format->parse(std::string_view(line).substr(0, size), document, reason);
  if (outcome == Outcome::kMalformed && reason.empty()) std::abort();
  if (outcome != Outcome::kDocument) return 0;

  const std::string text(document.text);
  const std::string id(document.id);
  std::string again = "{\"a\":{\"id\":" + id + "},\"text\":";
  twinsift::json_string(text, again);
  again += "}";
  const std::size_t length = again.size();
  again.append(twinsift::kPadding, '"');
  const std::string_view view = std::string_view(again).substr(0, length);
  if (format->parse(view, document, reason) != Outcome::kDocument) std::abort();
  if (document.repaired || document.text != text || document.id != id) std::abort();
  return 0;
}
