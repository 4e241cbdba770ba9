// SPDX-License-Identifier: Apache-2.0
#include "net/publisher.h"

#include <algorithm>
#include <limits>

#include "net/crowd.h"
#include "net/entry.h"

namespace twinsift::net {
namespace {

constexpr double kRetrySeconds = 20;
constexpr double kCrowdSeconds = 60;
constexpr std::size_t kPopular = 16;  // entries under a label that may soon be full
constexpr std::size_t kChecked = 16;  // signatures of a crowd
constexpr double kLeastWait = 0.02;   // between two looks at a limit that says not yet

}  // namespace

struct Publisher::Look {
  std::uint64_t number = 0;
  std::uint32_t generation = 0;
  std::string label{};
  Shard shard{};
  DhtKey key{};
  std::vector<DhtValue> found{};
};

Publisher::Publisher(const PublisherOptions& options, const Network& network,
                     const Identity& identity, Catalogue& catalogue, DhtNode& node)
    : options_(options),
      network_(network),
      identity_(identity),
      catalogue_(catalogue),
      node_(node),
      pacer_(static_cast<double>(network.options().period.count()), options.rate) {}

void Publisher::use(const std::vector<Configuration>& configurations, double now) {
  const auto has = [](const std::vector<Configuration>& all, const Configuration& one) {
    return std::ranges::any_of(all, [&](const auto& other) { return other.id() == one.id(); });
  };
  const std::vector<std::uint32_t> items = catalogue_.items();
  for (const Configuration& before : configurations_) {
    if (has(configurations, before)) continue;
    for (const std::uint32_t item : items) remove_things(item, before.id());
  }
  for (const Configuration& configuration : configurations) {
    if (has(configurations_, configuration)) continue;
    for (const std::uint32_t item : items) add_things(item, configuration, now);
  }
  configurations_ = configurations;
}

void Publisher::add_item(std::uint32_t item, double now) {
  for (const Configuration& configuration : configurations_) add_things(item, configuration, now);
}

void Publisher::remove_item(std::uint32_t item) {
  for (const Configuration& configuration : configurations_) {
    remove_things(item, configuration.id());
  }
}

void Publisher::publish_again(double now) {
  for (const auto& [of, numbers] : numbers_) {
    for (const std::uint64_t number : numbers) pacer_.add(number, now);
  }
}

void Publisher::add_things(std::uint32_t item, const Configuration& configuration, double now) {
  if (!catalogue_.prepare(item, configuration.shape, configuration.least_agreeing > 0)) {
    ++status_.unreadable;
    return;
  }
  std::vector<std::uint64_t>& numbers = numbers_[{configuration.id(), item}];
  for (std::uint32_t table = 0; table < configuration.shape.labels; ++table) {
    if (free_.empty()) {
      free_.push_back(things_.size());
      things_.emplace_back();
    }
    const std::uint64_t number = free_.back();
    free_.pop_back();
    things_[number] = {.item = item,
                       .table = table,
                       .configuration = configuration.id(),
                       .shape = configuration.shape,
                       .sketch = configuration.least_agreeing > 0,
                       .generation = things_[number].generation};
    ++unpublished_;
    numbers.push_back(number);
    pacer_.add(number, now);
  }
}

void Publisher::remove_things(std::uint32_t item, std::uint64_t configuration) {
  const auto found = numbers_.find({configuration, item});
  if (found == numbers_.end()) return;
  for (const std::uint64_t number : found->second) {
    pacer_.remove(number);
    unpublished_ -= things_[number].published ? 0U : 1U;
    ++things_[number].generation;
    free_.push_back(number);
  }
  numbers_.erase(found);
}

double Publisher::tick(const Moment& now) {
  now_ = now;
  while (under_way_ < options_.most_under_way) {
    const std::optional<std::uint64_t> number = pacer_.next(now.seconds);
    if (!number) break;
    start(*number);
  }
  const std::optional<double> due = pacer_.next_due();
  if (!due) return std::numeric_limits<double>::infinity();
  return std::max(*due, now.seconds + std::max(kLeastWait, 1 / options_.rate.per_second));
}

void Publisher::start(std::uint64_t number) {
  const Thing& thing = things_[number];
  ++under_way_;
  look(number, thing.generation, catalogue_.label(thing.item, thing.shape, thing.table), {});
}

void Publisher::look(std::uint64_t number, std::uint32_t generation, const std::string& label,
                     Shard shard) {
  const Thing& thing = things_[number];
  auto look = std::make_shared<Look>();  // shared by the two callbacks of one query
  look->number = number;
  look->generation = generation;
  look->label = label;
  look->shard = shard;
  look->key = network_.label_key(thing.configuration, catalogue_.resource(thing.item).detector,
                                 thing.table, label, shard);
  node_.query(
      look->key, [look](const DhtValue& value) { look->found.push_back(value); },
      lifeline_.guard([this, look](const LookupEnd& end) { decide(*look, end); }));
}

void Publisher::decide(const Look& seen, const LookupEnd& end) {
  if (on_lookup) on_lookup(seen.key, end);
  if (things_[seen.number].generation != seen.generation) {
    --under_way_;  // it has gone meanwhile
    return;
  }
  if (!end.reached) {
    ++status_.failed;
    try_again(seen.number, seen.generation, kRetrySeconds);
    return;
  }
  const bool many = seen.found.size() >= std::min(kMostEntries, kMostOfOwner);
  if (!many || !crowd(seen).is_full()) {
    put(seen);
    return;
  }
  if (seen.shard.depth == kDeepest) {
    ++status_.unplaced;
    try_again(seen.number, seen.generation, kCrowdSeconds);
    return;
  }
  const ResourceId& resource = catalogue_.resource(things_[seen.number].item).id;
  look(seen.number, seen.generation, seen.label,
       child_for(seen.shard, identity_.public_key(), resource));
}

bool Publisher::Crowd::is_full() const {
  return others + own >= kMostEntries || own >= kMostOfOwner;
}

// Without what this peer has put itself for the same item, of which it has a copy, whether others
// took it or not.  Of the signatures, which cost most, only some are looked at, evenly: who lies
// with a part of the entries is believed in the rest.
Publisher::Crowd Publisher::crowd(const Look& seen) const {
  Crowd crowd;
  const ResourceId& resource = catalogue_.resource(things_[seen.number].item).id;
  const std::size_t step = seen.found.size() / kChecked + 1;
  std::size_t checked = 0;
  std::size_t good = 0;
  for (std::size_t i = 0; i < seen.found.size(); ++i) {
    const DhtValue& value = seen.found[i];
    const Result<Entry> entry = peek_entry(value.bytes);
    if (!entry) continue;
    const bool own = entry->owner == identity_.public_key();
    if (own && entry->resource == resource) continue;
    ++(own ? crowd.own : crowd.others);
    if (own || i % step != 0) continue;
    ++checked;
    good +=
        open_entry(value.bytes, seen.key, value.id, now_.unix_seconds, network_.options().lifetime)
            ? 1U
            : 0U;
  }
  if (checked > 0) crowd.others = (crowd.others * good + checked - 1) / checked;
  return crowd;
}

// Sooner than in a period, if the place is not safe.
void Publisher::look_after(const Look& seen) {
  const double period = static_cast<double>(network_.options().period.count());
  if (seen.shard.depth > 0) {
    ++status_.crowded;
    pacer_.add(seen.number, now_.seconds + period / 4);
  } else if (!things_[seen.number].published && seen.found.size() >= kPopular) {
    pacer_.add(seen.number, now_.seconds + std::min(kCrowdSeconds, period / 4));
  }
}

void Publisher::put(const Look& seen) {
  const Thing& thing = things_[seen.number];
  const Entry entry{
      .table = static_cast<std::uint16_t>(thing.table),
      .expires = now_.unix_seconds + network_.options().lifetime.count(),
      .resource = catalogue_.resource(thing.item).id,
      .address = options_.address,
      .sketch = thing.sketch ? catalogue_.sketch(thing.item, thing.table) : LabelSketch{},
      .owner = identity_.public_key()};
  look_after(seen);
  const auto done = [this, number = seen.number, generation = seen.generation](bool answered) {
    put_done(number, generation, answered);
  };
  node_.put(seen.key, {entry_id(entry), seal(entry, seen.key, identity_)}, lifeline_.guard(done));
}

void Publisher::put_done(std::uint64_t number, std::uint32_t generation, bool answered) {
  if (!answered) {
    ++status_.failed;
    try_again(number, generation, kRetrySeconds);
    return;
  }
  --under_way_;
  ++status_.published;
  Thing& thing = things_[number];
  if (thing.generation != generation || thing.published) return;
  thing.published = true;
  --unpublished_;
}

void Publisher::try_again(std::uint64_t number, std::uint32_t generation, double seconds) {
  --under_way_;
  if (things_[number].generation == generation) pacer_.add(number, now_.seconds + seconds);
}

PublisherStatus Publisher::status() const {
  PublisherStatus status = status_;
  status.labels = pacer_.size();
  status.waiting = unpublished_;
  return status;
}

}  // namespace twinsift::net
