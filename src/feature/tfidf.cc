// SPDX-License-Identifier: Apache-2.0
#include "feature/tfidf.h"

#include <algorithm>
#include <cassert>
#include <string_view>

#include <fmt/format.h>
#include <xxhash.h>

#include "base/portable_math.h"

namespace twinsift {
namespace {

constexpr std::string_view kMagic = "TSIDF1\r\n";
constexpr std::size_t kHeaderWords = 3;

void append_u64(std::string& out, std::uint64_t value) {
  for (unsigned shift = 0; shift < 64; shift += 8) {
    out.push_back(static_cast<char>((value >> shift) & 0xFFU));
  }
}

// The word-th u64 of the bytes.
std::uint64_t read_u64(std::string_view bytes, std::size_t word) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < 8; ++i) {
    value |= std::uint64_t{static_cast<unsigned char>(bytes[8 * word + i])} << (8 * i);
  }
  return value;
}

Error corrupt(std::string_view why) {
  return Error{ErrorCode::kCorrupt, fmt::format("the table of term frequencies {}", why)};
}

}  // namespace

std::vector<TermCount> count_terms(TokenSet ids) {
  std::ranges::sort(ids);
  std::vector<TermCount> terms;
  for (const std::uint64_t id : ids) {
    if (terms.empty() || terms.back().id != id) terms.push_back({.id = id, .count = 0});
    ++terms.back().count;
  }
  return terms;
}

WeightedSet as_weights(std::span<const TermCount> terms) {
  WeightedSet set;
  for (const TermCount& term : terms) {
    set.tokens.push_back(term.id);
    set.weights.push_back(static_cast<double>(term.count));
  }
  return set;
}

std::vector<TermCount> as_counts(SetView counts) {
  std::vector<TermCount> terms;
  for (std::size_t i = 0; i < counts.ids.size(); ++i) {
    terms.push_back({counts.ids[i], static_cast<std::uint64_t>(counts.weights[i])});
  }
  return terms;
}

void DocumentFrequencies::add(std::span<const TermCount> document) {
  ++documents_;
  for (const TermCount& term : document) ++counts_[term.id];
}

void DocumentFrequencies::merge(const DocumentFrequencies& other) {
  documents_ += other.documents_;
  for (const auto& [id, df] : other.counts_) counts_[id] += df;
}

IdfTable::IdfTable(IdfVariant variant, std::uint64_t documents, std::vector<Term> terms)
    : variant_(variant), documents_(documents), terms_(std::move(terms)), version_(0) {
  const std::string hashed = body();
  version_ = XXH3_64bits(hashed.data(), hashed.size());
}

IdfTable IdfTable::freeze(const DocumentFrequencies& frequencies, IdfVariant variant) {
  std::vector<Term> terms;
  terms.reserve(frequencies.counts().size());
  for (const auto& [id, df] : frequencies.counts()) terms.push_back({.id = id, .df = df});
  std::ranges::sort(terms, {}, &Term::id);
  return {variant, frequencies.documents(), std::move(terms)};
}

std::string IdfTable::body() const {
  std::string bytes;
  bytes.reserve(8 * (kHeaderWords + 2 * terms_.size()));
  append_u64(bytes, static_cast<std::uint64_t>(variant_));
  append_u64(bytes, documents_);
  append_u64(bytes, terms_.size());
  for (const Term& term : terms_) {
    append_u64(bytes, term.id);
    append_u64(bytes, term.df);
  }
  return bytes;
}

std::string IdfTable::save() const {
  std::string bytes(kMagic);
  bytes += body();
  append_u64(bytes, version_);
  return bytes;
}

Result<IdfTable> IdfTable::load(std::span<const std::byte> bytes) {
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!text.starts_with(kMagic)) return corrupt("does not begin with its magic number");
  text.remove_prefix(kMagic.size());
  if (text.size() < 8 * (kHeaderWords + 1) || text.size() % 16 != 0) return corrupt("is cut off");
  const std::uint64_t variant = read_u64(text, 0);
  const std::uint64_t documents = read_u64(text, 1);
  const std::uint64_t count = (text.size() - 8 * (kHeaderWords + 1)) / 16;
  if (read_u64(text, 2) != count) return corrupt("is cut off");
  const std::size_t body_bytes = text.size() - 8;
  if (XXH3_64bits(text.data(), body_bytes) != read_u64(text, body_bytes / 8)) {
    return corrupt("has a wrong checksum");
  }
  // The checksum finds damage; what follows refuses a table that was made to mislead.
  if (variant > static_cast<std::uint64_t>(IdfVariant::kPaper)) {
    return corrupt("has an unknown variant");
  }
  std::vector<Term> terms(count);
  for (std::size_t i = 0; i < count; ++i) {
    terms[i] = {.id = read_u64(text, kHeaderWords + 2 * i),
                .df = read_u64(text, kHeaderWords + 2 * i + 1)};
    if (i > 0 && terms[i - 1].id >= terms[i].id) return corrupt("is not sorted");
    if (terms[i].df == 0 || terms[i].df > documents) {
      return corrupt(fmt::format("counts {} of {} documents", terms[i].df, documents));
    }
  }
  return IdfTable(static_cast<IdfVariant>(variant), documents, std::move(terms));
}

std::string IdfTable::spec() const {
  return fmt::format("idf1:{},documents={},version={:016x}",
                     variant_ == IdfVariant::kPaper ? "paper" : "smooth", documents_, version_);
}

double IdfTable::idf(std::uint64_t id) const {
  const auto place = std::ranges::lower_bound(terms_, id, {}, &Term::id);
  const bool known = place != terms_.end() && place->id == id;
  const double df = known ? static_cast<double>(place->df) : 0.0;
  const auto documents = static_cast<double>(documents_);
  if (variant_ == IdfVariant::kSmooth) return portable_log((1 + documents) / (1 + df)) + 1;
  return documents_ == 0 ? 0.0 : portable_log(documents / (df + 1));
}

WeightedSet IdfTable::weigh(std::span<const TermCount> document) const {
  double total = 0;
  for (const TermCount& term : document) total += static_cast<double>(term.count);
  WeightedSet set;
  for (const TermCount& term : document) {
    assert(set.tokens.empty() || set.tokens.back() < term.id);
    const double weight = static_cast<double>(term.count) / total * idf(term.id);
    if (!(weight > 0)) continue;
    set.tokens.push_back(term.id);
    set.weights.push_back(weight);
  }
  return set;
}

}  // namespace twinsift
