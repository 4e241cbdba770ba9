// SPDX-License-Identifier: Apache-2.0
#include "store/segment.h"

#include <algorithm>
#include <filesystem>
#include <ranges>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/test_dir.h"
#include "store/segment_format.h"
#include "store/test_segments.h"

namespace twinsift {
namespace {

template <class T>
T value_of(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  return *std::move(result);
}

void expect_files(const Segment& segment, const SegmentModel& model) {
  ASSERT_EQ(segment.files(), model.files.size());
  std::uint64_t place = 0;
  std::map<Digest, std::vector<FileView>> by_digest;
  for (const auto& [key, file] : model.files) {
    FileView expected = file;
    expected.path = key.path;
    EXPECT_EQ(value_of(segment.file(place)), expected);
    if (file.digest && !file.dropped) by_digest[*file.digest].push_back(expected);
    const auto first = std::ranges::find_if(
        model.files, [&](const auto& other) { return other.first.path >= key.path; });
    EXPECT_EQ(value_of(segment.first_file(key.path)),
              static_cast<std::uint64_t>(std::distance(model.files.begin(), first)));
    ++place;
  }
  EXPECT_EQ(value_of(segment.first_file("")), 0U);
  EXPECT_EQ(value_of(segment.first_file("0")), segment.files());  // '0' comes after '/'
  EXPECT_FALSE(segment.file(place));
  by_digest[{1, 2}];  // one that is not there
  for (const auto& [digest, expected] : by_digest) {
    std::vector<FileView> found;
    ASSERT_TRUE(segment.files_with(digest, [&](const FileView& file) {
      found.push_back(file);
      return ok();
    }));
    EXPECT_EQ(found, expected);
  }
}

void expect_contents(const Segment& segment, const SegmentModel& model, const ShelfSpec& spec) {
  std::vector<SegmentModel::Content> expected;
  for (const auto& [key, content] : model.contents) {
    if (key.first == spec.detector) expected.push_back(content);
  }
  ASSERT_EQ(segment.contents(spec.detector), expected.size());
  const auto shelf = value_of(Shelf::make(spec));
  std::uint32_t row = 0;
  for (std::size_t place = 0; place < expected.size(); ++place) {
    ContentPlace content = expected[place].place;
    if (!expected[place].set.empty()) content.row = row;
    EXPECT_EQ(value_of(segment.content_at(spec.detector, place)), content);
    EXPECT_EQ(value_of(segment.content(spec.detector, content.digest)), content);
    if (expected[place].set.empty()) continue;
    EXPECT_EQ(value_of(segment.content_of_row(spec.detector, row)), content);
    const Signature signature = shelf->sign(expected[place].set);
    std::vector<std::uint8_t> codes;
    for (std::size_t plane = 0; plane < spec.looks.size(); ++plane) {
      const auto part = value_of(segment.codes(spec.detector, plane, row));
      codes.insert(codes.end(), part.begin(), part.end());
    }
    EXPECT_EQ(codes, signature.codes);
    ++row;
  }
  EXPECT_EQ(segment.rows(spec.detector), row);
  EXPECT_EQ(value_of(segment.content(spec.detector, {1, 2})), std::nullopt);
  EXPECT_FALSE(segment.content_at(spec.detector, expected.size()));
  EXPECT_FALSE(segment.content_of_row(spec.detector, row));
}

// Every bucket against a search through all rows, for keys that are there and some that are not.
void expect_buckets(const Segment& segment, const SegmentModel& model, const ShelfSpec& spec) {
  const auto shelf = value_of(Shelf::make(spec));
  std::vector<std::vector<std::uint32_t>> keys;
  for (const auto& [key, content] : model.contents) {
    if (key.first == spec.detector && !content.set.empty()) {
      keys.push_back(shelf->sign(content.set).keys);
    }
  }
  for (std::uint32_t table = 0; table < shelf->index().tables(); ++table) {
    std::vector<std::uint32_t> wanted = {0, 1, UINT32_MAX, UINT32_MAX / 2};
    for (const auto& of_row : keys) wanted.push_back(of_row[table]);
    for (const std::uint32_t key : wanted) {
      std::vector<std::uint32_t> expected;
      for (std::uint32_t row = 0; row < keys.size(); ++row) {
        if (keys[row][table] == key) expected.push_back(row);
      }
      const auto bucket = value_of(segment.bucket(spec.detector, table, key));
      EXPECT_EQ(std::vector(bucket.begin(), bucket.end()), expected);
    }
  }
}

void expect_model(const Segment& segment, const SegmentModel& model) {
  expect_files(segment, model);
  for (const ShelfSpec& spec : test_shelves()) {
    expect_contents(segment, model, spec);
    expect_buckets(segment, model, spec);
  }
  std::vector<VerdictRecord> verdicts;
  std::vector<RemovedRecord> removed;
  EXPECT_TRUE(segment.verdicts([&](const VerdictRecord& record) {
    verdicts.push_back(record);
    return ok();
  }));
  EXPECT_TRUE(segment.removed([&](const RemovedRecord& record) {
    removed.push_back(record);
    return ok();
  }));
  EXPECT_TRUE(std::ranges::equal(verdicts, model.verdicts | std::views::values));
  EXPECT_TRUE(std::ranges::equal(removed, model.removed | std::views::values));
  const Status verified = segment.verify();
  EXPECT_TRUE(verified) << verified.error().message;
}

RC_GTEST_PROP(Segment, SaysWhatWasWritten, (std::uint64_t seed)) {
  Rng rng(seed);
  const SegmentModel model = random_model(rng, rng.below(120), 1);
  const TestDir dir;
  const Status written = write_segment(model, test_options(dir / "seg"));
  RC_ASSERT(written.has_value());
  const auto segment = open_segment(dir / "seg");
  RC_ASSERT(segment.has_value());
  RC_ASSERT((*segment)->last_sequence() == 1000U);
  RC_ASSERT(std::ranges::equal((*segment)->shelves(), test_shelves()));
  expect_model(**segment, model);
  RC_ASSERT(!testing::Test::HasFailure());
}

TEST(Segment, MayBeEmpty) {
  const TestDir dir;
  ASSERT_TRUE(write_segment({}, test_options(dir / "seg")));
  const auto segment = open_segment(dir / "seg");
  ASSERT_TRUE(segment);
  expect_model(**segment, {});
  EXPECT_EQ((*segment)->rows(3), 0U);
  EXPECT_EQ((*segment)->rows(99), 0U);
  EXPECT_EQ((*segment)->shelf(99), nullptr);
}

// With next to no memory everything waits in temporary files and keys are sorted on disk.
TEST(SegmentWriter, WritesTheSameBytesWithLittleMemory) {
  Rng rng(5);
  const SegmentModel model = random_model(rng, 3000, 1);
  const TestDir dir;
  SegmentWriter::Options options = test_options(dir / "much");
  ASSERT_TRUE(write_segment(model, options));
  options.path = dir / "little";
  options.memory = 1;
  options.temp_dir = dir.path().string();
  ASSERT_TRUE(write_segment(model, options));
  EXPECT_EQ(read_file(dir / "much"), read_file(dir / "little"));
  EXPECT_TRUE(value_of(open_segment(dir / "little"))->verify());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir.path()), {}), 2);
}

