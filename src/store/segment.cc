// SPDX-License-Identifier: Apache-2.0
#include "store/segment.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "base/hash.h"
#include "store/bytes.h"
#include "store/segment_format.h"
#include "twinsift/index.h"

namespace twinsift {
namespace {

// The first of 0 .. n-1 for which below(i), which is a Result<bool>, is false; all `true` come
// before all `false`.  Looks around `guess` first: keys and digests are spread evenly, so that a
// good guess touches one block of the file where halving would touch one for each step.
template <class Below>
Result<std::uint64_t> partition_near(std::uint64_t n, std::uint64_t guess, Below below) {
  std::uint64_t low = 0;  // everything before it is below, and nothing from `high` on
  std::uint64_t high = n;
  if (guess < n) {
    TWINSIFT_TRY(const bool up, below(guess));
    (up ? low : high) = up ? guess + 1 : guess;
    for (std::uint64_t step = 1; low < high; step *= 2) {
      const std::uint64_t ahead = std::min(step, high - low);
      const std::uint64_t at = up ? low + ahead - 1 : high - ahead;
      TWINSIFT_TRY(const bool is_below, below(at));
      (is_below ? low : high) = is_below ? at + 1 : at;
      if (is_below != up) break;
    }
  }
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    TWINSIFT_TRY(const bool is_below, below(middle));
    (is_below ? low : high) = is_below ? middle + 1 : middle;
  }
  return low;
}

std::uint64_t guess_of(std::uint64_t value, std::uint64_t n) {
  return scale_to(value, static_cast<std::uint32_t>(std::min<std::uint64_t>(n, UINT32_MAX)));
}

}  // namespace

Result<std::unique_ptr<Segment>> Segment::open(const std::string& path, const CollectionId& id,
                                               std::uint64_t number) {
  auto segment = std::make_unique<Segment>(Key{});
  segment->number_ = number;
  const FileHeader who{.kind = StoreFile::kSegment, .id = id, .number = number};
  TWINSIFT_TRY(segment->file_, CheckedFile::open(path, who, segment_sections()));
  const CheckedFile& file = *segment->file_;
  segment->files_ = file.find(kFileSection, 0);
  segment->paths_ = file.find(kPathSection, 0);
  segment->digests_ = file.find(kDigestSection, 0);
  segment->verdicts_ = file.find(kVerdictSection, 0);
  segment->removed_ = file.find(kRemovedSection, 0);
  TWINSIFT_TRY([[maybe_unused]] auto info, segment->read_info());
  TWINSIFT_TRY([[maybe_unused]] auto sizes, segment->check_sizes());
  return segment;
}

