// SPDX-License-Identifier: Apache-2.0
// What a question knows of the resources that it meets: who is worth asking for which.
//
// Entries of one resource in different tables have different sketches, so that each further one
// says more (tune/strangers.h): what has failed may pass, and what waits to be asked for may fail,
// and then waits no longer.  The decision is by signed entries alone, each of which counts once for
// its sketch.  A signature takes 125 us to check, and most entries are of strangers: so entries are
// held as they came until the best choice of those of a resource would pass, if all were true.
// Then all of them are checked, and from there on each that comes with another sketch.
//
// Trust:   an entry that is forged neither brings a resource in nor pushes one out, whatever its
//          sketch says; it costs one check of a signature at most.  Who signs different things in
//          different tables decides about its own resources alone.
// Cost:    what is held is what has come; the nodes that are asked bound it (net/crowd.h).
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "net/dht_node.h"
#include "net/entry.h"
#include "net/network.h"
#include "sketch/labels.h"
#include "tune/strangers.h"

namespace twinsift::net {

// Not thread-safe.
class Candidates {
 public:
  // Of a question: its sketches, as many as its tables have, none if nothing is told by them, and
  // how many bits of them must agree; `lifetime` is that of entries.
  Candidates(std::vector<LabelSketch> sketches, const SketchThresholds& least,
             std::chrono::seconds lifetime)
      : sketches_(std::move(sketches)), least_(least), lifetime_(lifetime) {}

  // An entry has come under a key.  Returns how many entries of its resource turned out to be
  // false.  Requires: `peeked` is what the value says, and of a table of the question.
  std::size_t take(const Entry& peeked, const DhtKey& key, const DhtValue& value, std::int64_t now);

  // Signed entries of what is worth asking for, the most promising first: by the share of bits that
  // agree.
  using Queue = std::multimap<double, Entry, std::greater<>>;
  [[nodiscard]] const Queue& queue() const { return queue_; }
  // It is asked for, or never will be: whatever else comes of it does not matter.  Returns the
  // next.
  Queue::const_iterator remove(Queue::const_iterator at);
  // It was removed, and waits again.
  void put_back(const Entry& entry);

  // Different resources of different owners, and those of them that are not worth asking for.
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] std::size_t strangers() const;

 private:
  using Name = std::pair<PublicKey, ResourceId>;
  using Bits = std::array<std::uint32_t, kSketches>;  // that agree, by sketch
  struct Held {
    DhtKey key{};
    DhtValue value{};
  };
  struct Candidate {
    std::vector<Held> held{};      // entries whose signatures were not looked at
    Bits hoped{};                  // the most of these
    std::optional<Entry> entry{};  // the first one that is true
    Bits agreeing{};               // of true ones
    std::array<bool, kSketches> seen{};
    bool removed = false;
    std::optional<Queue::iterator> waits{};
  };

  [[nodiscard]] std::size_t sketch_of(const Entry& entry) const;
  [[nodiscard]] std::uint32_t agreeing(const Entry& entry) const;
  [[nodiscard]] bool may_pass(Bits hoped) const;
  std::size_t check_held(Candidate& candidate, std::int64_t now) const;
  void decide(Candidate& candidate);
  [[nodiscard]] static bool is_known(const Candidate& candidate);

  const std::vector<LabelSketch> sketches_;
  const SketchThresholds least_;
  const std::chrono::seconds lifetime_;
  std::map<Name, Candidate> all_;
  Queue queue_;
};

}  // namespace twinsift::net
