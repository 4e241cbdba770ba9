// SPDX-License-Identifier: Apache-2.0
#include "group/folders.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.h"

namespace twinsift {
namespace {

struct File {
  std::string path;
  std::uint32_t content = 0;
};

// Content c has 100 + c bytes.
std::vector<FolderPair> folders_of(const std::vector<File>& files, double threshold,
                                   std::uint32_t root = 0) {
  std::vector<FolderFile> input;
  for (const File& file : files) {
    input.push_back({file.path, file.content, 100 + std::uint64_t{file.content}, root});
  }
  return similar_folders(input, threshold);
}

// {path/0, ..} with the given contents.
void add(std::vector<File>& files, const std::string& folder,
         std::initializer_list<std::uint32_t> cs) {
  for (const std::uint32_t c : cs) files.push_back({folder + "/f" + std::to_string(c), c});
}

using Brief = std::tuple<std::string, std::string, Relation>;
std::vector<Brief> brief(const std::vector<FolderPair>& pairs) {
  std::vector<Brief> result;
  for (const FolderPair& pair : pairs) result.emplace_back(pair.a, pair.b, pair.relation);
  return result;
}

TEST(SimilarFolders, CountsWhatIsInBothAndInOne) {
  std::vector<File> files;
  add(files, "a", {1, 2, 3, 4});
  add(files, "b", {2, 3, 4, 5, 6});
  files.push_back({"b/again", 4});  // equal files count once
  const auto pairs = folders_of(files, 0.5);
  ASSERT_EQ(brief(pairs), (std::vector<Brief>{{"a", "b", Relation::kSame}}));
  EXPECT_DOUBLE_EQ(pairs[0].jaccard, 0.5);
  EXPECT_DOUBLE_EQ(pairs[0].containment_a, 0.75);
  EXPECT_DOUBLE_EQ(pairs[0].containment_b, 0.6);
  EXPECT_EQ(pairs[0].both, 3U);
  EXPECT_EQ(pairs[0].only_a, 1U);
  EXPECT_EQ(pairs[0].only_b, 2U);
  EXPECT_EQ(pairs[0].both_bytes, 309U);
  EXPECT_EQ(pairs[0].only_a_bytes, 101U);
  EXPECT_EQ(pairs[0].only_b_bytes, 211U);
  EXPECT_TRUE(folders_of(files, 0.76).empty());
}

TEST(SimilarFolders, OnlyTheTopMostOfEqualTreesIsReported) {
  std::vector<File> files;
  for (const std::string root : {"x/tree", "y/copy"}) {
    add(files, root + "/s", {1, 2});
    add(files, root + "/t/u", {3, 4});
  }
  add(files, "x", {7, 8, 9, 10});
  add(files, "y", {11, 12, 13, 14});
  EXPECT_EQ(brief(folders_of(files, 0.8)),
            (std::vector<Brief>{{"x/tree", "y/copy", Relation::kSame}}));
}

TEST(SimilarFolders, AContainedFolderIsReportedWithTheSmallestThatHoldsIt) {
  std::vector<File> files;
  add(files, "old", {1, 2, 3});
  add(files, "backup/2020/pictures", {1, 2, 3, 4, 5, 6});
  add(files, "backup/2021", {7, 8});
  EXPECT_EQ(brief(folders_of(files, 0.8)),
            (std::vector<Brief>{{"backup/2020/pictures", "old", Relation::kContains}}));
  add(files, "backup/2022", {9});
  add(files, "old", {9});  // now only two folders together hold all of it
  const auto pairs = folders_of(files, 0.8);
  EXPECT_EQ(brief(pairs), (std::vector<Brief>{{"backup", "old", Relation::kContains}}));
  EXPECT_DOUBLE_EQ(pairs[0].containment_b, 1);
}

TEST(SimilarFolders, AFolderIsNoPairWithTheFoldersAroundIt) {
  std::vector<File> files;
  add(files, "a/b/c", {1, 2, 3});
  add(files, "a/b/d", {4, 5});
  EXPECT_TRUE(folders_of(files, 0.1).empty());
  add(files, "a/b", {1, 2, 3});
  EXPECT_TRUE(folders_of(files, 0.1).empty());
}

TEST(SimilarFolders, OneSharedContentIsNotEnough) {
  EXPECT_TRUE(folders_of({{"a/x", 1}, {"b/x", 1}}, 0.1).empty());
  EXPECT_TRUE(folders_of({{"a/x", 1}, {"a/y", 1}, {"b/x", 1}, {"b/y", 1}}, 0.1).empty());
  EXPECT_EQ(folders_of({{"a/x", 1}, {"a/y", 2}, {"b/x", 1}, {"b/y", 2}}, 0.9).size(), 1U);
  EXPECT_TRUE(folders_of({}, 0.5).empty());
}

TEST(SimilarFolders, NoFolderAboveTheArgumentsIsLookedAt) {
  std::vector<File> files;
  add(files, "/data/one/photos", {1, 2});
  add(files, "/mnt/a/b/c", {1, 2});
  const auto all_the_way_up = folders_of(files, 0.8);
  EXPECT_EQ(brief(all_the_way_up), (std::vector<Brief>{{"/data", "/mnt", Relation::kSame}}));
  std::vector<FolderFile> input;
  for (const File& file : files) {
    const std::size_t root = file.path.starts_with("/data") ? 9 : 8;  // /data/one, /mnt/a/b
    input.push_back({file.path, file.content, 1, static_cast<std::uint32_t>(root)});
  }
  EXPECT_EQ(brief(similar_folders(input, 0.8)),
            (std::vector<Brief>{{"/data/one", "/mnt/a/b", Relation::kSame}}));
}

TEST(SimilarFolders, AnArgumentInsideAnotherStillBelongsToIt) {
  std::vector<FolderFile> input = {
      {"a/b/x", 1, 1, 3}, {"a/y", 2, 1, 1}, {"c/x", 1, 1, 1}, {"c/y", 2, 1, 1}};
  EXPECT_EQ(brief(similar_folders(input, 1.0)), (std::vector<Brief>{{"a", "c", Relation::kSame}}));
}

TEST(SimilarFolders, NamesThatSortBeforeTheSlashDoNotSplitAFolder) {
  std::vector<File> files;
  add(files, "a", {1});
  add(files, "a-b", {1, 2});
  add(files, "a/z", {2});
  EXPECT_EQ(brief(folders_of(files, 1.0)), (std::vector<Brief>{{"a", "a-b", Relation::kSame}}));
}

TEST(SimilarFolders, MostSharedBytesComeFirst) {
  std::vector<File> files;
  for (const std::string side : {"x", "y"}) {
    add(files, side + "1", {1, 2});
    add(files, side + "0", {3, 4, 5});
    add(files, side + "2", {6, 7});
  }
  EXPECT_EQ(brief(folders_of(files, 0.8)), (std::vector<Brief>{{"x0", "y0", Relation::kSame},
                                                               {"x2", "y2", Relation::kSame},
                                                               {"x1", "y1", Relation::kSame}}));
}

TEST(SimilarFolders, ContentsFoundEverywhereCountButMakeNoPairs) {
  std::vector<File> files;
  for (int i = 0; i < 300; ++i) add(files, "d" + std::to_string(1000 + i), {1, 2});
  EXPECT_TRUE(folders_of(files, 0.8).empty());
  files.push_back({"d1000/rare", 3});
  files.push_back({"d1001/rare", 3});
  const auto pairs = folders_of(files, 0.8);
  ASSERT_EQ(brief(pairs), (std::vector<Brief>{{"d1000", "d1001", Relation::kSame}}));
  EXPECT_EQ(pairs[0].both, 3U);
}

// --- ORACLE: the definition in the header, word for word, with sets of strings. ---

using Contents = std::set<std::uint32_t>;

bool inside(const std::string& x, const std::string& y) { return x == y || x.starts_with(y + "/"); }

struct Pair {
  std::string x;  // the contained one, or either
  std::string y;
  bool same = false;
};

class BruteForce {
 public:
  BruteForce(const std::vector<File>& files, double threshold) : threshold_(threshold) {
    for (const File& file : files) {
      for (std::size_t i = file.path.find('/'); i != std::string::npos;
           i = file.path.find('/', i + 1)) {
        folders_[file.path.substr(0, i)].insert(file.content);
      }
    }
  }

