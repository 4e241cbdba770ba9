// SPDX-License-Identifier: Apache-2.0
#include "store/search.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/test_dir.h"
#include "sketch/table.h"
#include "store/test_segments.h"
#include "verify/similarity.h"

namespace twinsift {
namespace {

// Contents of one detector, of which many resemble another, in a segment.
class Library {
 public:
  // `families` originals of `size` features, each with a version at each of the similarities.
  Library(const ShelfSpec& spec, std::uint32_t families, std::span<const double> similarities,
          std::size_t size = 60, std::uint64_t seed = 1)
      : shelf_(*Shelf::make(spec)) {
    Rng rng(seed);
    SegmentModel model;
    const auto add = [&](const TokenSet& set) {
      const Digest digest{rng.next(), 0};
      model.contents[{spec.detector, digest}] = {
          {.digest = digest, .state = ContentState::kFeatures}, set};
    };
    for (std::uint32_t family = 0; family < families; ++family) {
      const TokenSet original = random_set(rng, size);
      queries.push_back(original);
      add(original);
      for (const double s : similarities) add(similar_set(rng, original, s));
    }
    for (const auto& [key, content] : model.contents) sets.push_back(content.set);
    SegmentWriter::Options options = test_options(dir_ / "seg");
    options.shelves = {spec};
    const Status written = write_segment(model, options);
    EXPECT_TRUE(written) << written.error().message;
    segment_ = *open_segment(dir_ / "seg");
    EXPECT_EQ(segment_->rows(spec.detector), sets.size());
  }

  std::vector<std::uint32_t> search(const TokenSet& set, double threshold, double recall,
                                    SearchStats& stats) const {
    const Signature query = shelf_->sign(set);
    const auto plan = *shelf_->plan(threshold);
    std::vector<std::uint32_t> rows = {12345};  // what is in it must not matter
    const Status found = search_segment({.segment = segment_.get(),
                                         .shelf = shelf_.get(),
                                         .plan = plan.get(),
                                         .query = &query,
                                         .recall = recall},
                                        rows, stats);
    EXPECT_TRUE(found);
    return rows;
  }

  [[nodiscard]] std::vector<std::uint32_t> brute_force(const TokenSet& set,
                                                       double threshold) const {
    std::vector<std::uint32_t> rows;
    for (std::uint32_t row = 0; row < sets.size(); ++row) {
      if (jaccard_at_least(set, sets[row], threshold) >= 0) rows.push_back(row);
    }
    return rows;
  }

  [[nodiscard]] const Shelf& shelf() const { return *shelf_; }
  [[nodiscard]] const Segment& segment() const { return *segment_; }
  [[nodiscard]] std::string path() const { return dir_ / "seg"; }
  [[nodiscard]] const TestDir& dir() const { return dir_; }

  std::vector<TokenSet> queries;
  std::vector<TokenSet> sets;  // by row

