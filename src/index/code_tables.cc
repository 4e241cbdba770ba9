// SPDX-License-Identifier: Apache-2.0
#include "index/code_tables.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include <fmt/format.h>

#include "base/hash.h"

namespace twinsift {
namespace {

// A code read in order costs so much less than one read at random and the id that leads to it.
constexpr std::uint64_t kScanAdvantage = 4;
constexpr std::uint32_t kScanRows = 4096;  // at a time

Error bad(std::string message) { return {ErrorCode::kInvalidArgument, std::move(message)}; }

// Calls use(key') for each key within `flips` bits of `key`, itself first.
template <class Use>
void for_each_flip(std::uint64_t key, unsigned width, std::uint32_t flips, const Use& use,
                   unsigned from = 0) {
  use(key);
  if (flips == 0) return;
  for (unsigned i = from; i < width; ++i) {
    for_each_flip(key ^ (std::uint64_t{1} << i), width, flips - 1, use, i + 1);
  }
}

}  // namespace

CodeTables::CodeTables(Layout layout) : layout_(std::move(layout)) {
  assert(layout_.words > 0 && layout_.address_bits <= kAddressBits);
  for (const BitSample& sample : layout_.samples) {
    assert(sample.masks.size() == layout_.words);
    unsigned width = 0;
    for (const std::uint64_t mask : sample.masks)
      width += static_cast<unsigned>(std::popcount(mask));
    assert(width <= 64 && (sample.flips == 0 || width <= layout_.address_bits));
    widths_.push_back(width);
    tables_.emplace_back(std::min(width, layout_.address_bits));
  }
}

std::uint32_t CodeTables::address(std::size_t table, std::uint64_t key) const {
  if (widths_[table] <= layout_.address_bits) return static_cast<std::uint32_t>(key);
  return static_cast<std::uint32_t>(mix64(key) >> (64 - layout_.address_bits));
}

bool CodeTables::holds(ItemId id) const { return id < alive_.size() && alive_[id]; }

CodeView CodeTables::row(ItemId id) const {
  return CodeView(codes_).subspan(std::size_t{id} * layout_.words, layout_.words);
}

std::size_t CodeTables::bytes() const {
  std::size_t sum = sizeof *this + codes_.capacity() * sizeof codes_[0] + alive_.capacity() / 8;
  for (const Postings& table : tables_) sum += table.bytes();
  return sum;
}

Status CodeTables::check(CodeView code) const {
  if (code.size() == layout_.words) return ok();
  return bad(fmt::format("a code of {} words was given to an index of codes of {} words",
                         code.size(), layout_.words));
}

Status CodeTables::check_free(ItemId first, std::size_t count) const {
  if (first > Postings::kMaxId || count > Postings::kMaxId + std::size_t{1} - first) {
    return Error{ErrorCode::kLimit,
                 fmt::format("ids of an index of codes are at most {}", Postings::kMaxId)};
  }
  for (std::size_t i = 0; i < count && first + i < alive_.size(); ++i) {
    if (alive_[first + i]) return bad(fmt::format("the id {} is taken", first + i));
  }
  return ok();
}

// Not by doubling, which would leave half of the memory unused.
void CodeTables::make_room(std::size_t ids) {
  const std::size_t words = ids * layout_.words;
  if (words > codes_.capacity()) codes_.reserve(words + words / 32 + 1024);
  if (words > codes_.size()) codes_.resize(words);
  if (ids > alive_.size()) alive_.resize(ids);
}

void CodeTables::keep(ItemId id, CodeView code) {
  std::ranges::copy(code,
                    codes_.begin() + static_cast<std::ptrdiff_t>(std::size_t{id} * layout_.words));
  alive_[id] = true;
  ++size_;
}

Status CodeTables::insert(ItemId id, CodeView code) {
  TWINSIFT_TRY([[maybe_unused]] const auto fits, check(code));
  TWINSIFT_TRY([[maybe_unused]] const auto free, check_free(id, 1));
  // The tables lie far apart in memory: all are asked for before the first is needed.
  std::uint32_t addresses[512];
  assert(tables_.size() <= std::size(addresses));
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    addresses[t] = address(t, select_bits(code, layout_.samples[t].masks));
    tables_[t].prefetch(addresses[t]);
  }
  for (std::size_t t = 0; t < tables_.size(); ++t) tables_[t].bucket(addresses[t]).prefetch();
  for (std::size_t t = 0; t < tables_.size(); ++t) tables_[t].insert(addresses[t], id);
  make_room(std::size_t{id} + 1);
  keep(id, code);
  return ok();
}