  [[nodiscard]] std::vector<Brief> run() const {
    std::vector<Pair> pairs;
    for (const auto& [x, in_x] : folders_) {
      for (const auto& [y, in_y] : folders_) {
        if (inside(x, y) || inside(y, x) || shared(x, y) < 2) continue;
        if (same(x, y)) {
          if (x < y) pairs.push_back({x, y, true});
        } else if (std::pair(in_x.size(), x) < std::pair(in_y.size(), y) && contained(x, y)) {
          pairs.push_back({x, y, false});
        }
      }
    }
    std::vector<Brief> result;
    for (const Pair& pair : pairs) {
      const bool covered = std::ranges::any_of(pairs, [&](const Pair& other) {
        const bool itself = other.x == pair.x && other.y == pair.y;
        return !itself && ((inside(pair.x, other.x) && inside(pair.y, other.y)) ||
                           (inside(pair.x, other.y) && inside(pair.y, other.x)));
      });
      if (!covered) result.push_back(describe(pair));
    }
    std::ranges::sort(result);
    return result;
  }

 private:
  [[nodiscard]] std::size_t shared(const std::string& x, const std::string& y) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        folders_.at(x), [&](std::uint32_t c) { return folders_.at(y).contains(c); }));
  }
  [[nodiscard]] bool reaches(std::size_t part, std::size_t whole) const {
    return static_cast<double>(part) / static_cast<double>(whole) >= threshold_;
  }
  [[nodiscard]] bool same(const std::string& x, const std::string& y) const {
    const std::size_t both = shared(x, y);
    return both >= 2 && reaches(both, folders_.at(x).size() + folders_.at(y).size() - both);
  }
  [[nodiscard]] bool contained(const std::string& x, const std::string& y) const {
    if (!reaches(shared(x, y), folders_.at(x).size())) return false;
    return std::ranges::none_of(folders_, [&](const auto& folder) {
      const std::string& z = folder.first;
      return z != y && inside(z, y) && (shared(x, z) == shared(x, y) || same(x, z));
    });
  }
  [[nodiscard]] Brief describe(const Pair& pair) const {
    const std::string& a = std::min(pair.x, pair.y);
    const std::string& b = std::max(pair.x, pair.y);
    if (pair.same) return {a, b, Relation::kSame};
    const bool contains = folders_.at(a).size() > folders_.at(b).size();
    return {a, b, contains ? Relation::kContains : Relation::kContained};
  }

  std::map<std::string, Contents> folders_;
  double threshold_;
};

