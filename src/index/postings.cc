// SPDX-License-Identifier: Apache-2.0
#include "index/postings.h"

#include <bit>
#include <cassert>
#include <cstring>

namespace twinsift {
namespace {

constexpr std::uint32_t kNone = UINT32_MAX;
constexpr std::size_t kPadding = 8;

// Capacities in pairs of ids: 1, 2, ..., 8, then eight steps for each doubling.  Grade 0 is none.
constexpr std::uint64_t pairs_of(unsigned grade) {
  if (grade <= 8) return grade;
  const unsigned step = (grade - 1) / 8 - 1;
  return (std::uint64_t{8} + (grade - 1) % 8 + 1) << step;
}

// The smallest grade that holds so many ids.
constexpr unsigned grade_of(std::uint64_t ids) {
  const std::uint64_t pairs = (ids + 1) / 2;
  if (pairs <= 8) return static_cast<unsigned>(pairs);
  const auto step = static_cast<unsigned>(std::bit_width(pairs - 1)) - 4;
  return 8 * step + static_cast<unsigned>((pairs - 1) >> step) + 1;
}

static_assert(pairs_of(grade_of(17)) == 9 && pairs_of(grade_of(32)) == 16);
static_assert(pairs_of(grade_of(33)) == 18 && pairs_of(grade_of(100)) == 52);
static_assert(grade_of(std::uint64_t{1} << 28U) < 232);

std::uint32_t load(const std::uint8_t* data, unsigned width) {
  std::uint32_t word = 0;
  std::memcpy(&word, data, sizeof word);
  return width == 3 ? word & 0xFFFFFFU : word;
}

void save(std::uint8_t* data, std::uint32_t id, unsigned width) { std::memcpy(data, &id, width); }

static_assert(std::endian::native == std::endian::little, "ids are cut to their low bytes");

}  // namespace

ItemId Postings::Bucket::operator[](std::uint32_t i) const {
  return load(data_ + std::size_t{i} * width_, width_);
}

ItemId* Postings::Bucket::copy(ItemId* out) const {
  const std::uint8_t* data = data_;
  for (std::uint32_t i = 0; i < count_; ++i, data += width_) *out++ = load(data, width_);
  return out;
}

void Postings::Bucket::prefetch() const {
  __builtin_prefetch(data_);
  __builtin_prefetch(data_ + 64);  // half of the buckets lie across two lines of the cache
}

Postings::Postings(unsigned bits) : heads_(std::size_t{1} << bits), pool_(kPadding) {
  assert(bits <= kMaxBits);
  idle_.fill(kNone);
}

Postings::Bucket Postings::bucket(std::uint32_t key) const {
  const Head& head = heads_[key];
  return {at(head.start), static_cast<std::uint32_t>(head.count), width_};
}

void Postings::prefetch(std::uint32_t key) const { __builtin_prefetch(&heads_[key]); }

std::size_t Postings::bytes() const {
  return sizeof *this + heads_.capacity() * sizeof(Head) + pool_.capacity();
}

// Not by doubling, which would leave half of the pool unused.
void Postings::resize_pool(std::uint64_t pairs) {
  const std::size_t bytes = pairs * 2 * width_ + kPadding;
  if (bytes > pool_.capacity()) pool_.reserve(bytes + bytes / 32 + 4096);
  pool_.resize(bytes);
  pairs_ = pairs;
}

std::uint64_t Postings::take(unsigned grade) {
  const std::uint32_t run = idle_[grade];
  if (run != kNone) {
    idle_[grade] = load(at(run), 4);
    return run;
  }
  const std::uint64_t start = pairs_;
  resize_pool(pairs_ + pairs_of(grade));
  return start;
}

void Postings::give_back(const Head& head) {
  if (head.grade == 0) return;
  save(at(head.start), idle_[head.grade], 4);
  idle_[head.grade] = static_cast<std::uint32_t>(head.start);
}

void Postings::grow(Head& head) {
  const unsigned grade = grade_of(head.count + 1);
  const std::uint64_t start = take(grade);
  std::memcpy(at(start), at(head.start), std::size_t{head.count} * width_);
  give_back(head);
  head.start = start & 0xFFFFFFFU;
  head.grade = grade & 0xFFU;
}

void Postings::set_count(Head& head, std::uint64_t count) {
  needed_ += pairs_of(grade_of(count));
  needed_ -= pairs_of(grade_of(head.count));
  size_ += count;
  size_ -= head.count;
  head.count = count & 0xFFFFFFFU;
}

void Postings::insert(std::uint32_t key, ItemId id) {
  assert(id <= kMaxId);
  if (width_ == 3 && id >= 1U << 24U) pack(4);
  Head& head = heads_[key];
  if (head.count == 2 * pairs_of(head.grade)) grow(head);
  save(at(head.start) + std::size_t{head.count} * width_, id, width_);
  set_count(head, head.count + 1);
  pack_if_idle();
}

bool Postings::erase(std::uint32_t key, ItemId id) {
  Head& head = heads_[key];
  std::uint8_t* const data = at(head.start);
  for (std::size_t i = 0; i < head.count; ++i) {
    if (load(data + i * width_, width_) != id) continue;
    const std::size_t last = head.count - 1;
    std::memmove(data + i * width_, data + last * width_, width_);
    set_count(head, last);
    pack_if_idle();
    return true;
  }
  return false;
}

void Postings::pack_if_idle() {
  if (pairs_ > needed_ + needed_ / 16 + 128) pack(width_);
}

void Postings::pack(unsigned width) {
  const std::vector<Head> heads = heads_;
  const std::vector<std::uint8_t> pool = std::move(pool_);
  const unsigned old = width_;
  pool_ = {};
  width_ = width;
  lay_out();
  for (std::size_t key = 0; key < heads.size(); ++key) {
    const std::uint8_t* from = pool.data() + heads[key].start * 2 * old;
    std::uint8_t* to = at(heads_[key].start);
    if (old == width) {
      std::memcpy(to, from, std::size_t{heads[key].count} * width);
      continue;
    }
    for (std::size_t i = 0; i < heads[key].count; ++i)
      save(to + i * width, load(from + i * old, old), width);
  }
}

// Gives each bucket a run of the smallest grade, one after another.
void Postings::lay_out() {
  std::uint64_t pairs = 0;
  for (Head& head : heads_) {
    head.grade = grade_of(head.count) & 0xFFU;
    head.start = pairs & 0xFFFFFFFU;
    pairs += pairs_of(head.grade);
  }
  idle_.fill(kNone);
  needed_ = pairs;
  resize_pool(pairs);
}

void Postings::build(std::span<const std::uint32_t> keys, ItemId first) {
  heads_.assign(heads_.size(), Head{});
  pool_ = {};
  size_ = keys.size();
  width_ = first + keys.size() > std::size_t{1} << 24U ? 4 : 3;
  for (const std::uint32_t key : keys) heads_[key].count = (heads_[key].count + 1) & 0xFFFFFFFU;
  lay_out();
  for (Head& head : heads_) head.count = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    Head& head = heads_[keys[i]];
    save(at(head.start) + std::size_t{head.count} * width_, first + static_cast<ItemId>(i), width_);
    head.count = (head.count + 1) & 0xFFFFFFFU;
  }
}

}  // namespace twinsift
