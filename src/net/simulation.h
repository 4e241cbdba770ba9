// SPDX-License-Identifier: Apache-2.0
// A network of virtual peers that publish given sets and ask given questions: how much is found,
// and at how many messages.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "net/virtual_peers.h"
#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift::net {

struct SimulatedItem {
  std::string id;
  TokenSet set;  // sorted, unique, not empty
};

struct SimulationOptions {
  std::uint32_t peers = 100;
  PondGoal goal{};
  bool one_bit = false;
  bool tunes = false;  // false: the network stays with the labels for a thousand peers
  std::size_t questions = 500;
  std::uint64_t seed = 1;
  double loss = 0;             // share of datagrams
  double killed = 0;           // share of the peers, after publishing
  double wait_periods = 0;     // between the killing and the questions
  std::int64_t period = 3600;  // seconds
  double publish_per_second = 20;
  std::string detector = "text.1";
};

// How much happened, and per what.
struct MessageCount {
  double messages = 0;  // datagrams, with those of answers
  double bytes = 0;
};

struct SimulationResult {
  std::size_t peers = 0;
  std::size_t resources = 0;
  std::size_t labels_published = 0;
  std::size_t questions = 0;
  std::size_t wanted = 0;  // pairs of a question and a resource of a living peer that are similar
  std::size_t found = 0;   // of these
  std::size_t wrong = 0;   // answers that are not among them
  std::size_t kept = 0;    // questions that say the promise holds for them
  double fetches = 0;      // for one question
  double lookups = 0;      // for one question
  double strangers = 0;    // for one question, that the sketch kept away
  double latency_p50 = 0;  // seconds
  double latency_p95 = 0;
  double peers_estimated = 0;  // by the first peer
  Configuration configuration{};
  MessageCount idle{};      // of one peer in an hour, without resources and questions
  MessageCount resource{};  // to publish one once
  MessageCount question{};
  Traffic publishing{};  // all of it, by kind, with what is idle
  Traffic asking{};
  [[nodiscard]] double recall() const;
  [[nodiscard]] double precision() const;
};

// kInvalidArgument if there is nothing to simulate.
Result<SimulationResult> simulate(const SimulationOptions& options,
                                  const std::vector<SimulatedItem>& items);

// One item a line: its id, a tab, and its set as hexadecimal numbers with blanks between.  kCorrupt
// names the line.
Result<std::vector<SimulatedItem>> read_items(const std::string& path);

}  // namespace twinsift::net