RC_GTEST_PROP(SimilarFolders, AgreeWithTheDefinition, (std::uint64_t seed)) {
  Rng rng(seed);
  std::vector<File> files;
  const std::uint32_t contents = 3 + rng.below(20);
  const std::uint32_t names = 1 + rng.below(3);
  const std::uint32_t count = 1 + rng.below(60);
  for (std::uint32_t i = 0; i < count; ++i) {
    std::string path(1, static_cast<char>('a' + rng.below(3)));
    const std::uint32_t depth = rng.below(4);
    for (std::uint32_t d = 0; d < depth; ++d) {
      path += '/';
      path += "abc"[rng.below(names)];
    }
    files.push_back({path + "/f" + std::to_string(i), rng.below(contents)});
  }
  const double threshold = (1 + rng.below(10)) / 10.0;
  const auto expected = BruteForce(files, threshold).run();
  auto actual = brief(folders_of(files, threshold));
  std::ranges::sort(actual);
  RC_CLASSIFY(!expected.empty());
  RC_ASSERT(actual == expected);
}

TEST(SimilarFolders, OrderOfTheFilesDoesNotMatter) {
  Rng rng(5);
  std::vector<File> files;
  for (std::uint32_t i = 0; i < 300; ++i) {
    files.push_back({"r" + std::to_string(rng.below(4)) + "/s" + std::to_string(rng.below(5)) +
                         "/f" + std::to_string(i),
                     rng.below(100)});
  }
  const auto expected = brief(folders_of(files, 0.3));
  ASSERT_FALSE(expected.empty());
  for (int round = 0; round < 5; ++round) {
    for (std::size_t i = files.size(); i > 1; --i) {
      std::swap(files[i - 1], files[rng.below(static_cast<std::uint32_t>(i))]);
    }
    EXPECT_EQ(brief(folders_of(files, 0.3)), expected);
  }
}

// 200,000 files in 20,000 folders, half of them copied elsewhere with small changes.
TEST(SimilarFolders, LargeTreesAreQuick) {
  std::vector<File> files;
  for (std::uint32_t i = 0; i < 200'000; ++i) {
    const std::uint32_t n = i % 100'000;
    const std::string side = i < 100'000 ? "disk/home/user/" : "backup/2020/";
    const std::string folder = std::to_string(n / 1000) + "/" + std::to_string(n / 100 % 10) + "/" +
                               std::to_string(n / 10 % 10) + "/f";
    const bool copied = i < 100'000 || n / 1000 % 2 == 0;
    files.push_back({side + folder + std::to_string(n % 10), copied ? n : i});
  }
  const auto pairs = folders_of(files, 0.8);
  EXPECT_EQ(pairs.size(), 50U);  // every other folder of the hundred, nothing below
  EXPECT_EQ(pairs.front().both, 1000U);
}

}  // namespace
}  // namespace twinsift
