// SPDX-License-Identifier: Apache-2.0
// What the counts of a trial come to.
#include <algorithm>

#include "eval/chord_trial.h"

namespace twinsift {
namespace {

double share(std::uint64_t part, std::uint64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

double ChordCounts::recall() const {
  return duplicates == 0 ? 1 : share(duplicates_found, duplicates);
}
double ChordCounts::forwards() const {
  return share(publish_forwards + search_forwards, labels + labels / documents * searches);
}
double ChordCounts::publish() const {
  return share(publish_forwards + publish_stores, documents) +
         share(more_published, documents) * (forwards() + 1);
}
double ChordCounts::search(Comparing comparing) const {
  std::uint64_t compared = 2 * duplicates_found + strangers_asked;
  if (comparing == Comparing::kEachPeer) compared = peers_asked + peers_similar;
  if (comparing == Comparing::kShown) compared = 2 * lists_asked;
  return share(search_forwards + 2 * search_questions + compared, searches) +
         share(more_searched, searches) * (forwards() + 2);
}
double ChordCounts::duplicates_each() const { return share(duplicates, searches); }

ChordCounts& ChordCounts::operator+=(const ChordCounts& other) {
  documents += other.documents;
  searches += other.searches;
  labels += other.labels;
  publish_forwards += other.publish_forwards;
  publish_stores += other.publish_stores;
  search_forwards += other.search_forwards;
  search_questions += other.search_questions;
  more_published += other.more_published;
  more_searched += other.more_searched;
  duplicates += other.duplicates;
  duplicates_found += other.duplicates_found;
  strangers_asked += other.strangers_asked;
  strangers_met += other.strangers_met;
  peers_asked += other.peers_asked;
  peers_similar += other.peers_similar;
  lists_asked += other.lists_asked;
  largest_label = std::max(largest_label, other.largest_label);
  return *this;
}

}  // namespace twinsift