Status Segment::read_info() {
  const Section section = file_->find(kInfoSection, 0);
  TWINSIFT_TRY(const auto bytes, file_->read(section, 0, section.length));
  auto info = decode_info({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  if (!info) {
    return Error{info.error().code, fmt::format("{}: {}", file_->path(), info.error().message)};
  }
  if (info->first_sequence > info->last_sequence) {
    return file_->damaged(section, "ends before it begins");
  }
  first_sequence_ = info->first_sequence;
  last_sequence_ = info->last_sequence;
  specs_ = std::move(info->shelves);
  for (const ShelfSpec& spec : specs_) {
    TWINSIFT_TRY([[maybe_unused]] auto opened, open_shelf(spec));
  }
  return ok();
}

// The sections of a shelf must fit each other: then every row has its codes and keys.
Status Segment::open_shelf(const ShelfSpec& spec) {
  Parts parts{.contents = file_->find(kContentSection, spec.detector),
              .rows = file_->find(kRowSection, spec.detector),
              .keys = file_->find(kKeySection, spec.detector),
              .planes = {},
              .widths = {}};
  if (!spec.sketch.empty()) {
    const auto index = make_index(spec.index);
    if (!index) {
      return Error{ErrorCode::kUnsupported,
                   fmt::format("{}: has the index {}, which this twinsift does not know; use a "
                               "newer twinsift",
                               file_->path(), spec.index)};
    }
    parts.table_count = (*index)->tables();
  }
  const std::uint64_t rows = parts.rows.length / 4;
  if (parts.contents.length % kContentEntryBytes != 0) {
    return file_->damaged(parts.contents, "has a size that cannot be");
  }
  if (parts.rows.length % 4 != 0 || rows > parts.contents.length / kContentEntryBytes ||
      rows >= UINT32_MAX || (rows > 0 && spec.sketch.empty())) {
    return file_->damaged(parts.rows, "has a size that cannot be");
  }
  parts.row_count = static_cast<std::uint32_t>(rows);
  if (parts.keys.length != std::uint64_t{8} * rows * parts.table_count) {
    return file_->damaged(parts.keys, "has a size that cannot be");
  }
  std::uint32_t before = 0;
  for (std::size_t plane = 0; plane < kMaxPlanes; ++plane) {
    const Section section = file_->find(plane_section(plane), spec.detector);
    const std::uint32_t width = plane < spec.looks.size() ? spec.looks[plane] - before : 0;
    if (section.length != rows * width) return file_->damaged(section, "has a size that cannot be");
    if (width == 0) continue;
    before = spec.looks[plane];
    parts.planes.push_back(section);
    parts.widths.push_back(width);
  }
  parts_.push_back(std::move(parts));
  return ok();
}

Status Segment::check_sizes() const {
  const auto whole = [this](const Section& section, std::size_t entry) -> Status {
    if (section.length % entry == 0) return ok();
    return file_->damaged(section, "has a size that cannot be");
  };
  TWINSIFT_TRY([[maybe_unused]] auto entries, whole(files_, kFileEntryBytes));
  TWINSIFT_TRY([[maybe_unused]] auto verdicts, whole(verdicts_, kVerdictEntryBytes));
  TWINSIFT_TRY([[maybe_unused]] auto removed, whole(removed_, kRemovedEntryBytes));
  TWINSIFT_TRY([[maybe_unused]] auto digests, whole(digests_, 4));
  if (digests_.length / 4 > files()) return file_->damaged(digests_, "has a size that cannot be");
  for (const Section& section : file_->sections()) {
    if (section.detector != 0 && this->shelf(section.detector) == nullptr) {
      return file_->damaged(section, "is of a detector that INFO does not have");
    }
  }
  return ok();
}

const ShelfSpec* Segment::shelf(DetectorId detector) const {
  const auto spec = std::ranges::find(specs_, detector, &ShelfSpec::detector);
  return spec == specs_.end() ? nullptr : &*spec;
}

const Segment::Parts& Segment::sections_of(DetectorId detector) const {
  static const Parts none{};
  const ShelfSpec* spec = shelf(detector);
  return spec == nullptr ? none : parts_[static_cast<std::size_t>(spec - specs_.data())];
}

Result<std::span<const std::uint32_t>> Segment::words(const Section& section, std::uint64_t first,
                                                      std::uint64_t count) const {
  TWINSIFT_TRY(const auto bytes, file_->read(section, 4 * first, 4 * count));
  return std::span(reinterpret_cast<const std::uint32_t*>(bytes.data()), count);
}

Result<std::string_view> Segment::path_at(std::uint64_t offset, std::uint32_t length) const {
  TWINSIFT_TRY(const auto bytes, file_->read(paths_, offset, length));
  return std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

std::uint64_t Segment::files() const { return files_.length / kFileEntryBytes; }

Result<FileView> Segment::file(std::uint64_t place) const {
  if (place >= files()) return file_->damaged(files_, "ends before a file that should be in it");
  TWINSIFT_TRY(const auto bytes, file_->read(files_, place * kFileEntryBytes, kFileEntryBytes));
  auto stored = decode_file(bytes);
  if (!stored) return file_->damaged(files_, fmt::format("has a file {} of no kind", place));
  TWINSIFT_TRY(stored->file.path, path_at(stored->path.offset, stored->path.length));
  return stored->file;
}

Result<std::uint64_t> Segment::first_file(std::string_view path) const {
  return partition_near(files(), files() / 2, [&](std::uint64_t place) -> Result<bool> {
    TWINSIFT_TRY(const FileView view, file(place));
    return view.path < path;
  });
}

Status Segment::files_with(const Digest& digest,
                           const std::function<Status(const FileView&)>& take) const {
  const std::uint64_t count = digests_.length / 4;
  const auto view_at = [&](std::uint64_t i) -> Result<FileView> {
    TWINSIFT_TRY(const auto place, words(digests_, i, 1));
    TWINSIFT_TRY(FileView view, file(place.front()));
    if (!view.digest) return file_->damaged(digests_, "has a file without a digest");
    return view;
  };
  TWINSIFT_TRY(std::uint64_t i, partition_near(count, guess_of(digest.low, count),
                                               [&](std::uint64_t at) -> Result<bool> {
                                                 TWINSIFT_TRY(const FileView view, view_at(at));
                                                 return *view.digest < digest;
                                               }));
  for (; i < count; ++i) {
    TWINSIFT_TRY(const FileView view, view_at(i));
    if (*view.digest != digest) break;
    TWINSIFT_TRY([[maybe_unused]] auto taken, take(view));
  }
  return ok();
}

std::uint64_t Segment::contents(DetectorId detector) const {
  return sections_of(detector).contents.length / kContentEntryBytes;
}

Result<ContentPlace> Segment::content_at(DetectorId detector, std::uint64_t place) const {
  const Parts& parts = sections_of(detector);
  if (place >= parts.contents.length / kContentEntryBytes) {
    return file_->damaged(parts.contents, "ends before a content that should be in it");
  }
  TWINSIFT_TRY(const auto bytes,
               file_->read(parts.contents, place * kContentEntryBytes, kContentEntryBytes));
  const auto content = decode_content(bytes);
  if (!content || (content->row != ContentPlace::kNoRow && content->row >= parts.row_count)) {
    return file_->damaged(parts.contents, fmt::format("has a content {} of no kind", place));
  }
  return *content;
}

Result<std::optional<ContentPlace>> Segment::content(DetectorId detector,
                                                     const Digest& digest) const {
  const std::uint64_t count = contents(detector);
  TWINSIFT_TRY(
      const std::uint64_t place,
      partition_near(count, guess_of(digest.low, count), [&](std::uint64_t at) -> Result<bool> {
        TWINSIFT_TRY(const ContentPlace c, content_at(detector, at));
        return c.digest < digest;
      }));
  if (place == count) return std::optional<ContentPlace>{};
  TWINSIFT_TRY(const ContentPlace found, content_at(detector, place));
  return found.digest == digest ? std::optional(found) : std::nullopt;
}

std::uint32_t Segment::rows(DetectorId detector) const { return sections_of(detector).row_count; }

Result<ContentPlace> Segment::content_of_row(DetectorId detector, std::uint32_t row) const {
  const Parts& parts = sections_of(detector);
  TWINSIFT_TRY(const auto place, words(parts.rows, row, 1));
  TWINSIFT_TRY(const ContentPlace content, content_at(detector, place.front()));
  if (content.row != row) return file_->damaged(parts.rows, "names a content of another row");
  return content;
}

Result<std::span<const std::uint8_t>> Segment::codes(DetectorId detector, std::size_t plane,
                                                     std::uint32_t row, std::uint32_t count) const {
  const Parts& parts = sections_of(detector);
  assert(plane < parts.planes.size());
  const std::uint64_t width = parts.widths[plane];
  TWINSIFT_TRY(const auto bytes, file_->read(parts.planes[plane], width * row, width * count));
  return std::span(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

Result<const std::uint8_t*> Segment::plane_for(DetectorId detector, std::size_t plane,
                                               std::span<const std::uint32_t> rows) const {
  const Parts& parts = sections_of(detector);
  assert(plane < parts.planes.size());
  const Section& section = parts.planes[plane];
  const std::uint64_t width = parts.widths[plane];
  std::uint64_t good = UINT64_MAX;  // a block that is checked, last time through the loop
  for (const std::uint32_t row : rows) {
    const std::uint64_t first = width * row / kCheckedBlock;
    const std::uint64_t last = (width * (row + std::uint64_t{1}) - 1) / kCheckedBlock;
    if (first == good && last == good) continue;
    TWINSIFT_TRY([[maybe_unused]] auto bytes, file_->read(section, width * row, width));
    good = last;
  }
  return reinterpret_cast<const std::uint8_t*>(file_->unchecked(section));
}

std::uint32_t Segment::tables(DetectorId detector) const {
  return sections_of(detector).table_count;
}

Result<Segment::Table> Segment::table(DetectorId detector, std::uint32_t table) const {
  const Parts& parts = sections_of(detector);
  const std::uint64_t n = parts.row_count;
  Table whole;
  TWINSIFT_TRY(whole.keys, words(parts.keys, 2 * n * table, n));
  TWINSIFT_TRY(whole.rows, words(parts.keys, 2 * n * table + n, n));
  return whole;
}

Result<std::span<const std::uint32_t>> Segment::bucket(DetectorId detector, std::uint32_t table,
                                                       std::uint32_t key) const {
  const Parts& parts = sections_of(detector);
  assert(table < parts.table_count);
  const std::uint64_t n = parts.row_count;
  const std::uint64_t first = 2 * n * table;
  const auto key_at = [&](std::uint64_t i) -> Result<std::uint32_t> {
    TWINSIFT_TRY(const auto found, words(parts.keys, first + i, 1));
    return found.front();
  };
  TWINSIFT_TRY(const std::uint64_t begin, partition_near(n, guess_of(std::uint64_t{key} << 32U, n),
                                                         [&](std::uint64_t i) -> Result<bool> {
                                                           TWINSIFT_TRY(const std::uint32_t at,
                                                                        key_at(i));
                                                           return at < key;
                                                         }));
  TWINSIFT_TRY(const std::uint64_t end,
               partition_near(n, begin, [&](std::uint64_t i) -> Result<bool> {
                 TWINSIFT_TRY(const std::uint32_t at, key_at(i));
                 return at <= key;
               }));
  TWINSIFT_TRY(const auto rows,
               words(parts.keys, first + n + begin, end < begin ? 0 : end - begin));
  // Whoever uses a row as a place would otherwise have to check it.
  if (!rows.empty() && std::ranges::max(rows) >= n) {
    return file_->damaged(parts.keys, fmt::format("has a row that is none in table {}", table));
  }
  return rows;
}

Status Segment::verdicts(const std::function<Status(const VerdictRecord&)>& take) const {
  for (std::uint64_t at = 0; at < verdicts_.length; at += kVerdictEntryBytes) {
    TWINSIFT_TRY(const auto bytes, file_->read(verdicts_, at, kVerdictEntryBytes));
    const auto verdict = decode_verdict(bytes);
    if (!verdict) return file_->damaged(verdicts_, "has a verdict of no kind");
    TWINSIFT_TRY([[maybe_unused]] auto taken, take(*verdict));
  }
  return ok();
}

Status Segment::removed(const std::function<Status(const RemovedRecord&)>& take) const {
  for (std::uint64_t at = 0; at < removed_.length; at += kRemovedEntryBytes) {
    TWINSIFT_TRY(const auto bytes, file_->read(removed_, at, kRemovedEntryBytes));
    auto stored = decode_removed(bytes);
    if (!stored) return file_->damaged(removed_, "has an entry of no kind");
    TWINSIFT_TRY(stored->removed.path, path_at(stored->path.offset, stored->path.length));
    TWINSIFT_TRY([[maybe_unused]] auto taken, take(stored->removed));
  }
  return ok();
}

}  // namespace twinsift