Status CodeTables::insert_all(ItemId first, CodeView codes) {
  const std::size_t count = codes.size() / layout_.words;
  if (codes.size() % layout_.words != 0) return check(codes);
  TWINSIFT_TRY([[maybe_unused]] const auto free, check_free(first, count));
  if (size_ > 0) {
    for (std::size_t i = 0; i < count; ++i) {
      TWINSIFT_TRY(
          [[maybe_unused]] const auto done,
          insert(first + static_cast<ItemId>(i), codes.subspan(i * layout_.words, layout_.words)));
    }
    return ok();
  }
  if (count == 0) return ok();
  make_room(first + count);
  for (std::size_t i = 0; i < count; ++i) {
    keep(first + static_cast<ItemId>(i), codes.subspan(i * layout_.words, layout_.words));
  }
  std::vector<std::uint32_t> addresses(count);
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    for (std::size_t i = 0; i < count; ++i) {
      const CodeView code = row(first + static_cast<ItemId>(i));
      addresses[i] = address(t, select_bits(code, layout_.samples[t].masks));
    }
    tables_[t].build(addresses, first);
  }
  return ok();
}

Status CodeTables::erase(ItemId id) {
  if (!holds(id)) return Error{ErrorCode::kNotFound, fmt::format("there is no id {}", id)};
  std::uint32_t addresses[512];
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    addresses[t] = address(t, select_bits(row(id), layout_.samples[t].masks));
    tables_[t].prefetch(addresses[t]);
  }
  for (std::size_t t = 0; t < tables_.size(); ++t) tables_[t].bucket(addresses[t]).prefetch();
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    [[maybe_unused]] const bool was_there = tables_[t].erase(addresses[t], id);
    assert(was_there);
  }
  alive_[id] = false;
  --size_;
  // What is scanned depends on what is there, not on what has been.
  while (!alive_.empty() && !alive_.back()) alive_.pop_back();
  codes_.resize(alive_.size() * layout_.words);
  return ok();
}

void CodeTables::scan(CodeView code, std::uint32_t radius, std::vector<CodeMatch>& out) const {
  std::vector<CodeMatch> some(std::min(kScanRows, rows()));
  for (std::uint32_t first = 0; first < rows(); first += kScanRows) {
    const std::uint32_t count = std::min(kScanRows, rows() - first);
    const std::size_t found = near_range(code, codes_.data(), first, count, radius, some.data());
    for (std::size_t i = 0; i < found; ++i) {
      if (alive_[some[i].row]) out.push_back(some[i]);
    }
  }
}

void CodeTables::add_probes(std::size_t table, CodeView code, std::vector<Probe>& probes) const {
  const BitSample& sample = layout_.samples[table];
  const auto add = [&](std::uint64_t key) {
    probes.push_back({static_cast<std::uint32_t>(table), address(table, key)});
    tables_[table].prefetch(probes.back().address);
  };
  for_each_flip(select_bits(code, sample.masks), widths_[table], sample.flips, add);
}

Status CodeTables::near(CodeView code, std::uint32_t radius, std::vector<CodeMatch>& out) const {
  out.clear();
  TWINSIFT_TRY([[maybe_unused]] const auto fits, check(code));
  const auto by_id = [](const CodeMatch& a, const CodeMatch& b) { return a.row < b.row; };
  std::vector<Probe> probes;
  probes.reserve(512);
  for (std::size_t t = 0; t < tables_.size(); ++t) add_probes(t, code, probes);
  std::uint64_t candidates = probes.size();
  for (const Probe& probe : probes) {
    const auto bucket = tables_[probe.table].bucket(probe.address);
    bucket.prefetch();
    candidates += bucket.size();
  }
  if (radius > layout_.radius || candidates * kScanAdvantage > rows()) {
    scan(code, radius, out);
    return ok();
  }
  std::vector<ItemId> ids(candidates);
  ItemId* end = ids.data();
  for (const Probe& probe : probes) end = tables_[probe.table].bucket(probe.address).copy(end);
  const auto count = static_cast<std::size_t>(end - ids.data());
  out.resize(count);
  out.resize(near_rows(code, codes_.data(), std::span(ids).first(count), radius, out.data()));
  std::ranges::sort(out, by_id);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return ok();
}

}  // namespace twinsift
