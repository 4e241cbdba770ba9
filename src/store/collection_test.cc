// SPDX-License-Identifier: Apache-2.0
#include "store/collection.h"

#include <filesystem>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.h"
#include "base/test_dir.h"
#include "feature/token_set.h"
#include "store/collection_model.h"

namespace twinsift {
namespace {

using Mode = CollectionOptions::Mode;

// Everything a collection says is what the model says.
void expect_same(const Collection& collection, const Model& model) {
  const auto text = dump(collection);
  RC_ASSERT(text.has_value());
  RC_ASSERT(*text == model.dump());
  for (const std::uint64_t variant : {0U, 6U, 13U}) {
    for (const DetectorId detector : {1U, 2U}) {
      const auto found = search(collection, variant, detector);
      RC_ASSERT(found.has_value());
      RC_ASSERT(*found == model.search(variant, detector));
    }
  }
}

// PROPERTY: whatever is put, dropped, flushed, compacted and opened again, the collection says what
// a few maps say; and so does one that was opened for reading, and a repaired one.
RC_GTEST_PROP(Collection, SaysWhatTheModelSays, (const std::vector<std::uint64_t>& codes)) {
  const TestDir dir;
  const std::string path = dir / "c";
  Model model;
  {
    auto collection = *open_world(path);
    for (const std::uint64_t code : codes) {
      const Operation op(code);
      RC_ASSERT(run(op, path, collection).has_value());
      model.apply(op);
    }
    expect_same(*collection, model);
    expect_same(**open_reader(path), model);
  }
  const auto wrong = verify_collection(path);
  RC_ASSERT(wrong.has_value());
  RC_ASSERT(*wrong == std::vector<std::string>{});
  RC_ASSERT(*repair_collection(path) == std::vector<std::string>{});
  expect_same(**open_reader(path), model);
  RC_ASSERT(*verify_collection(path) == std::vector<std::string>{});
}

// The same for series that are long enough for several merges of segments.
TEST(Collection, LongSeriesSaysWhatTheModelSays) {
  const TestDir dir;
  const std::string path = dir / "c";
  Model model;
  auto collection = *open_world(path);
  Rng rng(11);
  for (int i = 0; i < 1500; ++i) {
    const Operation op(rng.next());
    const Status done = run(op, path, collection);
    ASSERT_TRUE(done) << done.error().message;
    model.apply(op);
    if (i % 100 == 0) {
      ASSERT_EQ(*dump(*collection), model.dump()) << i;
      ASSERT_EQ(*search(*collection, 3, 1), model.search(3, 1)) << i;
    }
  }
  EXPECT_EQ(*dump(*collection), model.dump());
  const auto stat = collection->stat();
  ASSERT_TRUE(stat);
  EXPECT_LE(stat->segments, 12U);
  EXPECT_GE(stat->dead_bytes, 1U);
  EXPECT_EQ(stat->detectors.size(), 2U);
  ASSERT_TRUE(collection->compact());
  model.apply(Operation([] {
    std::uint64_t code = 0;
    while (Operation(code).kind != Operation::Kind::kCompact) ++code;
    return code;
  }()));
  const auto compact = collection->stat();
  EXPECT_EQ(*dump(*collection), model.dump());
  EXPECT_EQ(compact->segments, 1U);
  EXPECT_LT(compact->dead_bytes, stat->dead_bytes);
  EXPECT_LT(compact->data_bytes, stat->data_bytes);
  EXPECT_EQ(compact->files, stat->files);
  collection.reset();
  EXPECT_EQ(*verify_collection(path), std::vector<std::string>{});
}

FileRecord file_at(const std::string& path, std::uint64_t part = 0) {
  return {.key = {.path = path, .part = part, .volume = 1}, .size = 5};
}

TEST(Collection, FilesBelowAFolderAreThoseInIt) {
  const TestDir dir;
  const auto collection = *Collection::open(dir / "c", {.mode = Mode::kCreate});
  for (const char* path : {"/a", "/a/x", "/a.txt", "/a-b/x", "/ab", "/a/b/c", "/b", "/A"}) {
    ASSERT_TRUE(collection->put(file_at(path)));
  }
  for (std::uint64_t part = 1; part <= 3000; ++part) {
    ASSERT_TRUE(collection->put(file_at("/a/corpus", part)));
    if (part == 1500) {
      ASSERT_TRUE(collection->flush());
    }
  }
  const auto below = [&](std::string_view folder) {
    std::vector<std::string> paths;
    std::uint64_t parts = 0;
    EXPECT_TRUE(collection->files_below(folder, [&](const FileView& file) {
      if (file.part == 0) {
        paths.emplace_back(file.path);
      } else {
        EXPECT_EQ(file.part, ++parts);
        // The caller may use the collection meanwhile.
        EXPECT_TRUE(*collection->file({.path = "/a", .part = 0, .volume = 1}));
      }
      return ok();
    }));
    if (parts > 0) paths.push_back(std::to_string(parts));
    return paths;
  };
  using Paths = std::vector<std::string>;
  EXPECT_EQ(below("/a"), (Paths{"/a", "/a/b/c", "/a/x", "3000"}));
  EXPECT_EQ(below("/a/"), below("/a"));
  EXPECT_EQ(below("/a/corpus"), (Paths{"3000"}));
  EXPECT_EQ(below("/b"), (Paths{"/b"}));
  EXPECT_EQ(below("/none"), (Paths{}));
  EXPECT_EQ(below("/").size(), 9U);
  EXPECT_EQ(below(""), below("/"));
  const Status stopped = collection->files_below("/", [](const FileView&) {
    return Status(Error{ErrorCode::kCancelled, "enough"});
  });
  EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled);
}

TEST(Collection, ViewsOutliveFlushAndCompact) {
  const TestDir dir;
  const auto collection = *open_world(dir / "c");
  ASSERT_TRUE(collection->put(FileRecord{.key = World::key(1), .digest = World::digest(1)}));
  const TokenSet ids = World::set(4);
  ASSERT_TRUE(collection->put(ContentRecord{.digest = World::digest(1),
                                            .detector = 1,
                                            .state = ContentState::kFeatures,
                                            .features = ids}));
  const auto before = collection->content(1, World::digest(1));
  ASSERT_TRUE(before && *before);
  ASSERT_TRUE(collection->flush());
  const auto between = collection->content(1, World::digest(1));
  ASSERT_TRUE(collection->compact());
  const auto after = collection->content(1, World::digest(1));
  ASSERT_TRUE(collection->compact());
  for (const auto* view : {&before, &between, &after}) {
    EXPECT_TRUE(std::ranges::equal((**view)->features.ids, ids));
  }
}

// What only its medium understands is kept as it is, is no candidate for anything, and can be
// looked through.
TEST(Collection, PackedContentsAreKept) {
  const TestDir dir;
  const auto collection = *open_world(dir / "c");
  const Packed packed{{9, 3, 3, 0}};
  const TokenSet set = World::set(4);
  for (std::uint64_t i = 0; i < 6; ++i) {
    ASSERT_TRUE(collection->put(FileRecord{.key = World::key(i), .digest = World::digest(i)}));
    ContentRecord content{
        .digest = World::digest(i), .detector = 1, .state = ContentState::kFeatures};
    content.features = i % 2 == 0 ? SetView(packed) : SetView(set);
    if (i == 5) content = {.digest = World::digest(i), .detector = 1};
    ASSERT_TRUE(collection->put(content));
    if (i == 2) {
      ASSERT_TRUE(collection->flush());
    }
  }
  const auto check = [&] {
    std::vector<Digest> seen;
    ASSERT_TRUE(collection->contents_of(1, [&](const ContentRecord& content) {
      seen.push_back(content.digest);
      if (content.features.packed) {
        EXPECT_TRUE(std::ranges::equal(content.features.ids, packed.words));
      }
      return ok();
    }));
    EXPECT_EQ(seen.size(), 5U);
    EXPECT_TRUE(std::ranges::is_sorted(seen));
    SearchStats stats;
    const auto found = collection->search(set, {.detector = 1}, stats);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->size(), 2U);
  };
  check();
  ASSERT_TRUE(collection->compact());
  check();
  EXPECT_TRUE(verify_collection(dir / "c")->empty());
}