TEST(SegmentWriter, RefusesWhatIsOutOfOrderOrDoesNotFit) {
  const TestDir dir;
  const auto make = [&] { return value_of(SegmentWriter::create(test_options(dir / "seg"))); };
  const std::vector<std::uint8_t> codes(64);
  const std::vector<std::uint32_t> keys(8);
  auto writer = make();
  EXPECT_TRUE(writer->add_file({.path = "/b"}));
  EXPECT_FALSE(writer->add_file({.path = "/b"}));
  EXPECT_FALSE(make()->add_content(4, {.digest = {1, 1}}, {}, {}));
  EXPECT_FALSE(make()->add_content(3, {.digest = {1, 1}}, codes, {}));
  EXPECT_FALSE(make()->add_content(3, {.digest = {1, 1}}, std::span(codes).first(63), keys));
  writer = make();
  EXPECT_TRUE(writer->add_content(7, {.digest = {1, 1}}, {}, {}));
  EXPECT_FALSE(writer->add_content(3, {.digest = {2, 1}}, codes, keys));
  EXPECT_FALSE(make()->add_verdict({.a = {2, 0}, .b = {1, 0}}));
  writer = make();
  EXPECT_TRUE(writer->add_removed({.digest = {1, 1}, .path = "/x"}));
  EXPECT_FALSE(writer->add_removed({.digest = {1, 1}, .path = "/y"}));
  writer.reset();
  EXPECT_TRUE(std::filesystem::is_empty(dir.path()));

  SegmentWriter::Options options = test_options(dir / "seg");
  std::swap(options.shelves[0], options.shelves[1]);
  EXPECT_FALSE(SegmentWriter::create(options));
  options = test_options(dir / "seg");
  options.shelves[0].sketch += "\nlast 7";
  EXPECT_FALSE(SegmentWriter::create(options));
}

TEST(SegmentWriter, LeavesNothingBehindOnAFullDisk) {
  const TestDir dir;
  const int result = in_child([&] {
    limit_disk(dir.path().string());
    Rng rng(6);
    const SegmentModel model = random_model(rng, 8000, 1);
    for (const std::uint64_t memory : {std::uint64_t{1}, std::uint64_t{1} << 30U}) {
      SegmentWriter::Options options = test_options(dir / "seg");
      options.memory = memory;
      options.temp_dir = dir.path().string();
      const Status written = write_segment(model, options);
      if (written || !is_disk_full(written.error().message)) return 1;
      if (!std::filesystem::is_empty(dir.path())) return 2;
    }
    return 0;
  });
  EXPECT_EQ(result, 0);
}

