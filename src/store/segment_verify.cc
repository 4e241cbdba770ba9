// SPDX-License-Identifier: Apache-2.0
// Segment::verify(): every block, every order, every place that one section has of another.
#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "store/segment.h"

namespace twinsift {

Status Segment::verify() const {
  TWINSIFT_TRY([[maybe_unused]] auto blocks, file_->check_all());
  TWINSIFT_TRY([[maybe_unused]] auto files, verify_files());
  TWINSIFT_TRY([[maybe_unused]] auto digests, verify_digests());
  for (const ShelfSpec& spec : specs_) {
    TWINSIFT_TRY([[maybe_unused]] auto contents, verify_contents(spec));
    TWINSIFT_TRY([[maybe_unused]] auto keys, verify_keys(spec));
  }
  return verify_lists();
}

Status Segment::verify_files() const {
  std::optional<FileView> before;
  std::uint64_t with_digest = 0;
  for (std::uint64_t place = 0; place < files(); ++place) {
    TWINSIFT_TRY(const FileView view, file(place));
    const auto order = [](const FileView& v) { return std::tuple(v.path, v.part, v.volume); };
    if (before && !(order(*before) < order(view))) {
      return file_->damaged(files_, fmt::format("has file {} out of order", place));
    }
    if (view.digest && !view.dropped) ++with_digest;
    before = view;
  }
  if (with_digest == digests_.length / 4) return ok();
  return file_->damaged(digests_, "does not have every file with a digest");
}

// As many as there are files with a digest, all different by their order: every one is there.
Status Segment::verify_digests() const {
  std::optional<std::pair<Digest, std::uint32_t>> before;
  for (std::uint64_t i = 0; i < digests_.length / 4; ++i) {
    TWINSIFT_TRY(const auto place, words(digests_, i, 1));
    TWINSIFT_TRY(const FileView view, file(place.front()));
    if (!view.digest || view.dropped) {
      return file_->damaged(digests_, "has a file that should not be there");
    }
    const std::pair now(*view.digest, place.front());
    if (before && !(*before < now)) {
      return file_->damaged(digests_, fmt::format("has entry {} out of order", i));
    }
    before = now;
  }
  return ok();
}

Status Segment::verify_contents(const ShelfSpec& spec) const {
  const Parts& parts = sections_of(spec.detector);
  std::optional<Digest> before;
  std::uint32_t next_row = 0;
  for (std::uint64_t place = 0; place < contents(spec.detector); ++place) {
    TWINSIFT_TRY(const ContentPlace content, content_at(spec.detector, place));
    if (before && !(*before < content.digest)) {
      return file_->damaged(parts.contents, fmt::format("has content {} out of order", place));
    }
    before = content.digest;
    if (content.row == ContentPlace::kNoRow) continue;
    if (content.row != next_row++) {
      return file_->damaged(parts.contents, fmt::format("has a wrong row at content {}", place));
    }
    TWINSIFT_TRY(const auto of_row, words(parts.rows, content.row, 1));
    if (of_row.front() != place) {
      return file_->damaged(parts.rows, fmt::format("has a wrong content at row {}", content.row));
    }
  }
  if (next_row == parts.row_count) return ok();
  return file_->damaged(parts.rows, "has rows without a content");
}

Status Segment::verify_keys(const ShelfSpec& spec) const {
  const Parts& parts = sections_of(spec.detector);
  for (std::uint32_t t = 0; t < parts.table_count; ++t) {
    TWINSIFT_TRY(const Table whole, table(spec.detector, t));
    std::vector<bool> seen(parts.row_count);
    for (std::size_t i = 0; i < whole.rows.size(); ++i) {
      const std::uint32_t row = whole.rows[i];
      if (row >= parts.row_count || seen[row]) {
        return file_->damaged(parts.keys,
                              fmt::format("does not have each row once in table {}", t));
      }
      seen[row] = true;
      if (i > 0 &&
          std::pair(whole.keys[i], row) <= std::pair(whole.keys[i - 1], whole.rows[i - 1])) {
        return file_->damaged(parts.keys, fmt::format("is out of order in table {}", t));
      }
    }
  }
  return ok();
}

Status Segment::verify_lists() const {
  std::optional<std::pair<Digest, Digest>> pair_before;
  const auto verdict = [&](const VerdictRecord& v) -> Status {
    const std::pair now(v.a, v.b);
    if (!(v.a < v.b) || (pair_before && !(*pair_before < now))) {
      return file_->damaged(verdicts_, "is out of order");
    }
    pair_before = now;
    return ok();
  };
  TWINSIFT_TRY([[maybe_unused]] auto judged, verdicts(verdict));
  std::optional<Digest> before;
  return removed([&](const RemovedRecord& record) -> Status {
    if (before && !(*before < record.digest)) return file_->damaged(removed_, "is out of order");
    before = record.digest;
    return ok();
  });
}

}  // namespace twinsift
