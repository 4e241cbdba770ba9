// SPDX-License-Identifier: Apache-2.0
#include "ingest/csv.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace twinsift {
namespace {

using Strings = std::vector<std::string>;

Strings split_into(std::string_view bytes, bool at_end = true, std::size_t line_bytes = 0) {
  std::vector<std::uint32_t> ends;
  split_csv(bytes, ',', line_bytes, at_end, ends);
  Strings records;
  std::uint32_t begin = 0;
  for (const std::uint32_t end : ends) {
    records.emplace_back(bytes.substr(begin, end - begin));
    begin = end;
  }
  return records;
}

// "text|id" of a record of the columns a, text, id; or what is wrong with it.
std::string parse(std::string record) {
  const auto layout = read_csv_header("a,text,id\n", ',', "text", "id");
  const auto format = make_csv_format(*layout);
  const std::size_t size = record.size();
  record.append(kPadding, '"');
  Document document;
  std::string reason;
  switch (format->parse(std::string_view(record).substr(0, size), document, reason)) {
    case Outcome::kBlank:
      return "blank";
    case Outcome::kMalformed:
      return reason;
    default:
      return std::string(document.text) + "|" + std::string(document.id) +
             (document.repaired ? "|repaired" : "");
  }
}

TEST(Csv, RecordsAreCutAtNewlinesOutsideQuotes) {
  EXPECT_EQ(split_into("a,b\nc\r\nd"), (Strings{"a,b\n", "c\r\n", "d"}));
  EXPECT_EQ(split_into("\"a\nb\",\"c\"\"\n\"\nd\n"), (Strings{"\"a\nb\",\"c\"\"\n\"\n", "d\n"}));
  EXPECT_EQ(split_into("a\"b\nc,d\"\n\n"), (Strings{"a\"b\n", "c,d\"\n", "\n"}));
  EXPECT_EQ(split_into(""), Strings{});
}

TEST(Csv, UnfinishedRecordsAreLeftForLater) {
  EXPECT_EQ(split_into("a\nb", false), Strings{"a\n"});
  EXPECT_EQ(split_into("a\n\"b\"", false), Strings{"a\n"});
  EXPECT_EQ(split_into("a\n\"b\n", false), Strings{"a\n"});
  EXPECT_EQ(split_into("a\n\"b\nc\n", true), Strings{"a\n"});
}

TEST(Csv, LineModeIgnoresQuotes) {
  EXPECT_EQ(split_into("\"a\nb\n\"c\nd\"\n", true, 4), (Strings{"\"a\n", "b\n", "\"c\nd\"\n"}));
}

TEST(Csv, FieldsAreUnquoted) {
  EXPECT_EQ(parse("1,two,3\n"), "two|\"3\"");
  EXPECT_EQ(parse("1,\"tw,o\n\"\"x\"\"\",\"3\"\r\n"), "tw,o\n\"x\"|\"3\"");
  EXPECT_EQ(parse("\"\",\"\",\"\"\"\""), "|\"\\\"\"");
  EXPECT_EQ(parse(",,\n"), "|\"\"");
  EXPECT_EQ(parse("1,5\" disk, \"x\"\n"), "5\" disk|\" \\\"x\\\"\"");
  EXPECT_EQ(parse("1,a\rb,c\r\n"), "a\rb|\"c\"");
}

TEST(Csv, BlankLinesAreNoRecords) {
  EXPECT_EQ(parse("\n"), "blank");
  EXPECT_EQ(parse("\r\n"), "blank");
}

TEST(Csv, BrokenRecordsAreMalformedWithTheReason) {
  EXPECT_EQ(parse("1,2\n"), "2 columns instead of 3");
  EXPECT_EQ(parse("1,2,3,4\n"), "4 columns instead of 3");
  EXPECT_EQ(parse("1,\"2\"x,3\n"), "text after a closing quote");
  EXPECT_EQ(parse("1,2,\"3\n"), "a quoted field is not closed");
  EXPECT_EQ(parse("\""), "a quoted field is not closed");
}

TEST(Csv, InvalidUtf8IsReadAsReplacementCharacters) {
  EXPECT_EQ(parse("1,a\xFF,3\n"), "a\uFFFD|\"3\"|repaired");
  EXPECT_EQ(parse("1,\"\"\"\xFF\",3\n"), "\"\uFFFD|\"3\"|repaired");
  EXPECT_EQ(parse("1,a,\xFF\n"), "a|\"\uFFFD\"|repaired");
}

TEST(Csv, ColumnsAreFoundByName) {
  const auto layout =
      read_csv_header("\"my id\",x,\"a \"\"text\"\"\"\r\n", ',', "a \"text\"", "my id");
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->columns, 3U);
  EXPECT_EQ(layout->text_column, 2U);
  EXPECT_EQ(layout->id_column, 0U);
}

TEST(Csv, MissingColumnsAreErrorsThatNameTheOthers) {
  const auto no_text = read_csv_header("a,b\n", ',', "text", "");
  ASSERT_FALSE(no_text);
  EXPECT_EQ(no_text.error().message, "no column \"text\" in the header (a, b)");
  EXPECT_FALSE(read_csv_header("a,text\n", ',', "text", "id"));
  EXPECT_FALSE(read_csv_header("\"a\"b,text\n", ',', "text", ""));
}

TEST(Csv, TabsDelimitWhereThereAreNoCommas) {
  EXPECT_EQ(csv_delimiter("a\tb"), '\t');
  EXPECT_EQ(csv_delimiter("a\tb,c"), ',');
  EXPECT_EQ(csv_delimiter("a"), ',');
}

// Any table, written with every field quoted, is cut into its rows and read back.
RC_GTEST_PROP(Csv, TablesSurviveBeingWrittenAndRead, ()) {
  const auto cell = rc::gen::container<std::string>(rc::gen::element('a', ',', '"', '\n', '\r'));
  const auto texts = *rc::gen::container<Strings>(cell);
  std::string table;
  for (const std::string& text : texts) {
    table += "1,\"";
    for (const char c : text) table += c == '"' ? std::string("\"\"") : std::string(1, c);
    table += "\",3\n";
  }
  const Strings records = split_into(table);
  RC_ASSERT(records.size() == texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i)
    RC_ASSERT(parse(records[i]) == texts[i] + "|\"3\"");
}

}  // namespace
}  // namespace twinsift
