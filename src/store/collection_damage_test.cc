// SPDX-License-Identifier: Apache-2.0
// CORRUPT: every byte of a small collection is changed, every file is cut at every length.  The
// answer is an error or right, never wrong, and never a crash.
//
// By default only some bytes of segments are changed; TWINSIFT_LONG_TESTS=1 changes all.
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "base/crc32c.h"
#include "base/test_dir.h"
#include "store/collection.h"
#include "store/collection_model.h"
#include "store/file_header.h"

namespace twinsift {
namespace {

namespace fs = std::filesystem;

bool long_tests() {
  const char* wish = std::getenv("TWINSIFT_LONG_TESTS");
  return wish != nullptr && std::string_view(wish) == "1";
}

struct Sample {
  TestDir dir;
  std::string path = dir / "c";
  std::string expected;
  std::string expected_search;
  std::set<std::string> ever;  // all lines that were ever true
  std::map<std::string, std::string> files;

  void remember(const Model& model) {
    std::istringstream lines(model.dump());
    for (std::string line; std::getline(lines, line);) ever.insert(line);
  }

  // Two data files, two segments, and some records that no segment has.
  Sample() {
    CollectionOptions options = world_options(CollectionOptions::Mode::kCreate);
    options.data_file_bytes = 3000;
    auto collection = *Collection::open(path, options);
    for (std::uint32_t d = 1; d <= World::kDetectors; ++d) {
      if (!collection->add_detector(World::spec(d))) std::abort();
    }
    Model model;
    Rng rng(21);
    for (int i = 0; i < 30; ++i) {
      const Operation op(rng.next());
      if (op.kind >= Operation::Kind::kFlush) continue;
      if (!run(op, path, collection)) std::abort();
      if (i % 10 == 9 && i < 25 && !collection->flush()) std::abort();
      model.apply(op);
      remember(model);
    }
    collection.reset();
    expected = model.dump();
    expected_search = model.search(3, 1);
    for (const auto& entry : fs::directory_iterator(path)) {
      files[entry.path().filename().string()] = read_file(entry.path());
    }
  }

  void write(const std::string& name, const std::string& bytes) const {
    dir.write("c/" + name, bytes);
  }
  void restore() const {
    fs::remove_all(path);
    for (const auto& [name, bytes] : files) write(name, bytes);
  }

