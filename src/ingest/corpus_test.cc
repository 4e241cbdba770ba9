// SPDX-License-Identifier: Apache-2.0
#include "ingest/corpus.h"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include "base/compress.h"
#include "base/test_dir.h"

namespace twinsift {
namespace {

using Strings = std::vector<std::string>;

// Everything a corpus has to say, one line each: "3@17 ID TEXT" for a document, "3! REASON"
// for a malformed record, and "error MESSAGE" at the end if there was one.
Strings read_rest(CorpusReader& reader, std::string* raws = nullptr) {
  RecordParser parser(reader);
  Block block;
  Strings said;
  for (;;) {
    const auto more = reader.next(block);
    if (!more) said.push_back("error " + more.error().message);
    if (!more || !*more) return said;
    parser.parse(
        block,
        [&](const Document& document) {
          said.push_back(std::to_string(document.record) + "@" + std::to_string(document.offset) +
                         " " + std::string(document.id) + " " + std::string(document.text) +
                         (document.repaired ? " repaired" : ""));
          if (raws != nullptr) raws->append(document.raw);
        },
        [&](std::uint64_t record, std::string_view reason) {
          said.push_back(std::to_string(record) + "! " + std::string(reason));
        });
  }
}

Strings read_corpus(const std::string& path, const CorpusOptions& options = {}) {
  auto reader = CorpusReader::open(path, options);
  if (!reader) return {"error " + reader.error().message};
  return read_rest(*reader);
}

std::string many_lines(int n) {
  std::string lines;
  for (int i = 0; i < n; ++i) {
    lines += "{\"id\":" + std::to_string(i) + ",\"text\":\"" +
             std::string(static_cast<std::size_t>(i % 50), 'x') + std::to_string(i) + "\"}\n";
  }
  return lines;
}

std::string compressed(std::string_view text, std::string_view suffix) {
  std::string out;
  EXPECT_TRUE(make_encoder_for(suffix)->encode(text, true, out));
  return out;
}

TEST(Corpus, JsonlRecordsAreLines) {
  const TestDir dir;
  const std::string path =
      dir.write("x", "\xEF\xBB\xBF{\"text\":\"a\"}\r\n\nbad\n{\"text\":\"\xFF\"}");
  EXPECT_EQ(read_corpus(path), (Strings{"0@3 0 a", "2! not valid JSON", "3@22 3 \uFFFD repaired"}));
}

TEST(Corpus, CsvRecordsAreDataRowsAndComplaintsNameTheLine) {
  const TestDir dir;
  const std::string path = dir.write("x", "id,\"te\nxt\"\n1,a\n\n2,\"b\nc\"\n3\n4,\"d\"e\n5,f\n");
  CorpusOptions options;
  options.format = "csv";
  options.text_field = "te\nxt";
  auto reader = CorpusReader::open(path, options);
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->header(), "id,\"te\nxt\"\n");
  EXPECT_EQ(read_rest(*reader),
            (Strings{"0@11 0 a", "2@16 2 b\nc", "3! line 7: 1 columns instead of 2",
                     "4! line 8: text after a closing quote", "5@33 5 f"}));
}

TEST(Corpus, FormatIsToldByTheContent) {
  const TestDir dir;
  EXPECT_EQ(read_corpus(dir.write("a.csv", " \n{\"text\":\"a\"}\n")), Strings{"1@2 1 a"});
  EXPECT_EQ(read_corpus(dir.write("a.jsonl", "text,x\na,b\n")), Strings{"0@7 0 a"});
  EXPECT_EQ(read_corpus(dir.write("a.txt", "x\ttext\na,b\tc\n")), Strings{"0@7 0 c"});
  EXPECT_EQ(read_corpus(dir.write("a.tsv", "x,y\ttext\na,b\tc\n")), Strings{"0@9 0 c"});
  EXPECT_EQ(read_corpus(dir.write("a.tsv.gz", compressed("x,y\ttext\na,b\tc\n", ".gz"))),
            Strings{"0@9 0 c"});
  EXPECT_EQ(read_corpus(dir.write("empty", "")), Strings{});
  EXPECT_EQ(read_corpus(dir.write("blank", "\n\n")), Strings{});
}

TEST(Corpus, UnknownContentIsAnErrorThatSaysWhatToDo) {
  const TestDir dir;
  EXPECT_EQ(read_corpus(dir.write("x", "once upon, a time\n")),
            Strings{"error " + dir / "x" +
                    ": looks neither like JSONL, because it does not begin with '{', nor like CSV: "
                    "no column \"text\" in the header (once upon,  a time); say which with "
                    "--input-format and --text-field"});
  CorpusOptions options;
  options.format = "xml";
  EXPECT_EQ(
      read_corpus(dir / "x", options),
      Strings{"error " + dir / "x" + ": there is no corpus format \"xml\", only jsonl and csv"});
  options.format = "csv";
  EXPECT_EQ(read_corpus(dir.write("e", ""), options),
            Strings{"error " + dir / "e" + ": no CSV header row in the first MiB"});
  options.format = "jsonl";
  EXPECT_EQ(read_corpus(dir / "x", options), Strings{"0! not valid JSON"});
  options.text_field = "/~9";
  EXPECT_EQ(read_corpus(dir / "x", options),
            Strings{"error " + dir / "x" + ": \"/~9\" is no JSON pointer"});
}

TEST(Corpus, RawRecordsAreTheInputByteForByte) {
  const TestDir dir;
  const std::string lines = many_lines(1000) + "{\"text\":\"\"}\r\n{\"text\":\"\xFF\"}";
  for (const std::size_t block_size : {1U, 100U, 4096U, 1U << 20U}) {
    CorpusOptions options;
    options.block_size = block_size;
    auto reader = CorpusReader::open(dir.write("x", lines), options);
    ASSERT_TRUE(reader);
    std::string raws;
    read_rest(*reader, &raws);
    EXPECT_EQ(raws, lines);
  }
}

// PROPERTY: where the blocks are cut, and how the input is compressed, changes nothing.
void expect_same_for_all_blocks(const std::string& bytes, CorpusOptions options) {
  const TestDir dir;
  const Strings expected = read_corpus(dir.write("x", bytes), options);
  dir.write("z", compressed(bytes, ".zst"));
  for (const std::size_t block_size : {1U, 2U, 3U, 7U, 16U, 64U}) {
    options.block_size = block_size;
    RC_ASSERT(read_corpus(dir / "x", options) == expected);
    RC_ASSERT(read_corpus(dir / "z", options) == expected);
  }
}

RC_GTEST_PROP(Corpus, BlocksDoNotMatterForJsonl, ()) {
  const auto lines = *rc::gen::container<Strings>(rc::gen::element<std::string>(
      "\n", "{\"text\":\"a\"}\n", "\r\n", "{\"text\":\"bcdefghijklmnop\"}\r\n", "{", "\"", "x\n",
      "\xFF", std::string(1, '\0')));
  std::string bytes;
  for (const std::string& line : lines) bytes += line;
  CorpusOptions options;
  options.format = "jsonl";
  options.max_record = 30;
  expect_same_for_all_blocks(bytes, options);
}

RC_GTEST_PROP(Corpus, BlocksDoNotMatterForCsv, ()) {
  const auto parts = *rc::gen::container<Strings>(rc::gen::element<std::string>(
      "a", ",", "\n", "\"", "\"\"", ",\"", "\",", "\r\n", "1,b\n", "2,\"c\nd\"\n", "\xFF"));
  std::string bytes = "id,text\n";
  for (const std::string& part : parts) bytes += part;
  CorpusOptions options;
  options.format = "csv";
  options.max_record = 25;
  expect_same_for_all_blocks(bytes, options);
}

TEST(Corpus, TenMegabytesOnOneLineAreADocument) {
  const TestDir dir;
  const std::string text(10'000'000, 'x');
  const std::string path =
      dir.write("x", "{\"text\":\"a\"}\n{\"text\":\"" + text + "\"}\n{\"text\":\"b\"}\n");
  EXPECT_EQ(read_corpus(path), (Strings{"0@0 0 a", "1@13 1 " + text, "2@10000025 2 b"}));
}

TEST(Corpus, RecordsLongerThanTheLimitArePassedOver) {
  const TestDir dir;
  CorpusOptions options;
  options.max_record = 100;
  const std::string longest(5000, 'x');
  EXPECT_EQ(read_corpus(dir.write("a", "{\"text\":\"a\"}\n{\"text\":\"" + longest +
                                           "\"}\n{\"text\":\"b\"}\n{\"text\":\"" + longest),
                        options),
            (Strings{"0@0 0 a", "1! too long", "2@5025 2 b", "3! too long"}));
  EXPECT_EQ(read_corpus(dir.write("b", "text\na\n\"" + longest + "\"\nb\n"), options),
            (Strings{"0@5 0 a", "1! line 3: too long", "2@5010 2 b"}));
}

TEST(Corpus, AnOpenQuoteCostsItsLineOnly) {
  const TestDir dir;
  EXPECT_EQ(
      read_corpus(dir.write("a", "id,text\n1,a\n2,\"b\n3,c\n4,d")),
      (Strings{"0@8 0 a", "1! line 3: a quoted field is not closed", "2@17 2 c", "3@21 3 d"}));
  CorpusOptions options;
  options.max_record = 20;
  const std::string rows = "3,ccc\n4,ddd\n5,eee\n6,fff\n";
  const Strings said =
      read_corpus(dir.write("b", "id,text\n2,\"b\n" + rows + "7,\"g\nh\"\n"), options);
  EXPECT_EQ(said, (Strings{"0! line 2: a quoted field is not closed", "1@13 1 ccc", "2@19 2 ddd",
                           "3@25 3 eee", "4@31 4 fff", "5@37 5 g\nh"}));
}

// Each of these lines leaves a quote open wherever one begins to read; a reader that tried
// again at each of them would need a day for this file.
TEST(Corpus, OpenQuotesEverywhereCostLinearTime) {
  const TestDir dir;
  std::string bytes = "id,text\n";
  for (int i = 0; i < 300'000; ++i) bytes += "a\",\"b\n";
  const Strings said = read_corpus(dir.write("x", bytes));
  EXPECT_EQ(said.size(), 300'000U);
  EXPECT_EQ(said.back(), "299999! line 300001: a quoted field is not closed");
}

TEST(Corpus, DamageIsReportedAfterTheWholeRecordsBeforeIt) {
  const TestDir dir;
  const std::string lines = many_lines(20'000);
  for (const std::string_view suffix : {".gz", ".zst"}) {
    const std::string whole = compressed(lines, suffix);
    const std::string path = dir.write("x", whole.substr(0, whole.size() / 2));
    const Strings said = read_corpus(path);
    ASSERT_GT(said.size(), 5'000U);
    EXPECT_EQ(said.back(), "error " + path + ": the compressed data end too early");
    const Strings expected = read_corpus(dir.write("y", lines));
    EXPECT_TRUE(std::equal(said.begin(), said.end() - 1, expected.begin()));
    EXPECT_EQ(read_corpus(dir.write("z", whole.substr(0, 8))).size(), 1U);
  }
}

TEST(Corpus, RewindGivesTheSameAgain) {
  const TestDir dir;
  const std::string csv = "id,text\n1,a\n2,\"b\n\"\n3,c\n4,\"d\n";
  for (const std::string& bytes :
       {many_lines(3), csv, compressed(csv, ".gz"), compressed(many_lines(3), ".zst")}) {
    for (const bool spool : {false, true}) {
      CorpusOptions options;
      options.spool = spool;
      auto reader = CorpusReader::open(dir.write("x", bytes), options);
      ASSERT_TRUE(reader);
      const Strings first = read_rest(*reader);
      EXPECT_GE(first.size(), 3U);
      ASSERT_TRUE(reader->rewind());
      EXPECT_EQ(read_rest(*reader), first);
    }
  }
}

TEST(Corpus, StandardInputIsSpooled) {
  const TestDir dir;
  const std::string lines = many_lines(10);
  EXPECT_EQ(in_child([&] {
              int ends[2];
              if (::pipe(ends) != 0) return 1;
              if (::write(ends[1], lines.data(), lines.size()) < 0) return 2;
              ::close(ends[1]);
              ::dup2(ends[0], STDIN_FILENO);
              CorpusOptions options;
              options.spool = true;
              options.temp_dir = dir.path();
              auto reader = CorpusReader::open("-", options);
              if (!reader) return 3;
              const Strings first = read_rest(*reader);
              if (first.size() != 10 || !reader->rewind()) return 4;
              if (read_rest(*reader) != first) return 5;
              std::string again(lines.size() - 7, '\0');
              return reader->read_at(7, again) && again == lines.substr(7) ? 0 : 6;
            }),
            0);
}

TEST(Corpus, ManyThreadsReadAtAnyPlaceWhileTheInputIsReadOn) {
  const TestDir dir;
  const std::string lines = many_lines(20'000);
  for (const std::string& bytes : {lines, compressed(lines, ".zst")}) {
    CorpusOptions options;
    options.spool = true;
    options.block_size = 4096;
    auto reader = CorpusReader::open(dir.write("x", bytes), options);
    ASSERT_TRUE(reader);
    Block block;
    ASSERT_TRUE(reader->next(block));
    std::atomic<int> wrong = 0;
    {
      std::vector<std::jthread> threads;
      for (std::size_t t = 0; t < 4; ++t) {
        threads.emplace_back([&, t] {
          std::string piece(100, '\0');
          for (std::size_t i = 0; i < 2'000; ++i) {
            const std::size_t place = (i * 97 + t * 31) % 3'900;
            if (!reader->read_at(place, piece) || piece != lines.substr(place, 100)) ++wrong;
          }
        });
      }
      EXPECT_GT(read_rest(*reader).size(), 19'000U);
    }
    EXPECT_EQ(wrong, 0);
  }
}

TEST(Corpus, ASingleRecordCanBeReadAgain) {
  const TestDir dir;
  auto reader = CorpusReader::open(dir.write("x", many_lines(5)), {});
  ASSERT_TRUE(reader);
  RecordParser parser(*reader);
  const auto document = parser.parse_one("{\"text\":\"again\"}\n", 4);
  ASSERT_TRUE(document);
  EXPECT_EQ(document->text, "again");
  EXPECT_EQ(document->id, "4");
  EXPECT_EQ(document->raw, "{\"text\":\"again\"}\n");
  EXPECT_EQ(parser.parse_one("{\"text\":\"again\"", 4).error().message, "not valid JSON");
  EXPECT_EQ(parser.parse_one("\n", 4).error().message, "blank");
}

}  // namespace
}  // namespace twinsift
