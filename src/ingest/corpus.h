// SPDX-License-Identifier: Apache-2.0
// Document corpora: JSONL and CSV, plain or compressed, from a file or standard input.
//
// A CorpusReader cuts the input into blocks of whole records; RecordParsers, one for each
// thread, make documents of them.  Broken records cost themselves only.
//
// Cost: about 0.2 ns a byte for the reader and 0.5 for the parser on plain JSONL.  Memory is a
// block (1 MiB, more for longer records) for each Block in use.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include "ingest/csv.h"
#include "ingest/record.h"
#include "ingest/stream.h"
#include "twinsift/result.h"

namespace twinsift {

enum class CorpusFormat : std::uint8_t { kJsonl, kCsv };

struct CorpusOptions {
  std::string format;               // "jsonl", "csv"; empty: by the content
  std::string text_field = "text";  // see jsonl.h; for CSV the name of a column
  std::string id_field;             // empty: documents are named by their record numbers
  std::string temp_dir;             // of the spool; empty: $TMPDIR or /tmp
  bool spool = false;               // make read_at() and rewind() work for every input
  std::size_t block_size = std::size_t{1} << 20U;
  std::stop_token stop;        // ends the wait for a pipe
  std::size_t max_record = 0;  // bytes; longer ones are malformed; 0: 1 GiB, CSV 64 MiB
};

// Sequential: one caller at a time, except read_at().
class CorpusReader {
 public:
  static Result<CorpusReader> open(const std::string& path, const CorpusOptions& options);

  // Fills `block` with the next records; false at the end.  Damaged compressed data fail once
  // all whole records before the damage have been given.
  Result<bool> next(Block& block);
  // Starts from the first record again.
  Status rewind();
  // Fills `out` with the uncompressed input from `offset` on.  Any number of threads.
  // Requires: a plain file, or options.spool.
  Status read_at(std::uint64_t offset, std::span<char> out) const {
    return source_->read_at(offset, out);
  }

  [[nodiscard]] CorpusFormat format() const { return format_; }
  // The header record of CSV with its newline, if it has one; empty for JSONL.
  [[nodiscard]] const std::string& header() const { return header_; }
  [[nodiscard]] std::unique_ptr<RecordFormat> make_format() const;

 private:
  CorpusReader() = default;
  Status read_head();
  Status detect();
  Status detect_csv(std::string_view head);
  void fill(Block& block, std::size_t want);
  void split(Block& block) const;
  void give_back(std::string_view bytes);
  Result<bool> deliver(Block& block);
  Result<bool> skip_record(Block& block);
  [[nodiscard]] bool at_end() const { return ended_ && pending_at_ == pending_.size(); }

  std::string name_;
  CorpusOptions options_;
  CorpusFormat format_ = CorpusFormat::kJsonl;
  CsvLayout layout_;
  std::string header_;
  std::unique_ptr<ByteSource> source_;
  std::uint64_t start_ = 0;       // where the records begin: behind byte-order mark and header
  bool ended_ = false;            // the source has nothing more to give
  std::optional<Error> failure_;  // because of this
  std::string pending_;           // read, but not yet given out
  std::size_t pending_at_ = 0;
  std::uint64_t offset_ = 0;  // of the next record
  std::uint64_t record_ = 0;
  std::uint64_t line_ = 0;
  std::uint64_t lines_until_ = 0;  // CSV records that begin before end with their line
};

// Not thread-safe: one for each thread and input.
class RecordParser {
 public:
  explicit RecordParser(const CorpusReader& reader);

  // Calls on_document(const Document&) or on_malformed(std::uint64_t record, std::string_view
  // reason) for each record in order; blank lines are passed over.
  template <class OnDocument, class OnMalformed>
  void parse(const Block& block, OnDocument&& on_document, OnMalformed&& on_malformed) {
    if (block.too_long) {
      refuse_too_long(block);
      on_malformed(block.first_record, std::string_view(reason_));
    }
    for (std::size_t i = 0; i < block.ends.size(); ++i) {
      const Outcome outcome = parse_record(block, i);
      if (outcome == Outcome::kDocument) on_document(std::as_const(document_));
      if (outcome == Outcome::kMalformed) on_malformed(document_.record, std::string_view(reason_));
    }
  }

  // One record that was read by itself, with or without its newline.
  Result<Document> parse_one(std::string_view raw, std::uint64_t record);

 private:
  Outcome parse_record(const Block& block, std::size_t i);
  void refuse_too_long(const Block& block);
  void add_line(const Block& block, std::size_t place);
  Outcome parse_raw(std::string_view raw, std::uint64_t record);

  bool csv_;
  std::unique_ptr<RecordFormat> format_;
  Document document_;
  std::string reason_;
  std::string scratch_;
  std::uint64_t lines_ = 0;  // of the input before lines_counted_to_ in the block
  std::size_t lines_counted_to_ = 0;
  std::array<char, 20> digits_{};  // the longest 64-bit number
};

}  // namespace twinsift
