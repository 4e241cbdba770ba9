// SPDX-License-Identifier: Apache-2.0
#include "eval/chord_trial.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "base/random.h"
#include "eval/data.h"
#include "eval/law_documents.h"
#include "eval/set_documents.h"
#include "tune/chord_hops.h"
#include "tune/label_plan.h"
#include "verify/similarity.h"

namespace twinsift {
namespace {

TokenSet sorted_set(const TrialCorpus& corpus, std::uint32_t document) {
  TokenSet set;
  corpus.set(document, set);
  std::ranges::sort(set);
  return set;
}

TEST(LawDocuments, AreAsSimilarAsTheySay) {
  const LawDocuments corpus(300, zipf_similarities(2, 20), 3);
  for (std::uint32_t a = 0; a < 300; a += 7) {
    const TokenSet first = sorted_set(corpus, a);
    ASSERT_EQ(first.size(), LawDocuments::kIds);
    std::vector<std::uint32_t> similar;
    for (std::uint32_t b = 0; b < 300; ++b) {
      const double s = jaccard(first, sorted_set(corpus, b));
      ASSERT_DOUBLE_EQ(corpus.similarity(a, b), s);
      if (b != a && s >= .2) similar.push_back(b);
    }
    std::vector<std::uint32_t> said = corpus.similar(a, .2);
    std::ranges::sort(said);
    EXPECT_EQ(said, similar);
  }
}

// Shares of pairs above a similarity, against the law's.  A document differs from the law by no
// more than half a node of the tree, a third of the rank at worst.
TEST(LawDocuments, FollowTheLaw) {
  constexpr std::uint32_t kCount = 4096;
  const auto law = zipf_similarities(2, 50);
  const LawDocuments corpus(kCount, law, 1);
  for (const double least : {.05, .1, .2, .4, .7}) {
    double share = 0;
    for (const auto& [s, weight] : law) share += s >= least ? weight : 0;
    double seen = 0;
    for (std::uint32_t i = 0; i < kCount; i += 64) {
      seen += static_cast<double>(corpus.similar(i + i / 64, least - .004).size());
    }
    EXPECT_NEAR(seen / 64 / kCount, share, .15 * share) << least;
  }
}

ChordTrial small_trial(const TrialCorpus& corpus) {
  ChordTrial trial{.shape = {1, 10, 4}, .similarity = .8, .peers = 200};
  trial.searches = choose_searches(corpus, .8, 300, 1);
  return trial;
}

TEST(ChordTrial, IsTheSameWithAnyNumberOfThreads) {
  const LawDocuments corpus(2000, zipf_similarities(2, 50), 1);
  ChordTrial trial = small_trial(corpus);
  trial.least_agreeing = 880;
  trial.bucket = 3;
  const auto alone = run_chord_trial(corpus, trial);
  trial.threads = 5;
  const auto together = run_chord_trial(corpus, trial);
  ASSERT_TRUE(alone && together);
  EXPECT_EQ(alone->publish(), together->publish());
  EXPECT_EQ(alone->search(), together->search());
  EXPECT_EQ(alone->strangers_met, together->strangers_met);
  EXPECT_EQ(alone->duplicates_found, together->duplicates_found);
  EXPECT_EQ(alone->largest_label, together->largest_label);
  EXPECT_EQ(alone->search(Comparing::kEachPeer), together->search(Comparing::kEachPeer));
  EXPECT_EQ(alone->search(Comparing::kShown), together->search(Comparing::kShown));
  trial.seed = 2;
  EXPECT_NE(run_chord_trial(corpus, trial)->publish_forwards, alone->publish_forwards);
}

// Without routes to count: two peers, of which one owns a label or the other does.
TEST(ChordTrial, MessagesAddUp) {
  const LawDocuments corpus(500, zipf_similarities(2, 50), 1);
  ChordTrial trial = small_trial(corpus);
  trial.peers = 1;
  const auto one = run_chord_trial(corpus, trial);
  ASSERT_TRUE(one);
  EXPECT_EQ(one->publish(), 0) << "who owns everything sends nothing";
  EXPECT_EQ(one->search_questions, 0U);
  EXPECT_GT(one->strangers_asked, 0U) << "candidates count wherever they are";
  trial.peers = 2;
  const auto two = run_chord_trial(corpus, trial);
  EXPECT_EQ(two->publish_forwards, 0U);
  EXPECT_GT(two->publish_stores, 0U);
  EXPECT_LT(two->publish_stores, two->labels);
  EXPECT_EQ(two->duplicates_found, one->duplicates_found) << "peers do not change who is found";
  EXPECT_EQ(two->strangers_met, one->strangers_met);
  EXPECT_EQ(two->strangers_met, two->strangers_asked) << "there is no sketch";
}

// One peer has all candidates, two have them in halves, and with many each has its own.
TEST(ChordTrial, PeersAreAskedOnceForAllTheyHave) {
  const LawDocuments corpus(500, zipf_similarities(2, 50), 1);
  ChordTrial trial = small_trial(corpus);
  trial.peers = 1;
  trial.together = 1'000'000;
  const auto one = run_chord_trial(corpus, trial);
  ASSERT_TRUE(one);
  const std::uint64_t asked = one->duplicates_found + one->strangers_asked;
  EXPECT_LE(one->peers_asked, one->searches);
  EXPECT_EQ(one->lists_asked, one->peers_asked);
  EXPECT_LE(one->peers_similar, one->peers_asked);
  const double lookups = one->search() - (2.0 * static_cast<double>(one->duplicates_found) +
                                          static_cast<double>(one->strangers_asked)) /
                                             static_cast<double>(one->searches);
  EXPECT_NEAR(one->search(Comparing::kShown) - lookups,
              2.0 * static_cast<double>(one->peers_asked) / static_cast<double>(one->searches),
              1e-9);
  EXPECT_NEAR(one->search(Comparing::kEachPeer) - lookups,
              static_cast<double>(one->peers_asked + one->peers_similar) /
                  static_cast<double>(one->searches),
              1e-9);
  trial.together = 1;
  EXPECT_EQ(run_chord_trial(corpus, trial)->lists_asked, asked);
  trial.together = 4;
  const auto lists = run_chord_trial(corpus, trial);
  EXPECT_EQ(lists->peers_asked, one->peers_asked);
  EXPECT_GE(lists->lists_asked, asked / 4);
  EXPECT_LT(lists->lists_asked, asked / 4 + one->peers_asked);
  trial.peers = 2;
  const auto two = run_chord_trial(corpus, trial);
  EXPECT_GT(two->peers_asked, one->peers_asked);
  EXPECT_LE(two->peers_asked, 2 * one->peers_asked);
  trial.peers = 1'000'000;
  const auto many = run_chord_trial(corpus, trial);
  EXPECT_LE(many->peers_asked, asked);
  EXPECT_GT(many->peers_asked, asked * 95 / 100);
}

// Labels of 1 bit: 250 entries under a key or so.  With room for 100 the first key and perhaps both
// below it are full.
TEST(ChordTrial, CrowdedLabelsAreTrees) {
  const LawDocuments corpus(500, zipf_similarities(3, 50), 1);
  ChordTrial trial{.shape = {1, 1, 1}, .similarity = .8, .peers = 50, .searches = {0, 1, 2, 3}};
  const auto roomy = run_chord_trial(corpus, trial);
  trial.bucket = 100;
  const auto full = run_chord_trial(corpus, trial);
  trial.bucket = 1000;
  const auto enough = run_chord_trial(corpus, trial);
  ASSERT_TRUE(roomy && full && enough);
  ASSERT_GT(roomy->largest_label, 200U);
  ASSERT_LT(roomy->largest_label, 300U);
  EXPECT_EQ(roomy->more_searched + roomy->more_published, 0U);
  EXPECT_EQ(enough->more_searched + enough->more_published, 0U);
  EXPECT_EQ(full->more_published, 500U - 2 * 100) << "one step down for all that found it full";
  EXPECT_EQ(full->more_searched, 4U * 2);
  EXPECT_NEAR(full->search() - roomy->search(), 2 * (full->forwards() + 2), 1e-9);
  EXPECT_EQ(full->duplicates_found, roomy->duplicates_found);
}

// ORACLE: candidates by comparing all labels of all pairs.
TEST(ChordTrial, FindsWhatSharesALabelAndPassesTheSketch) {
  const LawDocuments corpus(400, zipf_similarities(1.5, 50), 1);
  ChordTrial trial = small_trial(corpus);
  trial.least_agreeing = 905;
  trial.shape.labels = 6;  // so that some sketches go with two tables
  const auto counts = run_chord_trial(corpus, trial);
  ASSERT_TRUE(counts);
  const SketchThresholds least = sketch_thresholds(905, trial.similarity);
  const std::uint64_t seed = seed_key(trial.seed, 1);
  std::vector<LabelMinima> minima(400, LabelMinima(seed));
  std::vector<std::vector<LabelSketch>> sketches;
  TokenSet set;
  for (std::uint32_t i = 0; i < 400; ++i) {
    corpus.set(i, set);
    minima[i].grow(set, trial.shape);
    sketches.push_back(label_sketches(set, seed, kSketches));
  }
  std::uint64_t found = 0;
  std::uint64_t asked = 0;
  std::uint64_t by_several = 0;
  for (const std::uint32_t a : trial.searches) {
    for (std::uint32_t b = 0; b < 400; ++b) {
      std::set<std::uint32_t> met;
      for (std::uint32_t j = 0; j < trial.shape.labels; ++j) {
        if (minima[a].label(trial.shape, j) == minima[b].label(trial.shape, j)) met.insert(j % 4);
      }
      std::uint32_t sum = 0;
      for (const std::uint32_t c : met) sum += agreeing_bits(sketches[a][c], sketches[b][c]);
      if (a == b || met.empty() || sum < least[met.size() - 1]) continue;
      by_several += met.size() > 1 ? 1U : 0U;
      (corpus.similarity(a, b) >= .8 ? found : asked) += 1;
    }
  }
  EXPECT_EQ(counts->duplicates_found, found);
  EXPECT_EQ(counts->strangers_asked, asked);
  EXPECT_GT(asked, 0U);
  EXPECT_GT(by_several, 0U);
  // The same with sketches that were made for more labels.
  const auto more = sketch_documents(corpus, trial, 30);
  EXPECT_EQ(more.size(), 400U * kSketches);
  trial.sketches = more;
  EXPECT_EQ(run_chord_trial(corpus, trial)->strangers_asked, asked);
}

// STATISTICAL: recall and messages are those of the formulas.  Searches of one family are not
// independent: a pair counts twice, and four times in the larger families.
TEST(ChordTrial, AgreesWithTheCostModel) {
  const auto law = zipf_similarities(3, 100);
  const LawDocuments corpus(20'000, law, 1);
  constexpr double kPeers = 2500;
  for (const bool paper : {true, false}) {
    const LabelChoice choice = paper ? kPaperLabels : LabelChoice{.bucket = 256, .stranger = 2};
    const PondLoad load{kPeers, 8, 1e4, 1};
    const auto plan = choose_label_plan(load, {.9, .8}, law, choice);
    ASSERT_TRUE(plan);
    ChordTrial trial{.shape = plan->shape, .least_agreeing = plan->least_agreeing};
    trial.bucket = static_cast<std::uint32_t>(choice.bucket);
    trial.peers = static_cast<std::uint32_t>(kPeers);
    trial.searches = choose_searches(corpus, .9, 5000, 1);
    const auto counts = run_chord_trial(corpus, trial);
    ASSERT_TRUE(counts);
    const SketchThresholds least = sketch_thresholds(plan->least_agreeing, .9);
    double expected = 0;
    double pairs = 0;
    for (const std::uint32_t a : trial.searches) {
      for (const std::uint32_t b : corpus.similar(a, .9)) {
        expected += asked_share(plan->shape, least, corpus.similarity(a, b));
        ++pairs;
      }
    }
    EXPECT_EQ(counts->duplicates, static_cast<std::uint64_t>(pairs));
    const double share = expected / pairs;
    EXPECT_NEAR(counts->recall(), share, 4 * std::sqrt(4 * share * (1 - share) / pairs));
    EXPECT_GE(counts->recall(), .8);
    // With the hops that lookups really take, and the duplicates that were really found.
    PondLoad measured = load;
    measured.duplicates_per_search = counts->recall() * counts->duplicates_each();
    LabelChoice exact = choice;
    exact.hops = chord_forwards(kPeers);
    const LabelPlan model = cost_of_labels(measured, exact, .9, law, *plan);
    EXPECT_NEAR(counts->publish() / (plan->shape.labels * (counts->forwards() + 1)), 1, .05);
    EXPECT_LE(counts->publish(), 1.05 * model.publish);
    // Of ours, each candidate takes two messages, but for those that are of one peer.
    const double searched = counts->search(paper ? Comparing::kEachCandidate : Comparing::kShown);
    EXPECT_LE(searched, 1.05 * model.search) << paper;
    EXPECT_GE(searched, .95 * model.search) << paper;
    EXPECT_NEAR(counts->forwards() / chord_forwards(kPeers), 1, .01);
  }
}

TEST(SetDocuments, KnowTheSampleAgainstAll) {
  const auto sets = load_sets({}, 300);
  ASSERT_TRUE(sets);
  std::vector<TokenSet> twice = sets->sets;
  twice.insert(twice.end(), sets->sets.begin(), sets->sets.begin() + 50);
  const SetDocuments corpus(twice, 80, 1);
  const std::set<TokenSet> different(twice.begin(), twice.end());
  EXPECT_EQ(corpus.documents(), different.size()) << "equal sets stand once";
  double weight = 0;
  for (const WeightedSimilarity& bin : corpus.law()) weight += bin.weight;
  EXPECT_EQ(weight, 80.0 * static_cast<double>(different.size() - 1));
  double pairs = 0;
  for (const std::uint32_t a : corpus.searches(.8)) {
    for (const std::uint32_t b : corpus.similar(a, .8)) {
      EXPECT_GE(corpus.similarity(a, b), .8);
      ++pairs;
    }
  }
  EXPECT_GT(pairs, 0);
  EXPECT_DOUBLE_EQ(corpus.duplicates(.8), pairs / static_cast<double>(corpus.searches(.8).size()));
  EXPECT_LE(corpus.searches(.9).size(), corpus.searches(.8).size());
}

}  // namespace
}  // namespace twinsift
