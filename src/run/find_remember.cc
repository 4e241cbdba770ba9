// SPDX-License-Identifier: Apache-2.0
// What find() takes from the collection and leaves there.
#include <algorithm>

#include <fmt/format.h>

#include "run/find.h"
#include "store/bytes.h"

namespace twinsift {
namespace {

// Takes numbers and texts from bytes; what is not there is 0 or empty, and not good().
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}
  [[nodiscard]] bool good() const { return good_; }
  [[nodiscard]] std::size_t left() const { return bytes_.size(); }
  std::uint32_t u32() { return number<std::uint32_t>(); }
  std::uint64_t u64() { return number<std::uint64_t>(); }
  std::string_view text(std::size_t size) {
    if (size > bytes_.size()) good_ = false;
    const std::string_view taken = bytes_.substr(0, good_ ? size : 0);
    bytes_.remove_prefix(taken.size());
    return taken;
  }

 private:
  template <class T>
  T number() {
    const std::string_view taken = text(sizeof(T));
    return good_ ? load<T>(taken.data()) : T{};
  }

  std::string_view bytes_;
  bool good_ = true;
};

}  // namespace

// Somebody else may be writing it, or the disk may be full: then what is there is used, and nothing
// is added.  But a collection that is damaged or too new is for the person to decide about.
Status FindRun::open_collection() {
  contents_ = contents_in_memory(resolved_.memory / 4, options_.match.temp_dir);
  if (options_.collection.empty()) return ok();
  const auto passing = [](const Error& error) {
    return error.code == ErrorCode::kIo || error.code == ErrorCode::kNotFound;
  };
  auto opened = Collection::open(options_.collection, {.mode = CollectionOptions::Mode::kCreate});
  writable_ = opened.has_value();
  if (!opened && passing(opened.error())) {
    trouble_ = opened.error().message;
    opened = Collection::open(options_.collection, {.mode = CollectionOptions::Mode::kRead});
    if (!opened && passing(opened.error())) return ok();
  }
  TWINSIFT_TRY(collection_, std::move(opened));
  known_files_ = std::make_unique<KnownFiles>(*collection_);
  std::vector<DetectorId> detectors;
  for (const auto& medium : media_) {
    detectors.push_back(collection_->detector(medium->spec()).value_or(0));
    if (detectors.back() != 0 || !writable_) continue;
    TWINSIFT_TRY(detectors.back(), collection_->add_detector(medium->spec()));
  }
  contents_ = contents_in_collection({.collection = collection_.get(),
                                      .writable = writable_,
                                      .retry_failed = options_.retry_failed,
                                      .detectors = std::move(detectors)},
                                     std::move(contents_));
  return ok();
}

Status FindRun::recall_files() {
  if (!collection_) return ok();
  StageClock clock("recall");
  TWINSIFT_TRY([[maybe_unused]] auto done,
               known_files_->recall(files_, writable_, known_, digests_));
  for (std::uint32_t file = 0; file < files_.size(); ++file) {
    clock.stats().items += known_[file].known ? 1U : 0U;
  }
  clock.stats().counts = {{"forgotten", known_files_->forgotten()}};
  clock.finish(report_.stages);
  return ok();
}

void FindRun::remember_file(std::uint32_t file) {
  if (!writable_) return;
  FileRecord record = known_files_->record_of(files_[file]);
  record.recognised = read_[file] != 0;
  if (digests_[file] != Digest{}) record.digest = digests_[file];
  if (const Status put = collection_->put(record); !put) {
    const std::scoped_lock lock(mutex_);
    writable_ = false;
    trouble_ = put.error().message;
  }
}

// Files that no medium recognises: next time not even their first bytes are read, and their digest
// is known where it was needed.
void FindRun::remember_unrecognised() {
  if (options_.exact_only) return;  // nobody has tried to recognise anything
  for (std::uint32_t file = 0; file < files_.size(); ++file) {
    if (read_[file] != 0 || unread_.contains(file)) continue;
    const bool learnt = digests_[file] != Digest{} && !known_[file].digested;
    if (!known_[file].known || learnt) remember_file(file);
  }
}