 private:
  TestDir dir_;
  std::unique_ptr<Shelf> shelf_;
  std::unique_ptr<Segment> segment_;
};

ShelfSpec default_shelf() { return *make_shelf_spec(1); }

constexpr double kSimilarities[] = {0.98, 0.9, 0.85, 0.81, 0.75, 0.6, 0.5, 0.4};

TEST(Shelf, TheDefaultServesTheLevelSameByBuckets) {
  const auto plan = *(*Shelf::make(default_shelf()))->plan(0.8);
  EXPECT_GE(plan->found_in_buckets, 0.99);
  EXPECT_LT(plan->found_in_buckets, plan->found_by_scan);
}

TEST(Shelf, RefusesSketchesThatPromiseNothing) {
  EXPECT_FALSE(make_shelf_spec(1, "nosuch1"));
  EXPECT_FALSE(make_shelf_spec(1, "doph1:k=256"));
  EXPECT_FALSE(make_shelf_spec(1, "fss1:k=32"));
  EXPECT_FALSE(make_shelf_spec(1, "fss1:k=8192"));
  EXPECT_TRUE(make_shelf_spec(1, "minhash1:seed=4"));
  ShelfSpec spec = default_shelf();
  spec.index = "banding1:b=1000,r=8";
  EXPECT_FALSE(Shelf::make(spec));
  spec = default_shelf();
  spec.looks = {128, 256};
  EXPECT_FALSE(Shelf::make(spec));
}

TEST(Shelf, PlansNothingForAThresholdThatIsNone) {
  const auto shelf = *Shelf::make(default_shelf());
  for (const double bad : {0.0, -1.0, 1.01, std::nan("")}) EXPECT_FALSE(shelf->plan(bad)) << bad;
  EXPECT_EQ(*shelf->plan(0.7), *shelf->plan(0.7));  // remembered
  for (int i = 1; i <= 100; ++i) EXPECT_TRUE(shelf->plan(i / 100.0));
}

TEST(Shelf, TakesWhatTheMatcherWouldSketch) {
  const TokenSet one = {7};
  const std::vector<double> weights = {1.5};
  EXPECT_TRUE(Shelf::takes(one));
  EXPECT_FALSE(Shelf::takes(SetView{}));
  EXPECT_FALSE(Shelf::takes({std::span(one), std::span(weights)}));
}

// ORACLE: the scan is the early stop of every row.
TEST(Search, AScanGivesThoseThatTheEarlyStopLeaves) {
  for (const char* sketch : {"fss1:k=256", "fss1:k=64,seed=3", "fss1:k=200"}) {
    ShelfSpec spec = default_shelf();
    const auto made = make_sketcher(sketch);
    spec.sketch = (*made)->spec();
    spec.index = "banding1:b=8,r=8";
    spec.looks = doubling_looks((*made)->k());
    const Library library(spec, 300, kSimilarities);
    std::vector<Signature> signatures;
    for (const TokenSet& set : library.sets) signatures.push_back(library.shelf().sign(set));
    for (const double threshold : {0.4, 0.55, 0.9}) {
      const auto plan = *library.shelf().plan(threshold);
      for (std::size_t q = 0; q < library.queries.size(); q += 20) {
        SearchStats stats;
        const auto rows = library.search(library.queries[q], threshold, 0.9999, stats);
        EXPECT_TRUE(stats.scanned);
        EXPECT_EQ(stats.candidates, library.sets.size());
        EXPECT_EQ(stats.survivors, rows.size());
        const Signature query = library.shelf().sign(library.queries[q]);
        std::vector<std::uint32_t> expected;
        for (std::uint32_t row = 0; row < signatures.size(); ++row) {
          if (survives(*plan, query.codes, signatures[row].codes)) expected.push_back(row);
        }
        EXPECT_EQ(rows, expected);
      }
    }
  }
}

// ORACLE: buckets give those that share a key and that the early stop leaves.
TEST(Search, BucketsGiveThoseThatShareAKey) {
  const Library library(default_shelf(), 400, kSimilarities);
  const auto plan = *library.shelf().plan(0.8);
  std::vector<Signature> signatures;
  for (const TokenSet& set : library.sets) signatures.push_back(library.shelf().sign(set));
  for (std::size_t q = 0; q < library.queries.size(); q += 7) {
    SearchStats stats;
    const auto rows = library.search(library.queries[q], 0.8, 0.99, stats);
    EXPECT_FALSE(stats.scanned);
    EXPECT_EQ(stats.promised, plan->found_in_buckets);
    const Signature query = library.shelf().sign(library.queries[q]);
    std::vector<std::uint32_t> expected;
    std::uint64_t candidates = 0;
    for (std::uint32_t row = 0; row < signatures.size(); ++row) {
      bool meets = false;
      for (std::size_t t = 0; t < query.keys.size(); ++t) {
        meets = meets || query.keys[t] == signatures[row].keys[t];
      }
      candidates += meets ? 1 : 0;
      if (meets && survives(*plan, query.codes, signatures[row].codes)) expected.push_back(row);
    }
    EXPECT_EQ(rows, expected);
    EXPECT_EQ(stats.candidates, candidates);
  }
}

// STATISTICAL: of the contents at or above the threshold no more are missed than the promise
// allows, up to 4 standard deviations.
void expect_recall(double threshold, double recall, bool scanned) {
  double expected_missed = 0;
  double missed = 0;
  double all = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const auto spec = *make_shelf_spec(1, fmt::format("fss1:seed={}", seed));
    const double just_above[] = {threshold + 0.005, threshold + 0.01, threshold + 0.02, 0.95};
    const Library library(spec, 250, just_above, 100, seed);
    for (const TokenSet& query : library.queries) {
      SearchStats stats;
      const auto rows = library.search(query, threshold, recall, stats);
      EXPECT_EQ(stats.scanned, scanned);
      EXPECT_GE(stats.promised, recall);
      EXPECT_TRUE(std::ranges::adjacent_find(rows, std::greater_equal{}) == rows.end());
      for (const std::uint32_t row : library.brute_force(query, threshold)) {
        all += 1;
        missed += std::ranges::binary_search(rows, row) ? 0 : 1;
        expected_missed += 1 - stats.promised;
      }
    }
  }
  EXPECT_GE(all, 3000);  // those that were planted
  EXPECT_LE(missed, expected_missed + 4 * std::sqrt(expected_missed) + 1) << "of " << all;
}

TEST(Search, BucketsKeepTheirPromise) { expect_recall(0.8, 0.99, false); }
TEST(Search, AScanKeepsItsPromise) {
  expect_recall(0.5, 0.99, true);
  expect_recall(0.3, 0.9999, true);
}

TEST(Search, ARecallOfOneLeavesEverythingToBeCompared) {
  const Library library(default_shelf(), 20, kSimilarities);
  SearchStats stats;
  EXPECT_EQ(library.search(library.queries[0], 0.9, 1, stats).size(), library.sets.size());
  EXPECT_EQ(stats.promised, 1);
}

// Where all contents are alike, buckets are as large as the segment: looking at each row once is
// less than looking at it in every bucket.
TEST(Search, HotBucketsCostNoMoreThanAScan) {
  const std::vector<double> alike(800, 0.97);
  const Library library(default_shelf(), 1, alike);
  SearchStats stats;
  const auto rows = library.search(library.queries[0], 0.8, 0.99, stats);
  EXPECT_TRUE(stats.scanned);
  EXPECT_EQ(stats.candidates, library.sets.size());
  EXPECT_EQ(rows.size(), library.brute_force(library.queries[0], 0.8).size());
}

TEST(Search, FindsNothingInAnEmptySegment) {
  const Library library(default_shelf(), 0, kSimilarities);
  SearchStats stats;
  EXPECT_TRUE(library.search({1, 2, 3}, 0.5, 0.99, stats).empty());
  EXPECT_TRUE(library.search({1, 2, 3}, 0.8, 0.99, stats).empty());
  EXPECT_EQ(stats.candidates, 0U);
}

// A damaged plane is an error, never a wrong answer.
TEST(Search, SaysThatCodesAreDamaged) {
  const Library library(default_shelf(), 30, kSimilarities);
  std::string image = read_file(library.path());
  const Signature query = library.shelf().sign(library.queries[0]);
  const std::string_view first(reinterpret_cast<const char*>(query.codes.data()), 64);
  const std::size_t at = image.find(first);
  ASSERT_NE(at, std::string::npos);
  image[at] = static_cast<char>(image[at] ^ 1);
  library.dir().write("bad", image);
  const auto segment = *open_segment(library.dir() / "bad");
  for (const double threshold : {0.5, 0.8}) {
    const auto plan = *library.shelf().plan(threshold);
    std::vector<std::uint32_t> rows;
    SearchStats stats;
    const Status found = search_segment(
        {.segment = segment.get(), .shelf = &library.shelf(), .plan = plan.get(), .query = &query},
        rows, stats);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, ErrorCode::kCorrupt);
    EXPECT_NE(found.error().message.find("section PLN0 is damaged"), std::string::npos);
  }
}

// 1.5 KB for a document on disk at k = 1024, with the record of its file and its keys.
TEST(Segment, TakesAtMostOneAndAHalfKilobytesForADocument) {
  const TestDir dir;
  const ShelfSpec spec = *make_shelf_spec(1, "fss1:k=1024");
  SegmentModel model;
  Rng rng(3);
  constexpr std::uint32_t kDocuments = 2000;
  for (std::uint32_t i = 0; i < kDocuments; ++i) {
    const Digest digest{rng.next(), rng.next()};
    model.files[{.path = fmt::format("/home/somebody/documents/project {:03}/report {:08}.txt",
                                     i % 100, i)}] = {.path = {}, .digest = digest};
    model.contents[{1, digest}] = {{.digest = digest, .state = ContentState::kFeatures},
                                   random_set(rng, 20)};
  }
  SegmentWriter::Options options = test_options(dir / "seg");
  options.shelves = {spec};
  ASSERT_TRUE(write_segment(model, options));
  EXPECT_LE(std::filesystem::file_size(dir / "seg"), 1500 * kDocuments);
}

}  // namespace
}  // namespace twinsift
