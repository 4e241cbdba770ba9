// SPDX-License-Identifier: Apache-2.0
#include "net/shared_collection.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>

#include "base/test_dir.h"
#include "feature/picture_print.h"

namespace twinsift::net {
namespace {

using Mode = CollectionOptions::Mode;

constexpr const char* kText = "text1:words:5";

Digest number_digest(std::uint8_t number) { return {.low = number, .high = 1}; }

// A collection on disk that the test writes, as `index add` would.
class SharedCollectionTest : public testing::Test {
 protected:
  SharedCollectionTest()
      : path_(dir_ / "c"), writer_(*Collection::open(path_, {.mode = Mode::kCreate})) {
    text_ = *writer_->add_detector(kText);
  }

  void put_content(std::uint8_t number, const TokenSet& set) {
    ASSERT_TRUE(writer_->put(ContentRecord{.digest = number_digest(number),
                                           .detector = text_,
                                           .state = ContentState::kFeatures,
                                           .features = SetView(set)}));
  }
  void put_file(std::uint8_t number, const std::string& path, std::uint64_t part = 0,
                bool dropped = false) {
    ASSERT_TRUE(writer_->put(FileRecord{.key = {.path = path, .part = part},
                                        .size = 1,
                                        .digest = number_digest(number),
                                        .dropped = dropped}));
  }
  void put_text(std::uint8_t number, const std::string& path, const TokenSet& set) {
    put_content(number, set);
    put_file(number, path);
  }
  [[nodiscard]] std::unique_ptr<SharedCollection> open() const {
    auto shared = SharedCollection::open(path_);
    EXPECT_TRUE(shared) << shared.error().message;
    return shared ? *std::move(shared) : nullptr;
  }
  static ResourceId id(const TokenSet& set) { return resource_id(kText, set); }

