// SPDX-License-Identifier: Apache-2.0
// No text may crash the parser of feature specs; the spec of what it makes is canonical and makes
// the same features of a text again.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "feature/shingle.h"

namespace {

void check(std::string_view spec) {
  const auto shingler = twinsift::Shingler::make(spec);
  if (!shingler) {
    if (shingler.error().message.empty()) std::abort();
    return;
  }
  const std::string canonical = shingler->spec();
  const auto again = twinsift::Shingler::make(canonical);
  if (!again || again->spec() != canonical) std::abort();
  if (again->weights() != shingler->weights() || shingler->passage_words() == 0) std::abort();
  constexpr std::string_view kText =
      "The quick brown fox jumps over the lazy dog; der schnelle braune Fuchs springt.";
  twinsift::Shingles a;
  twinsift::Shingles b;
  shingler->shingle(kText, a);
  again->shingle(kText, b);
  if (a.ids != b.ids || a.tiny != b.tiny || a.order_hash != b.order_hash) std::abort();
  if (a.ids.empty()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  check(text);
  for (const char* name : {"words:", "chars:", "terms:", "tfidf:"}) check(name + text);
  return 0;
}
