// SPDX-License-Identifier: Apache-2.0
// Collections that are damaged, too new, taken or none at all, as every command that uses one meets
// them: a sentence that says what to do, a status, and nothing lost.
#include "bad_collection.h"

#include <sys/file.h>

#include "base/crc32c.h"

namespace twinsift::cli {
namespace {

std::string with_number(std::string bytes, std::size_t at, std::uint32_t value, bool big_endian) {
  for (unsigned i = 0; i < 4; ++i) {
    bytes[at + (big_endian ? 3 - i : i)] = static_cast<char>(value >> (8 * i));
  }
  return bytes;
}

std::uint32_t crc_of(std::string_view bytes) { return crc32c(std::as_bytes(std::span(bytes))); }

// A data file or segment whose header says this version, with a CRC that agrees.
std::string with_version(std::string bytes, std::uint32_t version, bool big_endian = false) {
  bytes = with_number(std::move(bytes), 12, version, big_endian);
  const std::uint32_t crc = crc_of(std::string_view(bytes).substr(0, 60));
  return with_number(std::move(bytes), 60, crc, big_endian);
}

TEST_F(BadCollection, ANewerManifestIsNamed) {
  std::string text = bytes_of("MANIFEST");
  text = text.substr(0, text.rfind("crc "));
  const std::size_t at = text.find("collection 1\n");
  text.replace(at, 13, "collection 2\n");
  char line[16];
  std::snprintf(line, sizeof line, "crc %08x\n", crc_of(text));
  write("c/MANIFEST", text + line);
  expect_refused("use a newer twinsift", every_and_repair());
}

TEST_F(BadCollection, ANewerFileIsNamed) {
  for (const std::string& name : names()) {
    if (name == "MANIFEST") continue;
    SCOPED_TRACE(name);
    restore();
    write("c/" + name, with_version(bytes_of(name), 2));
    expect_refused("version 2, and this twinsift reads version 1", every());
    // A segment can be made again; a data file cannot.
    if (name.starts_with("data-")) {
      expect_refused("use a newer twinsift", {{"index", "repair"}});
    } else {
      expect_c({"index", "repair"}, 0);
      EXPECT_EQ(groups(), groups_);
    }
  }
}

TEST_F(BadCollection, TheOtherByteOrderIsNamed) {
  for (const std::string& name : names()) {
    if (name == "MANIFEST") continue;
    SCOPED_TRACE(name);
    restore();
    write("c/" + name, with_version(bytes_of(name), 1, true));
    expect_refused("make the collection again on this one", every());
  }
}

// Damage is refused by whoever meets it and always by verify; after repair everything is found.
TEST_F(BadCollection, TruncationAndFlippedBytesAreRefusedAndRepaired) {
  const auto check = [&](const std::string& name, const std::string& bytes) {
    restore();
    write("c/" + name, bytes);
    const Files before = files_in("c");
    const Outcome verified = with_c({"index", "verify"});
    EXPECT_EQ(verified.status, 6) << verified.out;
    EXPECT_TRUE(contains(verified.out, "c/")) << verified.out;
    EXPECT_TRUE(contains(verified.err, "'twinsift index repair --index c'")) << verified.err;
    EXPECT_EQ(files_in("c"), before);
    // The damaged part may not be needed.
    for (const Words& words : {Words{"query", "d/a.txt"}, Words{"find", "d", "--json"}}) {
      const Outcome outcome = with_c(words);
      EXPECT_TRUE(outcome.status == 0 || outcome.status == 6) << outcome.status << outcome.err;
      if (outcome.status == 6) {
        EXPECT_TRUE(contains(outcome.err, "'twinsift index repair --index c'")) << outcome.err;
      } else if (words[0] == "find") {
        EXPECT_EQ(groups_of(outcome), groups_);
      }
    }
    expect_c({"index", "repair"}, 0);
    expect_c({"index", "verify"}, 0);
    EXPECT_EQ(groups(), groups_);
  };
  for (const std::string& name : names()) {
    const std::string& bytes = bytes_of(name);
    // The last 32 bytes of a data file are a mark that everything before it was on the disk;
    // without it nothing is missing.
    for (const std::size_t size : {std::size_t{0}, bytes.size() - 40}) {
      SCOPED_TRACE(name + " cut to " + std::to_string(size));
      check(name, bytes.substr(0, size));
    }
    for (const std::size_t at : {bytes.size() / 3, bytes.size() - 40}) {
      SCOPED_TRACE(name + " byte " + std::to_string(at));
      std::string flipped = bytes;
      flipped[at] = static_cast<char>(flipped[at] ^ 0x10);
      check(name, flipped);
    }
  }
}

TEST_F(BadCollection, AMissingManifestIsDamage) {
  fs::remove(folder / "c/MANIFEST");
  expect_refused("c: its MANIFEST is missing; 'twinsift index repair --index c'", every());
  expect_c({"index", "repair"}, 0);
  EXPECT_EQ(groups(), groups_);
}

TEST_F(BadCollection, AMissingFileIsDamage) {
  for (const std::string& name : names()) {
    if (name == "MANIFEST") continue;
    SCOPED_TRACE(name);
    restore();
    fs::remove(folder / "c/" + name);
    expect_refused(name + ": is missing", every());
    expect_c({"index", "repair"}, 0);
    EXPECT_EQ(groups(), groups_);
  }
}

// A folder of somebody else's is not taken for a collection, and nothing is put into it.
TEST_F(BadCollection, AFolderThatIsNoneIsLeftAlone) {
  fs::remove_all(folder / "c");
  write("c/letter.txt", "dear");
  const auto before = things();
  expect_refused("c: is no collection, and not empty either; name ", every_and_repair());
  EXPECT_EQ(things(), before);
}

TEST_F(BadCollection, AFileIsNoFolder) {
  fs::remove_all(folder / "c");
  write("c", "dear");
  const auto before = things();
  for (const Words& words : every_and_repair()) {
    SCOPED_TRACE(words[0] + " " + words[1]);
    expect_c(words, 6, {"c: is a file, and a collection is a folder; name "});
  }
  EXPECT_EQ(things(), before);
  EXPECT_EQ(folder.read("c"), "dear");
  fs::remove(folder / "c");
  restore();
}

// -- taken --

TEST_F(BadCollection, WhileSomebodyWritesOthersReadAndFindGoesOn) {
  const int lock = open((folder / "c/LOCK").c_str(), O_RDWR | O_CREAT, 0600);
  ASSERT_EQ(flock(lock, LOCK_EX | LOCK_NB), 0);
  ASSERT_EQ(ftruncate(lock, 0), 0);
  ASSERT_EQ(pwrite(lock, "4711\n", 5, 0), 5);
  std::vector<Words> writers = kWriting;
  writers.push_back({"index", "repair"});
  expect_refused("process 4711 is writing it; wait until that has ended", writers);
  for (const Words& words : kReading) expect_c(words, 0);
  const Outcome found = with_c({"find", "d", "--json"});
  EXPECT_EQ(found.status, 0) << found.err;
  EXPECT_TRUE(contains(found.err, "this run will not be remembered: c: process 4711")) << found.err;
  EXPECT_EQ(groups_of(found), groups_);
  close(lock);
}

TEST_F(BadCollection, ADeadProcessDoesNotStandInTheWay) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t writer = fork();
  if (writer == 0) {
    const int lock = open((folder / "c/LOCK").c_str(), O_RDWR | O_CREAT, 0600);
    const std::string number = std::to_string(getpid());
    const bool locked = flock(lock, LOCK_EX | LOCK_NB) == 0 &&
                        ::write(lock, number.data(), number.size()) > 0 &&
                        ::write(ready[1], "x", 1) == 1;
    if (locked) pause();
    _exit(1);
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  expect_c({"index", "compact"}, 6, {"process " + std::to_string(writer)});
  kill(writer, SIGKILL);
  waitpid(writer, nullptr, 0);
  for (const Words& words : every_and_repair()) expect_c(words, 0);
  close(ready[0]);
  close(ready[1]);
}

// -- not the collection's fault --

TEST_F(BadCollection, AnItemThatCannotBeReadIsNotTheCollectionsFault) {
  write("broken.pdf", "%PDF-1.7\nthis is no document");
  expect_c({"query", "broken.pdf"}, 2, {"broken.pdf"});
  expect_c({"query", "d"}, 2, {"d: "});
  expect_c({"query", "d/a.txt", "--features", "tfidf"}, 2, {"cannot weigh"});
  write("report", "{\"nonsense\": ");
  expect_c({"find", "--import", "report"}, 2, {"report"});
  expect_c({"index", "mark", "d", "d/a.txt", "--as", "related"}, 2, {"d: "});
}

}  // namespace
}  // namespace twinsift::cli
