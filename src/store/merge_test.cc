// SPDX-License-Identifier: Apache-2.0
#include "store/merge.h"

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/test_dir.h"
#include "store/test_segments.h"

namespace twinsift {
namespace {

// Some segments on disk, the oldest first, and what they say together.
struct Parts {
  TestDir dir;
  std::vector<std::unique_ptr<Segment>> segments;
  SegmentModel all;
  std::map<std::uint64_t, TokenSet> sets;  // by the offset of the record, which is unique

  void add(const SegmentModel& model, const std::vector<ShelfSpec>& shelves) {
    SegmentWriter::Options options = test_options(dir / fmt::format("part{}", segments.size()));
    options.shelves = shelves;
    EXPECT_TRUE(write_segment(model, options));
    segments.push_back(*open_segment(options.path));
    for (const auto& [key, value] : model.files) all.files[key] = value;
    for (const auto& [key, value] : model.contents) {
      all.contents[key] = value;
      sets[value.place.offset] = value.set;
    }
    for (const auto& [key, value] : model.verdicts) all.verdicts[key] = value;
    for (const auto& [key, value] : model.removed) all.removed[key] = value;
  }

  MergeTask task(const std::string& name) {
    MergeTask task{.segments = {}, .output = test_options(dir / name)};
    for (const auto& segment : segments) task.segments.push_back(segment.get());
    task.features = [this](DetectorId, const ContentPlace& place) -> Result<SetView> {
      return SetView(sets[place.offset]);
    };
    return task;
  }

  // What is left where nothing older can be hidden.
  [[nodiscard]] SegmentModel without_dropped() const {
    SegmentModel model = all;
    std::erase_if(model.files, [](const auto& f) { return f.second.dropped; });
    std::erase_if(model.contents,
                  [](const auto& c) { return c.second.place.state == ContentState::kDropped; });
    std::erase_if(model.verdicts,
                  [](const auto& v) { return v.second.verdict == VerdictKind::kNone; });
    std::erase_if(model.removed, [](const auto& r) { return r.second.forget; });
    return model;
  }

