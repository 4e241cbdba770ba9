// SPDX-License-Identifier: Apache-2.0
// Blocks of whole records, and documents from them.
#include "ingest/corpus.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cstring>

#include <fmt/format.h>

#include "ingest/jsonl.h"

namespace twinsift {
namespace {

// The format is told by this much of the input, and a CSV header must end within it.
constexpr std::size_t kHeadSize = std::size_t{1} << 20U;

std::size_t default_max_record(CorpusFormat format) {
  return format == CorpusFormat::kJsonl ? std::size_t{1} << 30U : std::size_t{64} << 20U;
}

bool has_tsv_name(std::string_view path) {
  for (const std::string_view suffix : {".gz", ".zst"}) {
    if (path.ends_with(suffix)) path.remove_suffix(suffix.size());
  }
  return path.ends_with(".tsv");
}

std::uint64_t count_lines(std::string_view bytes) {
  return static_cast<std::uint64_t>(std::ranges::count(bytes, '\n'));
}

}  // namespace

void Block::reserve(std::size_t capacity) {
  if (capacity <= capacity_) return;
  auto larger = std::make_unique_for_overwrite<char[]>(capacity + kPadding);
  if (size_ > 0) std::memcpy(larger.get(), buffer_.get(), size_);
  buffer_ = std::move(larger);
  capacity_ = capacity;
}

void Block::resize(std::size_t size) {
  assert(size <= capacity_);
  size_ = size;
}

void Block::shrink(std::size_t keep) {
  size_ = 0;
  if (capacity_ <= keep) return;
  buffer_.reset();
  capacity_ = 0;
}

Result<CorpusReader> CorpusReader::open(const std::string& path, const CorpusOptions& options) {
  CorpusReader reader;
  reader.name_ = path == "-" ? "standard input" : path;
  reader.options_ = options;
  TWINSIFT_TRY(reader.source_, open_source(path, options.stop));
  if (options.spool && !reader.source_->random_access()) {
    TWINSIFT_TRY(reader.source_, make_spool(std::move(reader.source_), options.temp_dir));
  }
  TWINSIFT_TRY([[maybe_unused]] auto read, reader.read_head());
  const Status detected = reader.detect();
  if (!detected) {
    const Error& error = detected.error();
    return Error{error.code, fmt::format("{}: {}", reader.name_, error.message)};
  }
  std::size_t& limit = reader.options_.max_record;
  if (limit == 0) limit = default_max_record(reader.format_);
  reader.options_.block_size = std::clamp<std::size_t>(options.block_size, 1, limit);
  reader.pending_at_ = reader.start_;
  reader.offset_ = reader.start_;
  reader.line_ = count_lines(reader.header_);
  return reader;
}

// Reads the first bytes into pending_.
Status CorpusReader::read_head() {
  Block head;
  fill(head, kHeadSize);
  if (failure_ && head.bytes().empty()) return *failure_;
  pending_ = head.bytes();
  pending_at_ = 0;
  return ok();
}

// Finds out the format and where the records begin.
Status CorpusReader::detect() {
  std::string_view head = pending_;
  if (head.starts_with("\xEF\xBB\xBF")) start_ = 3;
  head.remove_prefix(start_);
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  const bool jsonl = options_.format.empty() ? first == head.npos || head[first] == '{'
                                             : options_.format == "jsonl";
  if (jsonl) {
    format_ = CorpusFormat::kJsonl;
    const auto format = make_jsonl_format(options_.text_field, options_.id_field);
    return format ? ok() : Status(format.error());
  }
  if (options_.format != "csv" && !options_.format.empty()) {
    return Error{
        ErrorCode::kInvalidArgument,
        fmt::format("there is no corpus format \"{}\", only jsonl and csv", options_.format)};
  }
  format_ = CorpusFormat::kCsv;
  return detect_csv(head);
}

Status CorpusReader::detect_csv(std::string_view head) {
  const char delimiter =
      has_tsv_name(name_) ? '\t' : csv_delimiter(head.substr(0, head.find('\n')));
  std::vector<std::uint32_t> ends;
  split_csv(head, delimiter, 0, ended_ && !failure_, ends);
  if (ends.empty()) {
    if (failure_) return *failure_;
    return Error{ErrorCode::kCorrupt, "no CSV header row in the first MiB"};
  }
  header_ = head.substr(0, ends.front());
  start_ += header_.size();
  const auto layout = read_csv_header(header_, delimiter, options_.text_field, options_.id_field);
  if (layout) {
    layout_ = *layout;
    return ok();
  }
  if (!options_.format.empty()) return layout.error();
  return Error{
      ErrorCode::kInvalidArgument,
      fmt::format("looks neither like JSONL, because it does not begin with '{{', nor like "
                  "CSV: {}; say which with --input-format and --text-field",
                  layout.error().message)};
}

Status CorpusReader::rewind() {
  TWINSIFT_TRY([[maybe_unused]] auto rewound, source_->rewind());
  pending_.clear();
  pending_at_ = 0;
  ended_ = false;
  failure_.reset();
  TWINSIFT_TRY([[maybe_unused]] auto read, read_head());
  if (pending_.size() < start_) {
    return Error{ErrorCode::kIo, fmt::format("{}: was changed while it was read", name_)};
  }
  pending_at_ = start_;
  offset_ = start_;
  record_ = 0;
  line_ = count_lines(header_);
  lines_until_ = 0;
  return ok();
}

// Reads until the block has `want` bytes or there are no more.
void CorpusReader::fill(Block& block, std::size_t want) {
  block.reserve(want);
  std::size_t size = block.bytes().size();
  const std::size_t n = std::min(want - size, pending_.size() - pending_at_);
  if (n > 0) std::memcpy(block.data() + size, pending_.data() + pending_at_, n);
  pending_at_ += n;
  size += n;
  while (size < want && !ended_) {
    const auto got = source_->read({block.data() + size, want - size});
    if (!got) failure_ = got.error();
    ended_ = !got || *got == 0;
    if (got) size += *got;
  }
  block.resize(size);
}

void CorpusReader::split(Block& block) const {
  // What stands before damage is no whole record, even at the end.
  const bool last = at_end() && !failure_;
  if (format_ == CorpusFormat::kJsonl) return split_lines(block.bytes(), last, block.ends);
  const std::uint64_t line_bytes = lines_until_ > offset_ ? lines_until_ - offset_ : 0;
  split_csv(block.bytes(), layout_.delimiter, line_bytes, last, block.ends);
}

// Takes back the last bytes that fill() gave.
void CorpusReader::give_back(std::string_view bytes) {
  if (pending_at_ < pending_.size()) {
    pending_at_ -= bytes.size();  // they are still there
  } else {
    pending_ = bytes;
    pending_at_ = 0;
  }
}

Result<bool> CorpusReader::next(Block& block) {
  block.shrink(4 * options_.block_size);
  block.ends.clear();
  block.too_long = false;
  block.offset = offset_;
  block.first_record = record_;
  block.first_line = line_;
  for (std::size_t want = options_.block_size;; want = std::min(2 * want, options_.max_record)) {
    fill(block, want);
    split(block);
    if (!block.ends.empty()) return deliver(block);
    const bool exhausted = block.bytes().size() < want;
    if (!exhausted && want < options_.max_record) continue;
    if (exhausted && failure_) return *failure_;
    if (block.bytes().empty()) return false;
    // Longer than a record may be, or the end within quotes: go on with the next line.
    lines_until_ = offset_ + block.bytes().size();
    split(block);
    return block.ends.empty() ? skip_record(block) : deliver(block);
  }
}

Result<bool> CorpusReader::deliver(Block& block) {
  const std::size_t used = block.ends.back();
  give_back(block.bytes().substr(used));
  block.resize(used);
  std::memset(block.data() + used, 0, kPadding);
  offset_ += used;
  record_ += block.ends.size();
  line_ += format_ == CorpusFormat::kJsonl ? block.ends.size() : count_lines(block.bytes());
  return true;
}

// Passes over the rest of a line that is too long to be held.
Result<bool> CorpusReader::skip_record(Block& block) {
  for (;;) {
    const std::size_t newline = block.bytes().find('\n');
    if (newline != std::string_view::npos) {
      give_back(block.bytes().substr(newline + 1));
      offset_ += newline + 1;
      break;
    }
    offset_ += block.bytes().size();
    block.resize(0);
    fill(block, options_.block_size);
    if (block.bytes().empty() && failure_) return *failure_;
    if (block.bytes().empty()) break;
  }
  block.resize(0);
  block.too_long = true;
  ++record_;
  ++line_;
  return true;
}

std::unique_ptr<RecordFormat> CorpusReader::make_format() const {
  if (format_ == CorpusFormat::kCsv) return make_csv_format(layout_);
  auto format = make_jsonl_format(options_.text_field, options_.id_field);
  assert(format);  // open() has made one with the same fields
  return *std::move(format);
}

RecordParser::RecordParser(const CorpusReader& reader)
    : csv_(reader.format() == CorpusFormat::kCsv), format_(reader.make_format()) {}

Outcome RecordParser::parse_raw(std::string_view raw, std::uint64_t record) {
  document_.record = record;
  document_.raw = raw;
  const Outcome outcome = format_->parse(raw, document_, reason_);
  if (outcome == Outcome::kDocument && document_.id.empty()) {
    const auto [end, code] = std::to_chars(digits_.begin(), digits_.end(), record);
    assert(code == std::errc{});
    document_.id = {digits_.data(), static_cast<std::size_t>(end - digits_.data())};
  }
  return outcome;
}

Outcome RecordParser::parse_record(const Block& block, std::size_t i) {
  const std::string_view raw = block.record(i);
  const auto place = static_cast<std::size_t>(raw.data() - block.bytes().data());
  document_.offset = block.offset + place;
  const Outcome outcome = parse_raw(raw, block.first_record + i);
  if (i == 0) {
    lines_ = block.first_line;
    lines_counted_to_ = 0;
  }
  if (outcome == Outcome::kMalformed) add_line(block, place);
  return outcome;
}

void RecordParser::refuse_too_long(const Block& block) {
  reason_ = "too long";
  lines_ = block.first_line;
  lines_counted_to_ = 0;
  add_line(block, 0);
}

// A CSV record is found by its line, not by its number.
void RecordParser::add_line(const Block& block, std::size_t place) {
  if (!csv_) return;
  lines_ += count_lines(block.bytes().substr(lines_counted_to_, place - lines_counted_to_));
  lines_counted_to_ = place;
  reason_ = fmt::format("line {}: {}", lines_ + 1, reason_);
}

Result<Document> RecordParser::parse_one(std::string_view raw, std::uint64_t record) {
  scratch_.reserve(raw.size() + kPadding);
  scratch_ = raw;
  document_.offset = 0;
  switch (parse_raw(scratch_, record)) {
    case Outcome::kDocument:
      return document_;
    case Outcome::kBlank:
      return Error{ErrorCode::kCorrupt, "blank"};
    default:
      return Error{ErrorCode::kCorrupt, reason_};
  }
}

}  // namespace twinsift
