// SPDX-License-Identifier: Apache-2.0
// A Monte Carlo trial of POND on Chord: a corpus is published by peers, some documents are looked
// for, and every message is counted.
//
// Publishing forwards each label from peer to peer and hands its entry to the label's owner.  A
// search forwards each label, asks its owner, and gets a reply; then candidates are compared, each
// once, however many labels are shared, but those whose sketches, as many as were met, agree in too
// few bits (tune/strangers.h).  What that takes is counted in three ways (Comparing).  Where a key
// has room for so many entries only, a crowded label is a binary tree of keys, as in net/crowd.h:
// an entry goes down to the first key with room, a search to both keys below each that is full, or
// has `crowd` entries, and each such lookup counts as the mean of all lookups.  The labels and
// sketches are those of sketch/labels.h, computed from the sets.
//
// Differs: peers neither come nor go, and who has a document is drawn: near duplicates are as
//          likely on one peer as any two documents.
// Cost:    l k MinHashes of each document, and 1,024 for each of its sketches, of which there are
//          min(l, 4), most of the time; 12 l bytes, and 128 for each sketch.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "eval/trial_corpus.h"
#include "sketch/labels.h"
#include "twinsift/result.h"

namespace twinsift {

struct ChordTrial {
  LabelShape shape{};
  std::uint32_t least_agreeing = 0;       // bits of one sketch; 0: there is none
  std::uint32_t bucket = 0;               // entries that a key has room for; 0: any number
  std::uint32_t crowd = 0;                // from which on a search looks further; 0: if it is full
  double similarity = 0.9;                // minSim
  std::uint32_t together = 16;            // candidates that a peer shows at once: net/shown_list.h
  std::uint32_t peers = 1;                // which have about as many documents each
  std::vector<std::uint32_t> searches{};  // for these documents, each from a random peer
  std::uint64_t seed = 1;                 // of peers, labels and who has what
  unsigned threads = 1;                   // which change nothing but the time it takes
  std::stop_token stop{};
  // Of all documents, if they are known already: sketch_documents() with the same seed, and at
  // least as many labels.
  std::span<const LabelSketch> sketches{};
};

// How a search compares its candidates.
enum class Comparing : std::uint8_t {
  // As the paper's cost bounds it (sec. V-B): the set goes out for each candidate, and each that is
  // similar is a reply.
  kEachCandidate,
  // As the paper's text has it (sec. IV-B): the set goes once to each peer that has candidates, and
  // those with similar ones reply.
  kEachPeer,
  // As our peers do (net/show_protocol.h): a request for up to `together` candidates of one peer
  // and an answer with a proof and their sets, similar or not.
  kShown,
};

struct ChordCounts {
  std::uint64_t documents = 0;
  std::uint64_t searches = 0;
  std::uint64_t labels = 0;            // of all documents
  std::uint64_t publish_forwards = 0;  // messages
  std::uint64_t publish_stores = 0;    // messages; fewer than labels, if a peer owns its label
  std::uint64_t search_forwards = 0;   // messages
  std::uint64_t search_questions = 0;  // messages to the owners of labels, and as many replies
  std::uint64_t more_published = 0;    // lookups further down a crowded label
  std::uint64_t more_searched = 0;     // likewise
  std::uint64_t duplicates = 0;        // that all searches should find
  std::uint64_t duplicates_found = 0;
  std::uint64_t strangers_asked = 0;
  std::uint64_t peers_asked = 0;    // those that have any of both, for each search
  std::uint64_t peers_similar = 0;  // of these: with a duplicate
  std::uint64_t lists_asked = 0;    // of up to `together` candidates of one peer
  std::uint64_t strangers_met = 0;  // also those that the sketch kept out
  std::uint64_t largest_label = 0;  // entries under one label

  [[nodiscard]] double recall() const;    // of no duplicates: 1
  [[nodiscard]] double forwards() const;  // of a lookup, published or searched
  [[nodiscard]] double publish() const;   // messages for a document
  // Messages for a search.
  [[nodiscard]] double search(Comparing comparing = Comparing::kEachCandidate) const;
  [[nodiscard]] double duplicates_each() const;       // for a search
  ChordCounts& operator+=(const ChordCounts& other);  // of messages, searches and duplicates
};

// What most of the time of a trial with sketches goes into; trials with other shapes may share it.
// All that so many labels have: those of the first document by number, then those of the next.
std::vector<LabelSketch> sketch_documents(const TrialCorpus& corpus, const ChordTrial& trial,
                                          std::uint32_t labels);

// kCancelled if it was stopped.  Requires: peers > 0, documents of the corpus > 0, a shape within
// the limits of sketch/labels.h.
Result<ChordCounts> run_chord_trial(const TrialCorpus& corpus, const ChordTrial& trial);

// Up to so many random documents, all different, ascending, that resemble another by `least`.
std::vector<std::uint32_t> choose_searches(const TrialCorpus& corpus, double least,
                                           std::uint32_t most, std::uint64_t seed);

}  // namespace twinsift