// A segment of a few kilobytes with something in every section.
std::string small_segment(const TestDir& dir) {
  Rng rng(11);
  const SegmentModel model = random_model(rng, 12, 1);
  EXPECT_FALSE(model.verdicts.empty() || model.removed.empty());
  EXPECT_TRUE(write_segment(model, test_options(dir / "seg")));
  return read_file(dir / "seg");
}

TEST(Segment, VerifySeesEveryFlippedByte) {
  const TestDir dir;
  const std::string good = small_segment(dir);
  ASSERT_TRUE(value_of(open_segment(dir / "seg"))->verify());
  std::string bad = good;
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (const int bits : {0x01, 0x80}) {
      bad[i] = static_cast<char>(good[i] ^ bits);
      dir.write("bad", bad);
      const auto segment = open_segment(dir / "bad");
      EXPECT_FALSE(segment && (*segment)->verify()) << i;
    }
    bad[i] = good[i];
  }
}

TEST(Segment, RefusesEveryTruncation) {
  const TestDir dir;
  const std::string good = small_segment(dir);
  for (std::size_t size = 0; size < good.size(); ++size) {
    dir.write("bad", good.substr(0, size));
    EXPECT_FALSE(open_segment(dir / "bad")) << size;
  }
}

TEST(Segment, RefusesThatOfAnotherCollectionOrNumber) {
  const TestDir dir;
  small_segment(dir);
  EXPECT_FALSE(Segment::open(dir / "seg", CollectionId{}, kTestNumber));
  EXPECT_FALSE(Segment::open(dir / "seg", kTestId, kTestNumber + 1));
}

// A sealed file with anything in it: CRCs are no defence against somebody who means harm.
TEST(Segment, SurvivesSealedNonsense) {
  const TestDir dir;
  const std::string good = small_segment(dir);
  const auto table = load<std::uint64_t>(&good[good.size() - kTrailerBytes]);
  Rng rng(12);
  std::uint32_t opened = 0;
  std::uint32_t wrong = 0;
  for (int i = 0; i < 1500; ++i) {
    std::string bad = good;
    for (std::uint32_t changes = 1 + rng.below(4); changes > 0; --changes) {
      const std::uint32_t begin = rng.below(3) == 0 ? static_cast<std::uint32_t>(table) : 64;
      const std::size_t at = begin + rng.below(static_cast<std::uint32_t>(bad.size()) - begin);
      const std::uint8_t values[] = {0, 0xFF, static_cast<std::uint8_t>(rng.next())};
      const std::size_t length = std::min<std::size_t>(1 + rng.below(8), bad.size() - at);
      bad.replace(at, length, std::string(length, static_cast<char>(values[rng.below(3)])));
    }
    reseal(bad);
    dir.write("bad", bad);
    const auto segment = open_segment(dir / "bad");
    if (!segment) continue;
    ++opened;
    if (!(*segment)->verify()) ++wrong;
    EXPECT_TRUE(exercise(**segment));
  }
  EXPECT_GT(opened, 500U);
  EXPECT_GT(wrong, 200U);
}

TEST(Segment, NamesAnUnknownWordOfInfo) {
  const auto info = decode_info("first 1\nlast 2\ncolour blue\n");
  ASSERT_FALSE(info);
  EXPECT_EQ(info.error().code, ErrorCode::kUnsupported);
  EXPECT_NE(info.error().message.find("\"colour\""), std::string::npos);
  for (const char* bad :
       {"first", "first 1", "first x\n", "looks 64\n", "detector 0\n", "detector 2\ndetector 1\n",
        "detector 1\nsketch a\n", "detector 1\nsketch a\nindex b\nlooks 64/32\n",
        "detector 1\nsketch a\nindex b\nlooks \n",
        "detector 1\nsketch a\nindex b\nlooks 1/2/3/4/5/6/7/8/9/10/11\n"}) {
    const auto refused = decode_info(bad);
    ASSERT_FALSE(refused) << bad;
    EXPECT_EQ(refused.error().code, ErrorCode::kCorrupt) << bad;
  }
}

// For ThreadSanitizer: the first to touch a block checks it while others read.
TEST(Segment, AnswersManyThreadsAtOnce) {
  Rng rng(21);
  const SegmentModel model = random_model(rng, 2000, 1);
  const TestDir dir;
  ASSERT_TRUE(write_segment(model, test_options(dir / "seg")));
  const auto segment = value_of(open_segment(dir / "seg"));
  std::atomic<int> wrong = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (const auto& [key, content] : model.contents) {
          const auto found = segment->content(key.first, key.second);
          if (!found || !*found || (*found)->offset != content.place.offset) ++wrong;
        }
        for (std::uint32_t row = 0; row < segment->rows(7); ++row) {
          const auto codes = segment->codes(7, 2, row);
          if (!codes || codes->size() != 32) ++wrong;
        }
      });
    }
  }
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace twinsift