  TestDir dir_;
  std::string path_;
  std::unique_ptr<Collection> writer_;
  DetectorId text_ = 0;
};

TEST_F(SharedCollectionTest, WhatFilesHaveIsShared) {
  put_text(1, "/home/me/secret plans/letter.txt", {1, 2, 3});
  put_text(2, "/b.txt", {4, 5});
  const auto shared = open();
  const auto resources = shared->resources();
  ASSERT_TRUE(resources);
  std::vector<Resource> expected = {{id({1, 2, 3}), kText}, {id({4, 5}), kText}};
  std::ranges::sort(expected);
  EXPECT_EQ(*resources, expected);
  const auto letter = shared->representation(id({1, 2, 3}));
  ASSERT_TRUE(letter) << letter.error().message;
  EXPECT_EQ(*letter, (Representation{.detector = kText, .set = {1, 2, 3}, .title = "letter.txt"}))
      << "and nothing of the folders";
  EXPECT_EQ(shared->media(), std::vector<std::string>{kText});
}

TEST_F(SharedCollectionTest, WhatNoFileHasIsNotShared) {
  put_content(1, {1, 2, 3});
  put_text(2, "/gone.txt", {4, 5});
  put_file(2, "/gone.txt", 0, true);
  const auto shared = open();
  EXPECT_TRUE(shared->resources()->empty());
  for (const TokenSet& set : {TokenSet{1, 2, 3}, TokenSet{4, 5}, TokenSet{6}}) {
    const auto shown = shared->representation(id(set));
    ASSERT_FALSE(shown);
    EXPECT_EQ(shown.error().code, ErrorCode::kNotFound);
  }
}

// Two contents with equal sets are one resource: its id is made of the set.
TEST_F(SharedCollectionTest, EqualSetsAreOneResource) {
  put_text(1, "/b.txt", {1, 2});
  put_file(1, "/a.txt");
  put_text(2, "/c.txt", {1, 2});
  const auto shared = open();
  EXPECT_EQ(shared->resources()->size(), 1U);
  EXPECT_EQ(shared->representation(id({1, 2}))->title, "a.txt") << "the first of its names";
}

TEST_F(SharedCollectionTest, TitlesAreTextAndNameTheRecord) {
  put_text(1, "/x/\xFF\xFE", {1});
  put_content(2, {2});
  put_file(2, "/x/corpus.jsonl", 7);
  const auto shared = open();
  EXPECT_EQ(shared->representation(id({1}))->title, "(a name that is no UTF-8)");
  EXPECT_EQ(shared->representation(id({2}))->title, "corpus.jsonl:7");
}

// A picture is shared as the set of the bits of its code, a text that cannot be compared by sets is
// not, and what no medium has made is left alone.
TEST_F(SharedCollectionTest, OtherDetectorsAreSharedAsSetsOrNotAtAll) {
  const DetectorId image = *writer_->add_detector("image1:gist");
  const DetectorId folder = *writer_->add_detector("folder1");
  const auto packed = pack(PicturePrint{.code = {1, 2, 3, 4}, .width = 10, .height = 10});
  const WeightedSet weighted{.tokens = {1, 2}, .weights = {0.5, 2}};
  const TokenSet other = {8, 9};
  const auto put = [&](std::uint8_t number, DetectorId detector, SetView features) {
    ASSERT_TRUE(writer_->put(ContentRecord{.digest = number_digest(number),
                                           .detector = detector,
                                           .state = ContentState::kFeatures,
                                           .features = features}));
    put_file(number, "/" + std::to_string(number));
  };
  put(1, image, SetView(packed));
  put(2, text_, SetView(weighted));
  put(3, folder, SetView(other));
  const auto shared = open();
  const auto resources = shared->resources();
  ASSERT_TRUE(resources);
  ASSERT_EQ(resources->size(), 1U);
  EXPECT_EQ(resources->front().detector, "bits1:image1:gist");
  const auto shown = shared->representation(resources->front().id);
  ASSERT_TRUE(shown);
  EXPECT_EQ(shown->set.size(), 256U);
  EXPECT_EQ(resource_id(shown->detector, shown->set), resources->front().id);
  EXPECT_EQ(shared->media(), (std::vector<std::string>{kText, "image1:gist"}));
}

TEST_F(SharedCollectionTest, RefreshSeesWhatWasWrittenSince) {
  put_text(1, "/a.txt", {1, 2});
  const auto shared = open();
  EXPECT_FALSE(*shared->refresh()) << "nothing was";
  put_text(2, "/b.txt", {3, 4});
  EXPECT_FALSE(shared->representation(id({3, 4}))) << "not before it is told to";
  EXPECT_TRUE(*shared->refresh());
  EXPECT_TRUE(shared->representation(id({3, 4})));
  EXPECT_EQ(shared->resources()->size(), 2U);
  EXPECT_FALSE(*shared->refresh());
  put_file(1, "/a.txt", 0, true);
  EXPECT_TRUE(*shared->refresh());
  EXPECT_FALSE(shared->representation(id({1, 2})));
  // Sorting and merging the records changes the files, and nothing that is shared.
  ASSERT_TRUE(writer_->compact());
  EXPECT_TRUE(*shared->refresh());
  EXPECT_EQ(shared->resources()->size(), 1U);
  EXPECT_EQ(shared->representation(id({3, 4}))->title, "b.txt");
}

TEST_F(SharedCollectionTest, AfterAnErrorEverythingStaysAsItWas) {
  put_text(1, "/a.txt", {1, 2});
  const auto shared = open();
  writer_.reset();
  std::filesystem::rename(path_, dir_ / "elsewhere");
  EXPECT_FALSE(shared->refresh());
  EXPECT_FALSE(shared->refresh()) << "it is still not there";
  const auto shown = shared->representation(id({1, 2}));
  ASSERT_TRUE(shown) << shown.error().message;
  EXPECT_EQ(shown->title, "a.txt");
  std::filesystem::rename(dir_ / "elsewhere", path_);
  EXPECT_TRUE(shared->refresh());
}

TEST_F(SharedCollectionTest, NoCollectionIsSaid) {
  const auto none = SharedCollection::open(dir_ / "nowhere");
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("nowhere"), std::string::npos) << none.error().message;
}

// Callers are answered from what was there when they began, while others refresh.
TEST_F(SharedCollectionTest, ThreadsMayShareOne) {
  put_text(1, "/a.txt", {1, 2});
  const auto shared = open();
  std::atomic<bool> stop = false;
  std::atomic<std::size_t> wrong = 0;
  {
    std::vector<std::jthread> readers;
    for (int i = 0; i < 3; ++i) {
      readers.emplace_back([&] {
        while (!stop) {
          const auto shown = shared->representation(id({1, 2}));
          wrong += shown && shown->title == "a.txt" ? 0U : 1U;
        }
      });
    }
    for (std::uint8_t i = 2; i < 30; ++i) {
      put_text(i, "/more/" + std::to_string(i), {i, 1000U + i});
      EXPECT_TRUE(*shared->refresh());
    }
    stop = true;
  }
  EXPECT_EQ(wrong, 0U);
  EXPECT_EQ(shared->resources()->size(), 29U);
}

}  // namespace
}  // namespace twinsift::net