  std::string from_scratch(const SegmentModel& model, const std::vector<ShelfSpec>& shelves) {
    SegmentWriter::Options options = test_options(dir / "scratch");
    options.shelves = shelves;
    EXPECT_TRUE(write_segment(model, options));
    return read_file(options.path);
  }
};

RC_GTEST_PROP(Merge, IsWhatWouldHaveBeenWrittenAtOnce, (std::uint64_t seed)) {
  Rng rng(seed);
  Parts parts;
  const std::uint32_t count = 1 + rng.below(4);
  for (std::uint32_t i = 0; i < count; ++i) {
    parts.add(random_model(rng, rng.below(80), 1 + 1000 * i), test_shelves());
  }
  MergeTask task = parts.task("merged");
  task.features = nullptr;  // everything is copied
  if (rng.below(2) == 0) {
    task.output.memory = 1;
    task.output.temp_dir = parts.dir.path().string();
  }
  RC_ASSERT(merge_segments(task).has_value());
  RC_ASSERT(read_file(parts.dir / "merged") == parts.from_scratch(parts.all, test_shelves()));

  task.oldest = true;
  task.output.path = parts.dir / "oldest";
  RC_ASSERT(merge_segments(task).has_value());
  RC_ASSERT(read_file(parts.dir / "oldest") ==
            parts.from_scratch(parts.without_dropped(), test_shelves()));
}

// One part has the shelves that the result is to have, the others have others or no sketches.
TEST(Merge, SketchesAgainWhereShelvesDiffer) {
  Rng rng(8);
  Parts parts;
  std::vector<ShelfSpec> other = test_shelves();
  other[0].sketch = "fss1:k=64,seed=9";
  other[1].index = "banding1:b=16,r=8";
  std::vector<ShelfSpec> none = test_shelves();
  for (ShelfSpec& spec : none)
    spec = {.detector = spec.detector, .sketch = {}, .index = {}, .looks = {}};
  SegmentModel plain = random_model(rng, 60, 3001);
  std::map<std::uint64_t, TokenSet> plain_sets;
  for (auto& [key, content] : plain.contents) {
    plain_sets[content.place.offset] = std::exchange(content.set, {});
  }
  parts.add(random_model(rng, 60, 1), other);
  parts.add(random_model(rng, 60, 1001), test_shelves());
  parts.add(random_model(rng, 60, 2001), other);
  parts.add(plain, none);
  for (auto& [key, content] : parts.all.contents) {
    const auto set = plain_sets.find(content.place.offset);
    if (set != plain_sets.end()) content.set = set->second;
  }
  for (const auto& [offset, set] : plain_sets) parts.sets[offset] = set;
  ASSERT_TRUE(merge_segments(parts.task("merged")));
  EXPECT_EQ(read_file(parts.dir / "merged"), parts.from_scratch(parts.all, test_shelves()));
  EXPECT_TRUE((*open_segment(parts.dir / "merged"))->verify());
}

TEST(Merge, TheHigherSequenceNumberHoldsWhateverTheSegment) {
  Parts parts;
  SegmentModel older;
  SegmentModel newer;
  older.files[{.path = "/a"}] = {.path = {}, .size = 1, .sequence = 9};
  newer.files[{.path = "/a"}] = {.path = {}, .size = 2, .sequence = 8};
  older.files[{.path = "/b"}] = {.path = {}, .size = 1, .sequence = 3};
  newer.files[{.path = "/b"}] = {.path = {}, .size = 2, .sequence = 4};
  parts.add(older, test_shelves());
  parts.add(newer, test_shelves());
  ASSERT_TRUE(merge_segments(parts.task("merged")));
  const auto merged = *open_segment(parts.dir / "merged");
  ASSERT_EQ(merged->files(), 2U);
  EXPECT_EQ(merged->file(0)->size, 1U);
  EXPECT_EQ(merged->file(1)->size, 2U);
}

TEST(Merge, LeavesOutAndMovesWhatItIsToldTo) {
  Rng rng(4);
  Parts parts;
  parts.add(random_model(rng, 100, 1), test_shelves());
  parts.add(random_model(rng, 100, 1001), test_shelves());
  MergeTask task = parts.task("merged");
  const auto keep_file = [](const ItemKey& key) { return key.part != 1; };
  const auto keep_content = [](const ContentPlace& place) { return place.offset % 16 == 0; };
  task.keep_file = [&](const FileView& file) -> Result<bool> {
    return keep_file({.path = {}, .part = file.part});
  };
  task.place = [&](DetectorId, const ContentPlace& place) -> Result<std::optional<ContentPlace>> {
    if (!keep_content(place)) return std::optional<ContentPlace>{};
    ContentPlace moved = place;
    moved.data_file = 77;
    moved.offset += 1'000'000;
    return std::optional(moved);
  };
  ASSERT_TRUE(merge_segments(task));
  SegmentModel expected = parts.all;
  std::erase_if(expected.files, [&](const auto& f) { return !keep_file(f.first); });
  std::erase_if(expected.contents, [&](const auto& c) { return !keep_content(c.second.place); });
  for (auto& [key, content] : expected.contents) {
    content.place.data_file = 77;
    content.place.offset += 1'000'000;
  }
  EXPECT_EQ(read_file(parts.dir / "merged"), parts.from_scratch(expected, test_shelves()));
}

TEST(Merge, LeavesNothingBehindIfAPartIsDamaged) {
  Rng rng(5);
  Parts parts;
  parts.add(random_model(rng, 60, 1), test_shelves());
  const std::string good = read_file(parts.dir / "part0");
  std::uint32_t failed = 0;
  for (std::size_t at = 64; at < good.size(); at += 97) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 4);
    parts.dir.write("bad", bad);
    const auto segment = open_segment(parts.dir / "bad");
    if (!segment) continue;
    MergeTask task = parts.task("merged");
    task.segments = {segment->get()};
    const Status merged = merge_segments(task);
    if (!merged) {
      ++failed;
      EXPECT_EQ(merged.error().code, ErrorCode::kCorrupt);
      EXPECT_FALSE(std::filesystem::exists(parts.dir / "merged"));
    } else {  // a byte that nobody needs
      std::filesystem::remove(parts.dir / "merged");
    }
  }
  EXPECT_GT(failed, 20U);
}

}  // namespace
}  // namespace twinsift
