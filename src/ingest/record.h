// SPDX-License-Identifier: Apache-2.0
// The nouns of corpus reading: blocks of bytes, the records in them, the documents they hold.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace twinsift {

// simdjson reads this many bytes beyond the end of what it parses.
inline constexpr std::size_t kPadding = 64;

// A run of whole records with kPadding readable bytes behind them.  Meant to be used again and
// again, so that its memory is allocated once.
class Block {
 public:
  std::uint64_t first_record = 0;
  std::uint64_t first_line = 0;     // 0-based, of the whole input
  std::uint64_t offset = 0;         // in the uncompressed stream
  bool too_long = false;            // stands for one record that was too long to be held
  std::vector<std::uint32_t> ends;  // where each record ends, its newline included

  [[nodiscard]] std::string_view bytes() const { return {buffer_.get(), size_}; }
  [[nodiscard]] std::string_view record(std::size_t i) const {
    const std::uint32_t begin = i == 0 ? 0 : ends[i - 1];
    return {buffer_.get() + begin, ends[i] - begin};
  }

  // Room for `capacity` bytes and the padding; what bytes() has now is kept.
  void reserve(std::size_t capacity);
  [[nodiscard]] char* data() { return buffer_.get(); }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  // Requires: size <= capacity().
  void resize(std::size_t size);
  // Gives the memory back if it is more than `keep` bytes.
  void shrink(std::size_t keep);

 private:
  std::unique_ptr<char[]> buffer_;
  std::size_t capacity_ = 0;
  std::size_t size_ = 0;
};

// One record that can be compared.  The views last until the parser's next record.
struct Document {
  std::uint64_t record = 0;  // 0-based line of JSONL, 0-based data row of CSV
  std::uint64_t offset = 0;  // of `raw` in the uncompressed stream
  std::string_view raw;      // as it stands in the input, its newline included if it has one
  std::string_view text;     // valid UTF-8
  std::string_view id;       // a JSON string or number; the record number if there is no id field
  bool repaired = false;     // invalid UTF-8 or lone surrogates in it were read as U+FFFD
};

enum class Outcome : std::uint8_t { kDocument, kBlank, kMalformed };

// Understands the records of one input.  Not thread-safe: one for each thread.
class RecordFormat {
 public:
  virtual ~RecordFormat() = default;
  // Fills text, id and repaired of `document`, leaving `id` empty if there is no id field, or
  // says in `reason` what is wrong.  Requires: kPadding readable bytes behind `record`.
  virtual Outcome parse(std::string_view record, Document& document, std::string& reason) = 0;
};

}  // namespace twinsift
