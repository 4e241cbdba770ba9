// SPDX-License-Identifier: Apache-2.0
// twinsift compare on pairs of files.
#include <simdjson.h>
#include <sys/stat.h>

#include "command.h"
#include "documents.h"

namespace twinsift::cli {
namespace {

class Compare : public CommandTest {
 protected:
  simdjson::dom::element json(const std::string& a, const std::string& b) {
    const Outcome outcome = expect({"compare", a, b, "--explain", "--json"}, 0);
    return parser_.parse(simdjson::padded_string(outcome.out));
  }

  // The text that a passage claims to be in, cut where it says.
  static std::string cut(simdjson::dom::element text, simdjson::dom::element span) {
    return std::string(
        std::string_view(text).substr(std::uint64_t(span.at(0)), std::uint64_t(span.at(1))));
  }

  const std::string text = random_text(1, 200);
  simdjson::dom::parser parser_;
};

TEST_F(Compare, EqualBytesAreIdenticalWhateverTheyAre) {
  const std::vector<std::string> contents = {text, "tiny", "", std::string("\0\1\2", 3),
                                             "%PDF-1.4\nnonsense"};
  for (const std::string& content : contents) {
    write("a", content);
    write("b", content);
    EXPECT_TRUE(contains(expect({"compare", "a", "b"}, 0).out, "1.0000 (identical bytes)"));
    EXPECT_TRUE(contains(expect({"compare", "a", "b", "--explain"}, 0).out, "1.0000"));
    expect({"compare", "a", "b", "--exit-code"}, 1);
  }
}

TEST_F(Compare, TheScoreIsTheJaccardSimilarityOfTheRunsOfWords) {
  write("a", text);
  write("b", with_change(text, 100));  // 5 of 196 runs of five words are not the same
  const auto result = json("a", "b");
  EXPECT_NEAR(double(result["score"]), 191.0 / 201, 1e-6);
  EXPECT_FALSE(bool(result["identical"]));
  expect({"compare", "a", "b", "--exit-code"}, 1);
  expect({"compare", "a", "b", "--exit-code", "--threshold", "0.96"}, 0);
}

// The same words in another order share no run of five words, but they are about the same things.
TEST_F(Compare, TermsAreAlikeInAnyOrder) {
  write("a", "Foxes hunt geese beside rivers while millers grind barley, wheat and oats.");
  write("b", "While the millers grind oats, wheat and barley, foxes hunt geese beside a river.");
  EXPECT_TRUE(contains(expect({"compare", "a", "b"}, 0).out, "similarity   0.0000"));
  for (const char* features : {"terms", "tfidf", "tfidf:smooth"}) {
    const Outcome outcome = expect({"compare", "a", "b", "--features", features}, 0);
    EXPECT_TRUE(contains(outcome.out, "similarity   1.0000")) << features << outcome.out;
  }
  expect({"compare", "a", "b", "--features", "tfidf:bad"}, 2, {"tfidf:bad"});
}

TEST_F(Compare, DifferentTextsAndDifferentMediaHaveNothingInCommon) {
  write("a", text);
  write("b", random_text(2, 200));
  write("c", std::string("\0\1\2", 3) + text);
  for (const char* other : {"b", "c"}) {
    EXPECT_TRUE(contains(expect({"compare", "a", other, "--exit-code"}, 0).out, "0.0000"));
  }
}

TEST_F(Compare, PassagesAreCutAtTheRightBytes) {
  const std::string shared =
      "\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x9A\x80 na\xC3\xAFve e\xCC\x81t\xC3\xA9 "
      "\xE6\xBC\xA2\xE5\xAD\x97\xE3\x81\xA8\xE4\xBB\xAE\xE5\x90\x8D one two three four five "
      "six seven eight nine ten";
  write("a",
        "\xF0\x9F\x98\x80\xF0\x9F\x98\x80 vor\xCC\x88"
        "an anders " +
            shared + " \xE2\x82\xAC Ende");
  write("b", "\xE4\xB8\xAD\xE6\x96\x87 different start \xF0\x9F\x8E\x89 " + shared);
  const auto result = json("a", "b");
  const auto passages = simdjson::dom::array(result["evidence"]["passages"]);
  ASSERT_GE(passages.size(), 1U);
  std::string all;
  for (const auto passage : passages) {
    const std::string in_a = cut(result["text_a"], passage["a"]);
    EXPECT_EQ(in_a, cut(result["text_b"], passage["b"]));
    all += in_a;
  }
  EXPECT_TRUE(contains(all, shared.substr(shared.find("na"), 60))) << all;
  EXPECT_FALSE(contains(all, "anders"));
}

TEST_F(Compare, FormatsAreComparedByTheirText) {
  write("plain.txt", text);
  write("page.html", "<html><body><script>not this</script><b>" + text + "</b></body></html>");
  write("letter.docx", docx_of(text));
  write("letter.rtf", rtf_of(text));
  write("letter.pdf", pdf_of(text));
  for (const char* other : {"page.html", "letter.docx", "letter.rtf", "letter.pdf"}) {
    EXPECT_EQ(double(json("plain.txt", other)["score"]), 1.0) << other;
  }
  const std::string html = expect({"compare", "plain.txt", "page.html", "--format", "html"}, 0).out;
  EXPECT_TRUE(contains(html, "<mark class=\"c0\""));
}

TEST_F(Compare, WhatIsNoFileIsAnErrorAndNeverAHang) {
  write("a", text);
  write("broken.pdf", "%PDF-1.4\nnonsense");
  std::filesystem::create_directory(folder.path() / "folder");
  ASSERT_EQ(mkfifo((folder.path() / "fifo").c_str(), 0600), 0);
  expect({"compare", "a", "missing"}, 2, {"missing"});
  expect({"compare", "a", "folder"}, 2, {"folder: not a regular file"});
  expect({"compare", "fifo", "a"}, 2, {"fifo"});
  expect({"compare", "a", "/dev/null"}, 2, {"/dev/null"});
  expect({"compare", "a", "broken.pdf"}, 2, {"broken.pdf: damaged PDF"});
  expect({"compare", "a"}, 2);
  expect({"compare", "a", "a", "-o", "a"}, 4, {"refused"});
}

TEST_F(Compare, NamesCannotSteerTheTerminal) {
  write("\x1b[31mred", text);
  const Outcome same = expect({"compare", "\x1b[31mred", "\x1b[31mred"}, 0);
  const Outcome missing = expect({"compare", "\x1b[31mred", "\x1b]0;title\x07"}, 2, {"\\x1b]0;"});
  EXPECT_FALSE(contains(same.out + missing.err, "\x1b"));
}

}  // namespace
}  // namespace twinsift::cli