  // What is wrong with the collection as it is now: empty if it says it itself, or is right.
  [[nodiscard]] std::string fault(bool searches = true) const {
    const auto collection = open_reader(path);
    if (!collection) return sentence_fault(collection.error());
    const auto text = dump(**collection);
    if (!text) return sentence_fault(text.error());
    if (*text != expected) return "wrong answers";
    if (!searches) return "";
    const auto found = search(**collection, 3, 1);
    if (!found) return sentence_fault(found.error());
    return *found == expected_search ? "" : "wrong search";
  }
  // Errors are damage, and say what to do.
  static std::string sentence_fault(const Error& error) {
    if (error.code == ErrorCode::kUnsupported) return "";
    if (error.code != ErrorCode::kCorrupt) return "other error: " + error.message;
    const bool advice = error.message.find("twinsift index repair") != std::string::npos;
    return advice ? "" : "no advice: " + error.message;
  }
};

std::string flipped(std::string bytes, std::size_t at, int bit) {
  bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
  return bytes;
}

bool has_all_kinds(const Sample& sample) {
  int data = 0;
  int segments = 0;
  for (const auto& [name, bytes] : sample.files) {
    data += name.starts_with("data-") ? 1 : 0;
    segments += name.starts_with("seg-") ? 1 : 0;
  }
  return data >= 2 && segments >= 2;
}

TEST(Damage, EveryFlippedByteIsSeenOrHarmless) {
  const Sample sample;
  ASSERT_TRUE(has_all_kinds(sample));
  ASSERT_EQ(sample.fault(), "");
  for (const auto& [name, bytes] : sample.files) {
    const std::size_t step = long_tests() || !name.starts_with("seg-") ? 1 : 29;
    for (std::size_t at = 0; at < bytes.size(); at += step) {
      sample.write(name, flipped(bytes, at, static_cast<int>(at % 8)));
      ASSERT_EQ(sample.fault(name.starts_with("seg-")), "") << name << " byte " << at;
    }
    sample.write(name, bytes);
  }
}

TEST(Damage, EveryTruncationIsSeenOrHarmless) {
  const Sample sample;
  for (const auto& [name, bytes] : sample.files) {
    const std::size_t step = long_tests() || !name.starts_with("seg-") ? 1 : 29;
    for (std::size_t size = 0; size < bytes.size(); size += step) {
      sample.write(name, bytes.substr(0, size));
      ASSERT_EQ(sample.fault(false), "") << name << " cut to " << size;
    }
    fs::remove(sample.path + '/' + name);
    ASSERT_EQ(sample.fault(), "") << name << " removed";
    sample.write(name, bytes);
  }
}

// verify() sees every flipped byte that matters, repair() makes a sound collection of what is left,
// and believes nothing that never was.
TEST(Damage, VerifyTellsAndRepairKeepsWhatIsGood) {
  const Sample sample;
  Rng rng(5);
  for (const auto& [name, bytes] : sample.files) {
    if (name == "LOCK") continue;
    for (int i = 0; i < (long_tests() ? 300 : 12); ++i) {
      sample.restore();
      const std::size_t at = rng.below(static_cast<std::uint32_t>(bytes.size()));
      sample.write(name, flipped(bytes, at, static_cast<int>(rng.below(8))));
      const std::string where = name + " byte " + std::to_string(at);
      const auto wrong = verify_collection(sample.path);
      ASSERT_TRUE(wrong) << where;
      const bool seen = !wrong->empty();

      const auto lost = repair_collection(sample.path);
      ASSERT_TRUE(lost) << where << ": " << lost.error().message;
      const auto sound = verify_collection(sample.path);
      ASSERT_TRUE(sound) << where;
      ASSERT_EQ(*sound, std::vector<std::string>{}) << where;
      const auto text = dump(**open_reader(sample.path));
      ASSERT_TRUE(text) << where;
      if (!seen) {
        ASSERT_EQ(*text, sample.expected) << where;
      }
      if (!name.starts_with("data-")) {
        ASSERT_EQ(*text, sample.expected) << where;  // segments and manifest can be made again
      }
      std::istringstream lines(*text);
      for (std::string line; std::getline(lines, line);) {
        ASSERT_TRUE(sample.ever.contains(line)) << where << ": " << line;
      }
      // And it can be written again.
      auto collection = open_world(sample.path);
      ASSERT_TRUE(collection) << where;
      ASSERT_TRUE((*collection)->put(FileRecord{.key = {.path = "/new"}})) << where;
      ASSERT_TRUE((*collection)->compact()) << where;
    }
  }
}

TEST(Damage, RepairNeedsNoManifestAndNoSegment) {
  const Sample sample;
  for (const auto& [name, bytes] : sample.files) {
    if (!name.starts_with("data-")) fs::remove(sample.path + '/' + name);
  }
  const auto closed = open_reader(sample.path);
  ASSERT_FALSE(closed);
  EXPECT_EQ(closed.error().message,
            sample.path + ": its MANIFEST is missing; 'twinsift index repair --index " +
                sample.path + "' keeps what is good");
  const auto lost = repair_collection(sample.path);
  ASSERT_TRUE(lost);
  EXPECT_EQ(*lost, std::vector<std::string>{sample.path + "/MANIFEST: was missing"});
  EXPECT_EQ(*dump(**open_reader(sample.path)), sample.expected);
}

// A data file whose header is gone is read with what the manifest knows of it.
TEST(Damage, RepairNeedsNoHeader) {
  const Sample sample;
  for (const auto& [name, bytes] : sample.files) {
    if (!name.starts_with("data-")) continue;
    sample.restore();
    sample.write(name, std::string(kFileHeaderBytes, '\0') + bytes.substr(kFileHeaderBytes));
    const auto lost = repair_collection(sample.path);
    ASSERT_TRUE(lost);
    EXPECT_FALSE(lost->empty());
    EXPECT_EQ(*dump(**open_reader(sample.path)), sample.expected);
    EXPECT_TRUE(fs::exists(sample.path + '/' + name + ".damaged"));
  }
}

TEST(Damage, NewerVersionIsNamedAndNotRepaired) {
  const Sample sample;
  for (const auto& [name, bytes] : sample.files) {
    if (!name.starts_with("data-")) continue;
    sample.restore();
    FileHeader header = *decode_file_header(std::as_bytes(std::span(bytes)), StoreFile::kData, "");
    std::string newer = encode_file_header(header);
    newer[12] = 2;
    newer.resize(60);
    const std::uint32_t crc = crc32c(std::as_bytes(std::span(newer)));
    newer.append(reinterpret_cast<const char*>(&crc), 4);
    sample.write(name, newer + bytes.substr(64));
    for (const auto& error :
         {open_reader(sample.path).error(), repair_collection(sample.path).error()}) {
      EXPECT_EQ(error.code, ErrorCode::kUnsupported);
      EXPECT_EQ(error.message, sample.path + '/' + name +
                                   ": has format version 2, and this twinsift reads version 1; "
                                   "use a newer twinsift");
    }
    return;
  }
}

// Left over from a crash: the next writer removes them, a reader does not mind.
TEST(Damage, LeftoversAreRemoved) {
  const Sample sample;
  sample.write("data-0000000099", "half");
  sample.write("seg-0000000098", "half");
  sample.write(".twinsift-1-0", "half");
  sample.write("notes.txt", "of the user's");
  EXPECT_EQ(sample.fault(), "");
  EXPECT_TRUE(open_world(sample.path));
  EXPECT_EQ(sample.fault(), "");
  EXPECT_FALSE(fs::exists(sample.path + "/data-0000000099"));
  EXPECT_FALSE(fs::exists(sample.path + "/seg-0000000098"));
  EXPECT_FALSE(fs::exists(sample.path + "/.twinsift-1-0"));
  EXPECT_TRUE(fs::exists(sample.path + "/notes.txt"));
}

}  // namespace
}  // namespace twinsift
