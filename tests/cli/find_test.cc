// SPDX-License-Identifier: Apache-2.0
// twinsift find on small trees of files.
#include <algorithm>
#include <set>

#include "documents.h"
#include "usual_files.h"

namespace twinsift::cli {
namespace {

using std::string_literals::operator""s;
class Find : public UsualFiles {
 protected:
  // The groups that the JSON report shows.
  Groups groups(Words words, int status = 0) {
    words.insert(words.begin(), "find");
    words.emplace_back("--json");
    const Outcome outcome = expect(words, status);
    report_ = parser_.parse(simdjson::padded_string(outcome.out));
    return groups_of(report_);
  }

  simdjson::dom::element report_;
};

const Groups kUsual = {{"d/sub/y.bin", "d/x.bin"}, {"d/a.txt", "d/b.txt", "d/sub/c.txt"}};

TEST_F(Find, ShowsCopiesOfAnyFileAndTextsThatAreNearlyTheSame) {
  write_usual();
  modified("d/sub/y.bin", 1000);
  EXPECT_EQ(groups({"d"}), kUsual);
}

TEST_F(Find, OneTextInManyCharsetsAndFormatsIsOneGroup) {
  const std::string words = "caf\xC3\xA9 " + text;
  std::string utf16 = "\xFF\xFE";
  for (const char c : "caf\xE9 " + text) utf16 += {c, '\0'};
  write("d/utf8.txt", words);
  write("d/latin1.txt", "caf\xE9 " + text);
  write("d/utf16.txt", utf16);
  write("d/page.html", "<html><body><p>caf&eacute; " + text + "</p></body></html>");
  write("d/letter.docx", docx_of(words));
  write("d/letter.rtf", rtf_of("caf\\'e9 " + text));
  write("d/letter.pdf", pdf_of("cafe " + text));
  const Groups found = groups({"d"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].size(), 7U);
  for (const auto pair : report_["groups"].at(0)["pairs"]) {
    EXPECT_GT(double(pair["score"]), 0.98);
    EXPECT_FALSE(bool(pair["identical"]));
  }
}

TEST_F(Find, EveryFormatDescribesTheSameGroups) {
  write_usual();
  modified("d/sub/y.bin", 1000);
  EXPECT_EQ(expect({"find", "d", "--format", "fdupes"}, 0).out,
            "d/sub/y.bin\nd/x.bin\n\nd/a.txt\nd/b.txt\nd/sub/c.txt\n");
  EXPECT_EQ(expect({"find", "d", "--format", "fdupes", "-0"}, 0).out,
            "d/sub/y.bin\0d/x.bin\0\0d/a.txt\0d/b.txt\0d/sub/c.txt\0\0"s);
  const std::string text_format = expect({"find", "d"}, 0).out;
  const std::string html = expect({"find", "d", "--format", "html"}, 0).out;
  const Words csv = lines_of(expect({"find", "d", "--format", "csv"}, 0).out);
  const Words ndjson = lines_of(expect({"find", "d", "--format", "ndjson"}, 0).out);
  ASSERT_EQ(csv.size(), 6U);
  std::size_t row = 1;
  std::size_t at = 0;
  std::size_t line = 1;
  for (std::size_t g = 0; g < kUsual.size(); ++g) {
    while (!contains(ndjson.at(line), R"("type":"group")")) ++line;
    for (const std::string& path : kUsual[g]) {
      const std::string role = path == kUsual[g][0] ? "keeper" : "duplicate";
      EXPECT_TRUE(contains(csv[row], "\"" + path + "\"") || contains(csv[row], "," + path + ","));
      EXPECT_TRUE(contains(csv[row], role));
      EXPECT_EQ(csv[row++].substr(0, 2), std::to_string(g + 1) + ",");
      EXPECT_TRUE(contains(ndjson[line], "\"path\":\"" + path + "\"")) << path;
      EXPECT_TRUE(contains(html, "\"path\":\"" + path + "\"")) << path;
      at = text_format.find(path + "\n", at);
      ASSERT_NE(at, std::string::npos) << path;
    }
    ++line;
  }
  EXPECT_TRUE(contains(text_format, "2 groups, 5 files"));
}

TEST_F(Find, NeverChangesAFile) {
  write_usual();
  write("d/broken.pdf", "%PDF-1.4\nnonsense");
  const auto state = [&] {
    std::string all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path())) {
      struct stat status {};
      stat(entry.path().c_str(), &status);
      all += entry.path().string() + " " + std::to_string(status.st_mtim.tv_nsec) + " " +
             std::to_string(status.st_ctim.tv_nsec) + " " + std::to_string(status.st_mode) + " " +
             (entry.is_regular_file() ? read_file(entry.path()) : "");
    }
    return all;
  };
  const std::string before = state();
  expect({"find", "d", "--format", "html", "--explain"}, 3);
  expect({"find", "d", "--ref", "d/sub", "--level", "similar"}, 3);
  EXPECT_EQ(state(), before);
}

