// SPDX-License-Identifier: Apache-2.0
#include "eval/chord_trial.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <span>
#include <string_view>
#include <utility>

#include "base/cancel.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "base/random.h"
#include "eval/chord.h"
#include "tune/strangers.h"

namespace twinsift {
namespace {

// What follows from the seed, each for itself.
enum Stream : std::uint64_t { kPlaces, kLabelHashes, kOwners, kAskers, kChoice };

std::uint64_t label_key(std::uint32_t table, std::string_view label) {
  std::uint64_t key = mix64(table + kGolden);
  std::uint64_t chunk = 0;
  for (std::size_t i = 0; i < label.size(); ++i) {
    chunk = chunk << 8U | static_cast<unsigned char>(label[i]);
    if (i % 8 == 7 || i + 1 == label.size()) key = mix64((key ^ chunk) + kGolden);
  }
  return key;
}

struct Entry {
  std::uint64_t key = 0;
  std::uint32_t document = 0;
  friend auto operator<=>(const Entry&, const Entry&) = default;
};

// Of a label with so many entries, the keys below which a search looks.  Its entries spread evenly.
std::uint64_t crowded_keys(std::uint64_t entries, std::uint64_t bucket, std::uint64_t crowd) {
  if (bucket == 0 || entries < crowd) return 0;
  const std::uint64_t rest = entries - std::min(entries, bucket);
  return 1 + crowded_keys(rest / 2, bucket, crowd) + crowded_keys(rest - rest / 2, bucket, crowd);
}

// The sum over its entries of how far down each is.
std::uint64_t total_depth(std::uint64_t entries, std::uint64_t bucket) {
  if (bucket == 0 || entries <= bucket) return 0;
  const std::uint64_t rest = entries - bucket;
  return rest + total_depth(rest / 2, bucket) + total_depth(rest - rest / 2, bucket);
}

// A document that shares a label.
struct Candidate {
  std::uint32_t document = 0;
  std::uint32_t met = 0;  // a bit for each sketch of a shared label
};

class Network {
 public:
  Network(const TrialCorpus& corpus, const ChordTrial& trial)
      : corpus_(corpus),
        trial_(trial),
        ring_(trial.peers, seed_key(trial.seed, kPlaces)),
        tables_(trial.shape.labels, std::vector<Entry>(corpus.documents())),
        least_(sketch_thresholds(trial.least_agreeing, trial.similarity)),
        workers_(std::max(trial.threads, 1U)) {}

  void publish();
  void search();
  [[nodiscard]] ChordCounts counts() const;

 private:
  // A peer that has a candidate.
  struct Holder {
    std::uint32_t peer = 0;
    bool similar = false;
  };
  // On a cache line of its own: threads count at the same time.
  struct alignas(64) Worker {
    ChordCounts counts{};
    TokenSet set{};
    std::vector<Candidate> candidates{};
    std::vector<Holder> holders{};
  };

  void publish_document(std::uint32_t document, Worker& worker);
  void sort_tables();
  void look_up(std::uint32_t document, std::uint32_t peer, Worker& worker) const;
  void ask_candidates(std::uint32_t document, Worker& worker) const;
  void ask_peers(Worker& worker) const;
  [[nodiscard]] bool passes(std::uint32_t document, const Candidate& candidate) const;
  [[nodiscard]] std::uint32_t random_peer(Stream stream, std::uint64_t i) const {
    return scale_to(seed_key(seed_key(trial_.seed, stream), i), ring_.peers());
  }