// Everything that decides what matching gives.
Digest FindRun::inputs_of_match() const {
  std::string all =
      fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n", version(), resolved_.threshold,
                  options_.match.recall, options_.match.features, options_.match.sketch,
                  options_.match.filter, options_.match.candidates, options_.cross);
  if (collection_) {
    for (const VerdictRecord& verdict : collection_->verdicts()) {
      append(all, verdict.a);
      append(all, verdict.b);
    }
  }
  for (std::uint32_t file = 0; file < files_.size(); ++file) {
    append(all, digests_[file]);
    append(all, content_[file]);
    append(all, files_[file].argument * 4 + (is_reference(file) ? 2U : 0U) + read_[file]);
  }
  return digest_of(std::as_bytes(std::span(all)));
}

Result<bool> FindRun::recall_match(const Digest& inputs) {
  // Weighted sets need the weights of all terms even to compare one pair.
  if (!collection_ || weights_) return false;
  TWINSIFT_TRY(const auto bytes, collection_->result(inputs));
  if (!bytes) return false;
  ByteReader reader(*bytes);
  Matched matched;
  const auto numbers = [&](std::vector<std::uint32_t>& out) {
    out.resize(std::min<std::uint64_t>(reader.u32(), reader.left() / 4));
    for (std::uint32_t& value : out) value = reader.u32();
  };
  std::vector<std::uint32_t> pairs;
  numbers(pairs);
  numbers(matched.capped);
  numbers(matched.failed);
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
    matched.duplicates.push_back({pairs[i], pairs[i + 1]});
  }
  for (auto* count :
       {&matched.documents, &matched.candidates, &matched.survivors, &matched.matches}) {
    *count = reader.u64();
  }
  matched.guarantee = reader.text(reader.u32());
  for (std::uint32_t specs = reader.u32(); specs > 0 && reader.good(); --specs) {
    matched.specs.emplace_back(reader.text(reader.u32()));
  }
  const auto bad = [&](std::uint32_t c) { return c >= files_.size(); };
  if (!reader.good() || std::ranges::any_of(pairs, bad) ||
      std::ranges::any_of(matched.capped, bad) || std::ranges::any_of(matched.failed, bad)) {
    return false;  // a cache that makes no sense is no cache
  }
  matched_ = std::move(matched);
  return true;
}

void FindRun::remember_match(const Digest& inputs) {
  if (!writable_ || weights_) return;
  std::string bytes;
  const auto numbers = [&](const std::vector<std::uint32_t>& values) {
    append(bytes, static_cast<std::uint32_t>(values.size()));
    for (const std::uint32_t value : values) append(bytes, value);
  };
  const auto text = [&](const std::string& value) {
    append(bytes, static_cast<std::uint32_t>(value.size()));
    bytes += value;
  };
  std::vector<std::uint32_t> pairs;
  for (const Duplicate& duplicate : matched_.duplicates) {
    pairs.push_back(duplicate.content);
    pairs.push_back(duplicate.keeper);
  }
  numbers(pairs);
  numbers(matched_.capped);
  numbers(matched_.failed);
  for (const auto count :
       {matched_.documents, matched_.candidates, matched_.survivors, matched_.matches}) {
    append(bytes, count);
  }
  text(matched_.guarantee);
  append(bytes, static_cast<std::uint32_t>(matched_.specs.size()));
  for (const std::string& spec : matched_.specs) text(spec);
  Status done = collection_->put_result(inputs, bytes);
  if (done) done = collection_->flush();
  if (!done) trouble_ = done.error().message;
}

Status FindRun::require_writable() const {
  if (writable_) return ok();
  return Error{ErrorCode::kIo, trouble_.empty() ? "no collection was named" : trouble_};
}

Result<IndexSummary> FindRun::index_summary() {
  TWINSIFT_TRY([[maybe_unused]] auto flushed, collection_->flush());
  TWINSIFT_TRY([[maybe_unused]] auto told, tell_all_failures());
  if (trouble_.empty()) trouble_ = contents_->trouble();
  if (!trouble_.empty()) return Error{ErrorCode::kIo, trouble_};
  IndexSummary summary{.items = files_.size(),
                       .forgotten = known_files_->forgotten(),
                       .skipped = std::move(report_.skipped),
                       .stages = std::move(report_.stages)};
  for (std::uint32_t file = 0; file < files_.size(); ++file) {
    if (known_[file].known) {
      ++summary.known;
    } else {
      summary.bytes += files_[file].size;
    }
  }
  return summary;
}

void FindRun::note_trouble() {
  if (trouble_.empty()) trouble_ = contents_->trouble();
  if (trouble_.empty()) return;
  report_.notes.push_back("this run will not be remembered: " + trouble_);
}

}  // namespace twinsift