TEST_F(Find, ReferencesAreKept) {
  write_usual();
  EXPECT_EQ(groups({"d", "--ref", "d/sub"}),
            (Groups{{"d/sub/y.bin", "d/x.bin"}, {"d/sub/c.txt", "d/a.txt", "d/b.txt"}}));
  write("ref/a.txt", text);
  write("ref/b.txt", text);
  EXPECT_EQ(groups({"d/other.txt", "--ref", "ref"}), Groups{}) << "only references";
  expect({"find", "d", "--ref", "ref/a.txt", "-o", "ref/a.txt"}, 4, {"refused"});
}

TEST_F(Find, CrossShowsOnlyWhatLiesBelowDifferentArguments) {
  write("a/1.txt", text);
  write("a/2.txt", with_change(text, 9));
  write("b/3.txt", with_change(text, 50));
  write("b/unique.txt", random_text(8, 100));
  write("b/unique2.txt", random_text(8, 100));
  const Groups found = groups({"a", "b", "--cross"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(std::ranges::find(found[0], "b/3.txt") != found[0].end());
  EXPECT_EQ(groups({"a", "b"}).size(), 2U);
}

TEST_F(Find, ExactThresholdAndLevelDecideWhatIsADuplicate) {
  write("d/a.txt", text);
  write("d/copy.txt", text);
  write("d/near.txt", with_change(text, 100));  // 191 of 201 shared
  write("d/half.txt", text.substr(0, text.size() / 2) + random_text(9, 10));
  modified("d/a.txt", 1000);
  EXPECT_EQ(groups({"d", "--exact"}), (Groups{{"d/a.txt", "d/copy.txt"}}));
  EXPECT_EQ(groups({"d", "--threshold", "0.99"}), (Groups{{"d/a.txt", "d/copy.txt"}}));
  EXPECT_EQ(groups({"d"})[0].size(), 3U);
  EXPECT_EQ(groups({"d", "--level", "similar"})[0].size(), 4U);
  EXPECT_EQ(groups({"d", "--level", "similar", "--threshold", "0.9"})[0].size(), 3U);
}

TEST_F(Find, SizesNamesAndExclusionsChooseFiles) {
  write_usual();
  EXPECT_EQ(groups({"d", "--name", "*.bin"}).size(), 1U);
  EXPECT_EQ(groups({"d", "--exclude", "*.bin"}).size(), 1U);
  EXPECT_EQ(groups({"d", "--exclude", "sub"}), (Groups{{"d/a.txt", "d/b.txt"}}));
  EXPECT_EQ(groups({"d", "--min-size", "2k"}).size(), 1U);
  EXPECT_EQ(groups({"d", "--max-size", "2k"}).size(), 1U);
  EXPECT_EQ(groups({"d", "--max-depth", "1"}), (Groups{{"d/a.txt", "d/b.txt"}}));
}

TEST_F(Find, ListsOfPathsComeFromAFile) {
  write_usual();
  write("list", std::string("d/a.txt\0d/sub/c.txt\0missing\0", 28));
  EXPECT_EQ(groups({"--files0-from", "list"}, 3), (Groups{{"d/a.txt", "d/sub/c.txt"}}));
}

TEST_F(Find, AFileIsNeverItsOwnDuplicate) {
  write("d/a.txt", text);
  write("d/z.txt", text);
  modified("d/a.txt", 1000);
  std::filesystem::create_hard_link(folder.path() / "d/a.txt", folder.path() / "d/link.txt");
  std::filesystem::create_directory_symlink(".", folder.path() / "d/loop");
  const Groups once = {{"d/a.txt", "d/z.txt"}};
  EXPECT_EQ(groups({"d", "./d", "d/a.txt", folder.path() / "d"}), once);
  EXPECT_EQ(groups({"d", "--follow-links"}), once);
  EXPECT_TRUE(contains(run({"find", "d"}).out, "already one file: d/link.txt"));
  std::filesystem::remove(folder.path() / "d/z.txt");
  EXPECT_EQ(groups({"d", "d"}), Groups{}) << "two names of one file";
}

TEST_F(Find, FoldersThatShareContentAreShown) {
  for (int i = 0; i < 5; ++i) {
    const std::string name = "/" + std::to_string(i);
    write("d/old" + name, random_text(static_cast<std::uint64_t>(20 + i), 50));
    write("d/copy" + name, random_text(static_cast<std::uint64_t>(20 + i), 50));
    write("d/large" + name, random_text(static_cast<std::uint64_t>(20 + i), 50));
    write("d/large/more" + name, random_text(static_cast<std::uint64_t>(40 + i), 50));
  }
  const std::string out = expect({"find", "d"}, 0).out;
  EXPECT_TRUE(contains(out, "d/copy/ and d/old/ hold the same")) << out;
  EXPECT_TRUE(contains(out, "is inside d/large/")) << out;
  EXPECT_FALSE(contains(expect({"find", "d", "--no-folders"}, 0).out, "Folders"));
}

TEST_F(Find, TheExitStatusTellsTheOutcome) {
  write_usual();
  expect({"find", "d"}, 0);
  expect({"find", "d", "--exit-code"}, 1);
  expect({"find", "d/other.txt", "--exit-code"}, 0);
  expect({"find", "d", "missing"}, 3, {"skipped missing: not found"});
  expect({"find"}, 2, {"PATH"});
  expect({"find", "d", "--threshold", "2"}, 2, {"threshold"});
}

TEST_F(Find, ThreadsMemoryAndTheOrderOfArgumentsDoNotChangeTheReport) {
  write_usual();
  const Words formats = {"fdupes", "csv", "text"};
  for (const std::string& format : formats) {
    const std::string one = run({"find", "d", "d/sub", "--format", format, "--threads", "1"}).out;
    EXPECT_FALSE(one.empty());
    for (const char* threads : {"2", "4"}) {
      Words other = {"find", "d/sub", "d", "--format", format, "--threads", threads};
      EXPECT_EQ(run(other).out, one);
      other.insert(other.end(), {"--memory", "1k"});
      EXPECT_EQ(run(other).out, one);
    }
  }
}

TEST_F(Find, EmptyAndTinyFilesAreNobodysNearDuplicates) {
  write("d/empty1", "");
  write("d/empty2", "");
  write("d/tiny1", "three little words");
  write("d/tiny2", "three little words\n");
  write("d/tiny3", "three little words");
  write("d/blank1", "  \n");
  write("d/blank2", "\n\n\n\n");
  EXPECT_EQ(groups({"d"}), (Groups{{"d/tiny1", "d/tiny3"}}));
  std::filesystem::create_directory(folder.path() / "none");
  EXPECT_TRUE(contains(expect({"find", "none"}, 0).out, "No duplicates among 0 files"));
  EXPECT_TRUE(contains(expect({"find", "d/tiny1"}, 0).out, "No duplicates among 1 file"));
}

TEST_F(Find, CandidatesCanBeFoundInAnyWay) {
  write_usual();
  write("e/3.txt", with_change(text, 50));
  for (const char* spec : {"auto", "banding1", "prefix1", "sortmerge1", "sortmerge1:max=20"}) {
    EXPECT_EQ(groups({"d", "--candidates", spec}), kUsual) << spec;
    const Groups references = groups({"d", "--ref", "d/sub", "--candidates", spec});
    EXPECT_EQ(references, groups({"d", "--ref", "d/sub"})) << spec;
    const Groups cross = groups({"d", "e", "--cross", "--candidates", spec});
    EXPECT_EQ(cross, groups({"d", "e", "--cross"})) << spec;
    EXPECT_FALSE(cross.empty());
    const Groups terms = groups({"d", "--features", "terms", "--candidates", spec});
    EXPECT_EQ(terms, groups({"d", "--features", "terms"})) << spec;
  }
  for (const char* spec : {"banding1", "sortmerge1"}) {
    EXPECT_EQ(groups({"d", "--features", "tfidf", "--candidates", spec}),
              groups({"d", "--features", "tfidf"}));
  }
  EXPECT_TRUE(contains(expect({"find", "d", "-v", "--candidates", "sortmerge1"}, 0).err,
                       "exact sort-merge join, P(found at 0.80) = 1"));
  expect({"find", "d", "--candidates", "prefix1", "--features", "tfidf"}, 2,
         {"prefix1 compares sets without weights"});
}

TEST_F(Find, AQuickRunSaysNothingButItsResult) {
  write_usual();
  EXPECT_EQ(run({"find", "d"}).err, "");
}

TEST_F(Find, AFileAppearsOnlyWithAWholeReport) {
  write_usual();
  write("report", "old");
  expect({"find", "d", "--features", "nonsense", "-o", "report"}, 2, {"nonsense"});
  EXPECT_EQ(folder.read("report"), "old");
  EXPECT_EQ(expect({"find", "d", "--json", "-o", "report"}, 0).out, "");
  EXPECT_EQ(folder.read("report").substr(0, 6), "{\"v\":1");
}

}  // namespace
}  // namespace twinsift::cli
