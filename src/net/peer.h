// SPDX-License-Identifier: Apache-2.0
// A peer: publishes what stands on its shelf, finds what stands on those of others, and tunes the
// network when it is its turn.
//
// It is a machine of states that one thread runs: it knows neither sockets, nor threads, nor a
// clock.  The program around it carries datagrams to the DhtNode, answers of other peers through
// the Asker, and calls tick():
//
//     for (;;) {
//       wait until a datagram, an answer or a command comes, or `next` has passed;
//       node.receive(...); deliver answers; peer.ask(...);
//       next = peer.tick(now);  // ticks the node, too
//     }
//
// Papers:  [POND] Papapetrou et al., sec. IV (publishing, searching) and V (tuning).
// Differs: every answer is verified by its exact similarity, so precision is 1; a sketch in each
//          entry keeps strangers away; crowded labels are trees (net/crowd.h); one peer tunes in
//          each period (net/configuration.h).
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "net/asker.h"
#include "net/configuration.h"
#include "net/dht_node.h"
#include "net/moment.h"
#include "net/network.h"
#include "net/peer_identity.h"
#include "net/rate_limit.h"
#include "net/shelf.h"
#include "twinsift/types.h"

namespace twinsift::net {

struct PeerOptions {
  Address address{};     // where the peer answers others, as its entries say
  bool one_bit = false;  // the labels of the paper; all peers of a network must agree
  Rate publishing{.per_second = 20, .burst = 20};  // labels
  bool tunes = true;                               // when it is elected
  std::vector<PublicKey> allowed{};   // whose entries are looked at; empty: everybody's
  std::size_t most_questions = 16;    // at the same time; others wait
  std::size_t most_fetches = 16;      // at the same time, of one question
  std::chrono::seconds patience{60};  // with one question
};

struct Question {
  std::string detector;   // spec of what made the set
  TokenSet set;           // sorted, unique, not empty
  double similarity = 0;  // least; 0: the network's.  Below the network's nothing is promised.
  std::size_t most_asked = 256;  // resources that are fetched, those with the best sketches first
  std::size_t most_asked_of_owner = 64;
  std::size_t most_buckets = 64;  // of one crowded label that are followed
  bool own = false;               // also what this peer has published itself
};

// Verified: the owner has shown this set, and this is its similarity to that of the question.
struct Answer {
  Entry entry;  // who, where, which resource
  Representation shown;
  double similarity = 0;
};

struct QuestionReport {
  std::size_t labels = 0;       // asked for, of all configurations that hold
  std::size_t lookups = 0;      // buckets: one for each label, more for crowded ones
  std::size_t unreachable = 0;  // lookups that nobody answered
  std::size_t entries = 0;      // that came, each once
  std::size_t rejected = 0;     // of these: forged, expired, replayed, or of nobody who is allowed
  std::size_t candidates = 0;   // different resources of different owners
  std::size_t strangers = 0;    // of these: sketches differ too much
  std::size_t asked = 0;        // owners were asked to show them
  std::size_t exchanges = 0;    // with owners: each for up to kMostTogether of these
  std::size_t unshown = 0;      // of these: no answer, or a wrong one
  std::size_t answers = 0;      // of these: similar
  double seconds = 0;
  bool cancelled = false;
  // Whether the promise holds for this question; if not, `why` is a sentence.
  bool kept = false;
  std::string why{};
};

struct PeerStatus {
  DhtNodeStatus node{};
  double peers = 0;  // an estimate; 0: not yet known
  std::size_t resources = 0;
  std::size_t labels = 0;              // to publish in a period, of all configurations that hold
  std::size_t labels_waiting = 0;      // of these: that were not published yet
  std::uint64_t labels_published = 0;  // since the start
  std::uint64_t labels_crowded = 0;    // of these: that found their bucket full
  std::uint64_t labels_unplaced = 0;   // no bucket had room
  std::size_t unreadable = 0;          // resources of the shelf that could not be published
  std::string shelf_error{};           // why the shelf could not be read the last time, if so
  std::size_t questions = 0;           // under way
  std::uint64_t questions_asked = 0;
  std::uint64_t configurations_made = 0;  // by this peer
  std::uint64_t configurations_rejected = 0;
  Configuration configuration{};  // with which questions are asked
  std::size_t configurations =
      0;  // under which is published: more than one while the network moves
};

using QuestionId = std::uint64_t;

// Not thread-safe.  Callbacks come from within tick(), or from within DhtNode and Asker; they may
// ask and cancel.  After ask(), cancel() and shelf_changed() tick() should be called at once.
class Peer {
 public:
  // kInvalidArgument if labels cannot keep the network's promise.  Requires: all that is given
  // lives longer than the peer.
  static Result<std::unique_ptr<Peer>> make(const PeerOptions& options, const Network& network,
                                            const Identity& identity, const Shelf& shelf,
                                            DhtNode& node, Asker& asker);
  ~Peer();
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  // Does what is due, also of the node; returns the second at which it wants to be called again at
  // the latest.
  double tick(const Moment& now);

  // Calls on_answer for each answer as soon as it is verified, in no order, and then on_done once.
  QuestionId ask(Question question, std::function<void(const Answer&)> on_answer,
                 std::function<void(const QuestionReport&)> on_done);
  // on_done comes with the next tick(), if the question is still under way.
  void cancel(QuestionId question);

  // Reads the shelf again: what is new is published, what has gone expires.
  void shelf_changed();
  // Publishes everything again, at the pace that the options allow.
  void publish_again();

  // What Asker::report() brings to others; for the present period, the one before or after it.
  // kInvalidArgument for another.
  [[nodiscard]] Result<std::string> report(std::uint64_t version);

  [[nodiscard]] PeerStatus status() const;

 private:
  class Impl;
  explicit Peer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace twinsift::net