  const TrialCorpus& corpus_;
  const ChordTrial& trial_;
  const ChordRing ring_;
  std::vector<std::vector<Entry>> tables_;         // by document, later by key
  std::vector<std::vector<std::uint64_t>> asked_;  // keys of the searches, by table
  const SketchThresholds least_;
  std::vector<LabelSketch> own_sketches_;
  std::span<const LabelSketch> sketches_;  // empty: there are none
  std::size_t sketches_each_ = 0;          // of a document
  std::vector<Worker> workers_;
};

void Network::publish_document(std::uint32_t document, Worker& worker) {
  corpus_.set(document, worker.set);
  LabelMinima minima(seed_key(trial_.seed, kLabelHashes));
  minima.grow(worker.set, trial_.shape);
  const std::uint32_t peer = random_peer(kOwners, document);
  for (std::uint32_t table = 0; table < trial_.shape.labels; ++table) {
    const std::uint64_t key = label_key(table, minima.label(trial_.shape, table));
    tables_[table][document] = {key, document};
    const ChordRoute route = ring_.route(peer, key);
    worker.counts.publish_forwards += route.forwards;
    worker.counts.publish_stores += route.local ? 0U : 1U;
  }
}

void Network::publish() {
  if (trial_.least_agreeing > 0) {
    if (trial_.sketches.empty()) {
      own_sketches_ = sketch_documents(corpus_, trial_, trial_.shape.labels);
    }
    sketches_ = trial_.sketches.empty() ? own_sketches_ : trial_.sketches;
    sketches_each_ = sketches_.size() / corpus_.documents();
    assert(sketches_each_ >= sketches_of(trial_.shape.labels));
  }
  parallel_for(corpus_.documents(), trial_.threads, trial_.stop,
               [&](std::size_t document, unsigned worker) {
                 publish_document(static_cast<std::uint32_t>(document), workers_[worker]);
               });
  asked_.assign(tables_.size(), {});
  for (std::size_t table = 0; table < tables_.size(); ++table) {
    for (const std::uint32_t document : trial_.searches) {
      asked_[table].push_back(tables_[table][document].key);
    }
  }
  sort_tables();
}

void Network::sort_tables() {
  parallel_for(tables_.size(), trial_.threads, trial_.stop, [&](std::size_t i, unsigned worker) {
    std::vector<Entry>& table = tables_[i];
    std::ranges::sort(table);
    ChordCounts& counts = workers_[worker].counts;
    for (std::size_t first = 0, end = 0; first < table.size(); first = end) {
      while (end < table.size() && table[end].key == table[first].key) ++end;
      counts.largest_label = std::max<std::uint64_t>(counts.largest_label, end - first);
      counts.more_published += total_depth(end - first, trial_.bucket);
    }
  });
}

// Each document once, with all that was met of it.
void merge_candidates(std::vector<Candidate>& candidates) {
  std::ranges::sort(candidates, {}, &Candidate::document);
  std::size_t kept = 0;
  for (const Candidate& candidate : candidates) {
    if (kept > 0 && candidates[kept - 1].document == candidate.document) {
      candidates[kept - 1].met |= candidate.met;
    } else {
      candidates[kept++] = candidate;
    }
  }
  candidates.resize(kept);
}

// Searches are numbered; a search is for a document that is published, too.
void Network::look_up(std::uint32_t search, std::uint32_t peer, Worker& worker) const {
  const std::uint32_t document = trial_.searches[search];
  worker.candidates.clear();
  for (std::size_t table = 0; table < tables_.size(); ++table) {
    const std::uint64_t key = asked_[table][search];
    const ChordRoute route = ring_.route(peer, key);
    worker.counts.search_forwards += route.forwards;
    const auto entries = std::ranges::equal_range(tables_[table], key, {}, &Entry::key);
    worker.counts.search_questions += route.local ? 0U : 1U;
    const std::uint32_t crowd = trial_.crowd > 0 ? trial_.crowd : trial_.bucket;
    worker.counts.more_searched += 2 * crowded_keys(entries.size(), trial_.bucket, crowd);
    const std::uint32_t met = 1U << sketch_of_table(static_cast<std::uint32_t>(table));
    for (const Entry& entry : entries) {
      if (entry.document != document) worker.candidates.push_back({entry.document, met});
    }
  }
  merge_candidates(worker.candidates);
}

// As a question of peers decides when all its lookups have ended (net/candidates.h).
bool Network::passes(std::uint32_t document, const Candidate& candidate) const {
  if (sketches_.empty()) return true;
  std::uint32_t sum = 0;
  for (std::size_t which = 0; which < sketches_each_; ++which) {
    if ((candidate.met >> which & 1U) == 0) continue;
    sum += agreeing_bits(sketches_[document * sketches_each_ + which],
                         sketches_[candidate.document * sketches_each_ + which]);
  }
  return sum >= least_[static_cast<std::size_t>(std::popcount(candidate.met)) - 1];
}

void Network::ask_candidates(std::uint32_t document, Worker& worker) const {
  worker.holders.clear();
  for (const Candidate& candidate : worker.candidates) {
    const bool asked = passes(document, candidate);
    const bool similar = corpus_.similarity(document, candidate.document) >= trial_.similarity;
    worker.counts.duplicates_found += asked && similar ? 1U : 0U;
    worker.counts.strangers_asked += asked && !similar ? 1U : 0U;
    worker.counts.strangers_met += similar ? 0U : 1U;
    if (asked) worker.holders.push_back({random_peer(kOwners, candidate.document), similar});
  }
  ask_peers(worker);
  worker.counts.duplicates += corpus_.similar(document, trial_.similarity).size();
}

// All that one peer has, at once.
void Network::ask_peers(Worker& worker) const {
  std::vector<Holder>& holders = worker.holders;
  std::ranges::sort(holders, {}, &Holder::peer);
  for (std::size_t first = 0, end = 0; first < holders.size(); first = end) {
    bool similar = false;
    while (end < holders.size() && holders[end].peer == holders[first].peer) {
      similar = similar || holders[end].similar;
      ++end;
    }
    ++worker.counts.peers_asked;
    worker.counts.peers_similar += similar ? 1U : 0U;
    worker.counts.lists_asked += (end - first + trial_.together - 1) / trial_.together;
  }
}

void Network::search() {
  parallel_for(trial_.searches.size(), trial_.threads, trial_.stop,
               [&](std::size_t i, unsigned worker) {
                 look_up(static_cast<std::uint32_t>(i), random_peer(kAskers, i), workers_[worker]);
                 ask_candidates(trial_.searches[i], workers_[worker]);
               });
}

ChordCounts Network::counts() const {
  ChordCounts sum;
  for (const Worker& worker : workers_) sum += worker.counts;
  sum.documents = corpus_.documents();
  sum.searches = trial_.searches.size();
  sum.labels = sum.documents * trial_.shape.labels;
  return sum;
}

}  // namespace

std::vector<LabelSketch> sketch_documents(const TrialCorpus& corpus, const ChordTrial& trial,
                                          std::uint32_t labels) {
  const std::size_t each = sketches_of(labels);
  std::vector<LabelSketch> sketches(corpus.documents() * each);
  std::vector<TokenSet> sets(std::max(trial.threads, 1U));
  const std::uint64_t seed = seed_key(trial.seed, kLabelHashes);
  parallel_for(corpus.documents(), trial.threads, trial.stop, [&](std::size_t i, unsigned worker) {
    corpus.set(static_cast<std::uint32_t>(i), sets[worker]);
    std::ranges::copy(label_sketches(sets[worker], seed, labels),
                      sketches.begin() + static_cast<std::ptrdiff_t>(i * each));
  });
  return sketches;
}

Result<ChordCounts> run_chord_trial(const TrialCorpus& corpus, const ChordTrial& trial) {
  assert(trial.peers > 0 && trial.together > 0 && corpus.documents() > 0);
  Network network(corpus, trial);
  network.publish();
  network.search();
  if (trial.stop.stop_requested()) return cancelled_error();
  return network.counts();
}

std::vector<std::uint32_t> choose_searches(const TrialCorpus& corpus, double least,
                                           std::uint32_t most, std::uint64_t seed) {
  std::vector<std::uint32_t> order(corpus.documents());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  Rng rng(seed_key(seed, kChoice));
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t i = 0; i < order.size() && chosen.size() < most; ++i) {
    std::swap(order[i], order[i + rng.below(static_cast<std::uint32_t>(order.size()) - i)]);
    if (!corpus.similar(order[i], least).empty()) chosen.push_back(order[i]);
  }
  std::ranges::sort(chosen);
  return chosen;
}

}  // namespace twinsift