// Where buckets have a fixed number of places, what comes and goes leaves some overfull and others
// empty until everything is hashed anew.  Here tables are sorted with every segment.
TEST(Collection, BucketsAreAfterMuchComingAndGoingAsIfBuiltAtOnce) {
  const TestDir dir;
  constexpr std::uint64_t kLast = 1200;
  // Nine in ten belong to one of thirty families, which share most of what they have.
  const auto ids_of = [](std::uint64_t i) {
    Rng rng(i);
    TokenSet ids;
    for (std::uint64_t v = 0; v < 40; ++v) {
      ids.push_back(i % 10 != 0 && v < 38 ? mix64(i % 30 * 1000 + v) : rng.next());
    }
    make_set(ids);
    return ids;
  };
  const auto put = [&](Collection& collection, DetectorId detector, std::uint64_t i, bool drop) {
    const TokenSet ids = ids_of(i);
    ContentRecord content{.digest = {mix64(i), i}, .detector = detector};
    content.state = drop ? ContentState::kDropped : ContentState::kFeatures;
    if (!drop) content.features = SetView(ids);
    FileRecord file = file_at("/d/" + std::to_string(i));
    file.digest = content.digest;
    file.dropped = drop;
    ASSERT_TRUE(collection.put(std::span(&content, 1), std::span(&file, 1)));
  };
  const auto churned = *Collection::open(
      dir / "churned", {.mode = Mode::kCreate, .sketch = {}, .flush_bytes = 20'000});
  const auto fresh = *Collection::open(dir / "fresh", {.mode = Mode::kCreate});
  const DetectorId detector = *churned->add_detector("d");
  ASSERT_EQ(*fresh->add_detector("d"), detector);
  // Everything comes, two thirds go again, and half of those come back.
  for (std::uint64_t i = 0; i < kLast; ++i) put(*churned, detector, i, false);
  for (std::uint64_t i = 0; i < kLast; ++i) {
    if (i % 3 != 0) put(*churned, detector, i, true);
  }
  for (std::uint64_t i = 0; i < kLast; ++i) {
    if (i % 3 == 1) put(*churned, detector, i, false);
    if (i % 3 != 2) put(*fresh, detector, i, false);
  }
  ASSERT_TRUE(churned->flush());
  ASSERT_TRUE(fresh->flush());
  const auto largest = [](const Collection& collection) {
    return collection.stat()->largest_bucket;
  };
  EXPECT_GE(largest(*fresh), 20U);
  EXPECT_LE(largest(*churned), kLast);
  const SearchOptions options{.detector = detector, .threshold = 0.8, .recall = 0.99};
  const auto expect_same_answers = [&] {
    for (std::uint64_t i = 0; i < kLast; i += 7) {
      SearchStats a;
      SearchStats b;
      const TokenSet ids = ids_of(i);
      const auto found = *churned->search(SetView(ids), options, a);
      const auto wanted = *fresh->search(SetView(ids), options, b);
      ASSERT_EQ(found.size(), wanted.size()) << i;
      for (std::size_t n = 0; n < found.size(); ++n) {
        EXPECT_EQ(found[n].digest, wanted[n].digest);
        EXPECT_EQ(found[n].score, wanted[n].score);
      }
    }
  };
  expect_same_answers();
  ASSERT_TRUE(churned->compact());
  EXPECT_EQ(largest(*churned), largest(*fresh));
  expect_same_answers();
}

TEST(Collection, SearchKeepsTheBestAndSaysWhatItDid) {
  const TestDir dir;
  const auto collection = *open_world(dir / "c");
  for (std::uint64_t i = 0; i < 12; ++i) {
    const TokenSet ids = World::set(5 * i);
    ASSERT_TRUE(collection->put(ContentRecord{.digest = World::digest(i),
                                              .detector = 1,
                                              .state = ContentState::kFeatures,
                                              .features = ids}));
    if (i == 7) {
      ASSERT_TRUE(collection->flush());
    }
  }
  const TokenSet ids = World::set(0);
  SearchStats stats;
  const auto all = collection->search(ids, {.detector = 1, .threshold = 0.5}, stats);
  ASSERT_TRUE(all);
  ASSERT_GE(all->size(), 4U);
  EXPECT_EQ(all->front().score, 1.0);
  EXPECT_TRUE(std::ranges::is_sorted(*all, std::greater{}, &Neighbour::score));
  EXPECT_GE(stats.promised, 0.99);
  const auto best = collection->search(ids, {.detector = 1, .threshold = 0.5, .limit = 2}, stats);
  ASSERT_EQ(best->size(), 2U);
  EXPECT_EQ((*best)[1].digest, (*all)[1].digest);
  EXPECT_EQ(collection->search(ids, {.detector = 1, .threshold = 0}, stats).error().code,
            ErrorCode::kInvalidArgument);
  EXPECT_TRUE(collection->search({}, {.detector = 1}, stats)->empty());
  EXPECT_TRUE(collection->search(ids, {.detector = 99}, stats)->empty());
}

// A new sketch is made from the features that are stored.
TEST(Collection, CompactingMakesTheSketchThatIsAskedFor) {
  const TestDir dir;
  std::string found;
  std::uint64_t bytes = 0;
  {
    auto collection = *open_world(dir / "c");
    Rng rng(3);
    for (int i = 0; i < 120; ++i) {
      ASSERT_TRUE(run(Operation(rng.next()), dir / "c", collection));
    }
    ASSERT_TRUE(collection->compact());
    found = *search(*collection, 3, 1);
    bytes = collection->stat()->segment_bytes;
  }
  ASSERT_NE(found, "");
  CollectionOptions options = world_options(Mode::kWrite);
  options.sketch = "fss1:k=512,seed=5";
  const auto collection = Collection::open(dir / "c", options);
  ASSERT_TRUE(collection) << collection.error().message;
  EXPECT_EQ(*search(**collection, 3, 1), found);
  const Status done = (*collection)->compact();
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_GT((*collection)->stat()->segment_bytes, bytes);
  EXPECT_EQ(*search(**collection, 3, 1), found);
  EXPECT_EQ(*search(**open_reader(dir / "c"), 3, 1), found);
}

TEST(Collection, WrongUseIsRefusedWithASentence) {
  const TestDir dir;
  const auto refused = [](const auto& result, ErrorCode code, const std::string& message) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, code);
    EXPECT_EQ(result.error().message, message);
  };
  const std::string path = dir / "c";
  refused(Collection::open(path, {}), ErrorCode::kNotFound, path + ": there is no collection");
  refused(Collection::open(path, {.mode = Mode::kWrite}), ErrorCode::kNotFound,
          path + ": there is no collection");
  dir.write("other/photo.jpg");
  const std::string foreign =
      (dir / "other") + ": is no collection, and not empty either; name a new folder";
  for (const Mode mode : {Mode::kRead, Mode::kWrite, Mode::kCreate}) {
    refused(Collection::open(dir / "other", {.mode = mode}), ErrorCode::kUnsupported, foreign);
    refused(Collection::open(dir / "other/photo.jpg", {.mode = mode}), ErrorCode::kUnsupported,
            (dir / "other/photo.jpg") + ": is a file, and a collection is a folder; name another");
  }
  EXPECT_FALSE(std::filesystem::exists(dir / "other/LOCK"));
  refused(verify_collection(dir / "none"), ErrorCode::kNotFound,
          (dir / "none") + ": there is no collection");
  refused(repair_collection(dir / "other"), ErrorCode::kUnsupported, foreign);
  refused(repair_collection(dir / "none"), ErrorCode::kNotFound,
          (dir / "none") + ": there is no collection");

  const auto writer = Collection::open(path, {.mode = Mode::kCreate});
  ASSERT_TRUE(writer);
  refused(Collection::open(path, {.mode = Mode::kWrite}), ErrorCode::kIo,
          path + ": this process is writing it already");
  refused(repair_collection(path), ErrorCode::kIo, path + ": this process is writing it already");
  const auto reader = Collection::open(path, {});
  ASSERT_TRUE(reader);
  const std::string only_reading = path + ": was opened for reading only";
  refused((*reader)->put(file_at("/x")), ErrorCode::kInvalidArgument, only_reading);
  refused((*reader)->flush(), ErrorCode::kInvalidArgument, only_reading);
  refused((*reader)->compact(), ErrorCode::kInvalidArgument, only_reading);
  refused((*writer)->put(ContentRecord{.digest = {}, .detector = 5}), ErrorCode::kInvalidArgument,
          path + ": has no detector 5");
}

TEST(Collection, DetectorsKeepTheirNumbers) {
  const TestDir dir;
  {
    const auto collection = *Collection::open(dir / "c", {.mode = Mode::kCreate});
    EXPECT_EQ(*collection->add_detector("text1:words:5"), 1U);
    EXPECT_EQ(*collection->add_detector("text1:words:3"), 2U);
    EXPECT_EQ(*collection->add_detector("text1:words:5"), 1U);
    ASSERT_TRUE(collection->flush());
    ASSERT_TRUE(collection->compact());
  }
  const auto collection = *Collection::open(dir / "c", {.mode = Mode::kWrite});
  EXPECT_EQ(collection->detector("text1:words:3"), 2U);
  EXPECT_EQ(collection->detector("text1:words:9"), std::nullopt);
  EXPECT_EQ(*collection->add_detector("text1:words:9"), 3U);
  EXPECT_FALSE(collection->add_detector("two\nlines"));
}

}  // namespace
}  // namespace twinsift
