// SPDX-License-Identifier: Apache-2.0
// A small collection for the tests of what can be wrong with one, and all commands that use it.
#pragma once

#include <fstream>

#include <simdjson.h>

#include "command.h"

namespace twinsift::cli {

namespace fs = std::filesystem;

class BadCollection : public CommandTest {
 protected:
  using Files = std::map<std::string, std::string>;  // content by path

  BadCollection() {
    const std::string text = random_text(1, 200);
    write("d/a.txt", text + " and the longest of them");
    write("d/b.txt", text);
    write("d/sub/c.txt", with_change(text, 100));
    write("d/other.txt", random_text(2, 200));
    usleep(50'000);  // so that they are known to be unchanged
    groups_ = groups();
    mine_ = files_in("d");
    collection_ = files_in("c");
  }
  // Nobody's files are ever touched.
  void TearDown() override { EXPECT_EQ(files_in("d"), mine_); }

  [[nodiscard]] Files files_in(const std::string& name) const {
    Files files;
    for (const auto& entry : fs::recursive_directory_iterator(folder / name)) {
      if (entry.is_regular_file()) files[entry.path().string()] = read_file(entry.path());
    }
    files.erase(folder / "c/LOCK");  // whoever looks writes its number into it
    return files;
  }
  void restore() const {
    fs::remove_all(folder / "c");
    fs::create_directory(folder / "c");
    for (const auto& [path, bytes] : collection_) std::ofstream(path, std::ios::binary) << bytes;
  }
  // MANIFEST, data-0000000001, seg-0000000002.
  [[nodiscard]] Words names() const {
    Words names;
    for (const auto& [path, bytes] : collection_) names.push_back(fs::path(path).filename());
    return names;
  }
  [[nodiscard]] const std::string& bytes_of(const std::string& name) const {
    return collection_.at(folder / "c/" + name);
  }

  [[nodiscard]] Outcome with_c(Words words) const {
    words.insert(words.end(), {"--index", "c"});
    return run(words);
  }
  void expect_c(const Words& words, int status, const Words& parts = {}) const {
    Words all = words;
    all.insert(all.end(), {"--index", "c"});
    expect(all, status, parts);
  }
  [[nodiscard]] static std::string groups_of(const Outcome& outcome) {
    simdjson::dom::parser parser;
    simdjson::dom::element report;
    if (parser.parse(simdjson::padded_string(outcome.out)).get(report)) return outcome.out;
    return simdjson::minify(report["groups"]);
  }
  [[nodiscard]] std::string groups() const {
    const Outcome outcome = with_c({"find", "d", "--json"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return groups_of(outcome);
  }

  // Every command refuses it with this sentence, and nothing of it is changed.
  void expect_refused(const std::string& part, const std::vector<Words>& commands) const {
    const Files before = files_in("c");
    for (const Words& words : commands) {
      SCOPED_TRACE(words[0] + " " + words[1]);
      const Outcome outcome = with_c(words);
      EXPECT_EQ(outcome.status, 6) << outcome.err << outcome.out;
      EXPECT_TRUE(contains(outcome.err + outcome.out, part)) << outcome.err << outcome.out;
      EXPECT_EQ(files_in("c"), before);
    }
  }

  inline static const std::vector<Words> kReading = {
      {"query", "d/a.txt"}, {"index", "stat"}, {"index", "verify"}};
  inline static const std::vector<Words> kWriting = {
      {"index", "add", "d"},
      {"index", "remove", "d/sub"},
      {"index", "compact"},
      {"index", "mark", "d/a.txt", "d/b.txt", "--as", "related"}};
  // All but repair, which may have another answer.
  [[nodiscard]] static std::vector<Words> every() {
    std::vector<Words> all = {{"find", "d"}};
    all.insert(all.end(), kReading.begin(), kReading.end());
    all.insert(all.end(), kWriting.begin(), kWriting.end());
    return all;
  }
  [[nodiscard]] static std::vector<Words> every_and_repair() {
    std::vector<Words> all = every();
    all.push_back({"index", "repair"});
    return all;
  }

  std::string groups_;
  Files mine_;
  Files collection_;
};

}  // namespace twinsift::cli
