// SPDX-License-Identifier: Apache-2.0
// One question, from its labels to its verified answers.
//
// All buckets are looked up at once, and those that are crowded lead to their children.  What was
// found of a resource must be near by its sketches and signed (net/candidates.h), and only then is
// its owner asked, the most promising ones first.  An owner is asked for all that was found of it
// at once: nobody is asked before the lookups have ended or kGather has passed, and whatever is
// found of an owner while it answers waits until it has.  An owner who shows nothing twice is not
// asked again: the dead must not cost the living their time.
//
// Papers:  [POND] sec. IV-B.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "net/asker.h"
#include "net/candidates.h"
#include "net/configuration.h"
#include "net/dht_node.h"
#include "net/lifeline.h"
#include "net/network.h"
#include "net/peer.h"
#include "net/shelf.h"

namespace twinsift::net {

// What all questions of a peer share; lives longer than they.
struct QuestionContext {
  const PeerOptions& options;
  const Network& network;
  const PublicKey self;
  const Shelf& shelf;
  DhtNode& node;
  Asker& asker;
  std::function<void(const DhtKey&, const LookupEnd&)> on_lookup;
};

// Not thread-safe.
class QuestionRun {
 public:
  QuestionRun(QuestionContext& context, Question question,
              std::function<void(const Answer&)> on_answer);

  void start(const Configuration& configuration, const Moment& now);
  // Returns when it will have lost its patience.
  double tick(const Moment& now);
  [[nodiscard]] bool started() const { return started_; }
  // There is nothing to wait for.
  [[nodiscard]] bool finished() const;
  // What has become of it; as finished, or broken off with a reason.
  [[nodiscard]] QuestionReport report(const Moment& now, bool cancelled) const;

 private:
  struct Bucket;

  void look(const std::string& label, std::uint32_t table, Shard shard);
  void look_done(const Bucket& bucket, const LookupEnd& end);
  void follow(const Bucket& bucket, const LookupEnd& end);
  void take(Bucket& bucket, const DhtValue& value);
  void fetch_more();
  // Takes the first entry and others of the same owner out of the queue.
  std::vector<Entry> take_together(const Entry& first);
  void fetch(const std::vector<Entry>& entries);
  [[nodiscard]] std::vector<Shown> own(const std::vector<Entry>& entries) const;
  void answered(const std::vector<Entry>& entries, const std::vector<Shown>& all);
  void shown(const Entry& entry, const Result<Representation>& representation);
  [[nodiscard]] bool may_ask(const PublicKey& owner) const;
  [[nodiscard]] double threshold() const;
  [[nodiscard]] std::string why_not(bool cancelled) const;

  QuestionContext& context_;
  Question question_;
  std::function<void(const Answer&)> on_answer_;
  Configuration configuration_{};
  Moment now_{};
  double begin_ = 0;
  bool started_ = false;
  bool impatient_ = false;
  std::size_t lookups_open_ = 0;
  std::size_t fetches_open_ = 0;
  std::map<std::uint32_t, std::size_t> buckets_;  // of each table that were looked up
  std::size_t unfollowed_ = 0;                    // buckets
  std::size_t unasked_ = 0;                       // candidates beyond what may be asked
  std::optional<Candidates> candidates_;          // once it has started
  double gather_until_ = 0;                       // 0: nobody was worth asking yet
  std::set<PublicKey> answering_;                 // owners
  std::map<PublicKey, std::size_t> asked_of_;
  std::map<PublicKey, std::size_t> failed_of_;
  QuestionReport report_{};
  Lifeline lifeline_;
};

}  // namespace twinsift::net
