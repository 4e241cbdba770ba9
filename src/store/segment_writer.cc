// SPDX-License-Identifier: Apache-2.0
#include "store/segment_writer.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/external_sort.h"
#include "store/bytes.h"
#include "store/key_sort.h"
#include "store/section_output.h"
#include "store/segment_format.h"
#include "twinsift/index.h"

namespace twinsift {
namespace {

Error out_of_order(std::string_view what) {
  return {ErrorCode::kInvalidArgument, fmt::format("{} of a segment came out of order", what)};
}

// A file with a known digest, as FDIG sorts them.
struct DigestPlace {
  std::uint64_t low;
  std::uint64_t high;
  std::uint64_t place;
  friend bool operator<(const DigestPlace& a, const DigestPlace& b) {
    return std::tuple(a.low, a.high, a.place) < std::tuple(b.low, b.high, b.place);
  }
  static bool absorb(const DigestPlace& /*next*/) { return false; }
};

// What a shelf gathers until it is written.
struct ShelfParts {
  ShelfSpec spec;
  std::uint32_t tables = 0;
  ByteQueue contents;
  ByteQueue rows;
  std::vector<ByteQueue> planes;
  std::vector<ByteQueue> columns;  // keys by row, one for each table
  SegmentWriter::KeyPatch patch{};
  std::uint64_t content_count = 0;
  std::uint32_t row_count = 0;
};

// FILE, PATH, VERD and GONE are gathered, too: PATH has to wait for the last, and sizes are known
// only in the end.
class Writer final : public SegmentWriter {
 public:
  Writer(const Options& options, SectionOutput output, std::uint64_t queue_bytes)
      : options_(options),
        output_(std::move(output)),
        files_(queue_bytes, options.temp_dir),
        paths_(queue_bytes, options.temp_dir),
        verdicts_(queue_bytes, options.temp_dir),
        removed_(queue_bytes, options.temp_dir),
        digests_(options.memory / 4, options.temp_dir),
        queue_bytes_(queue_bytes) {}

  void add_shelf(const ShelfSpec& spec, std::uint32_t tables);
  Status add_file(const FileView& file) override;
  Status add_content(DetectorId detector, const ContentPlace& place,
                     std::span<const std::uint8_t> codes,
                     std::span<const std::uint32_t> keys) override;
  Status add_verdict(const VerdictRecord& verdict) override;
  Status add_removed(const RemovedRecord& removed) override;
  void patch_keys(DetectorId detector, KeyPatch patch) override;
  Status finish() override;

 private:
  Result<std::uint64_t> add_path(std::string_view path);
  Status add_row(ShelfParts& shelf, std::span<const std::uint8_t> codes,
                 std::span<const std::uint32_t> keys);
  Status write_section(SectionName name, std::uint32_t detector, ByteQueue& queue);
  Status write_digests();
  Status write_shelf(ShelfParts& shelf);

  Options options_;
  SectionOutput output_;
  ByteQueue files_;
  ByteQueue paths_;
  ByteQueue verdicts_;
  ByteQueue removed_;
  ExternalSorter<DigestPlace> digests_;
  std::uint64_t queue_bytes_;
  std::vector<ShelfParts> shelves_;

  std::string entry_;  // the one that is being encoded
  std::uint64_t file_count_ = 0;
  std::uint64_t digest_count_ = 0;
  std::optional<ItemKey> last_file_;
  std::string last_path_;  // in PATH
  std::optional<std::pair<DetectorId, Digest>> last_content_;
  std::optional<std::pair<Digest, Digest>> last_verdict_;
  std::optional<Digest> last_removed_;
};

void Writer::add_shelf(const ShelfSpec& spec, std::uint32_t tables) {
  const auto queue = [this] { return ByteQueue(queue_bytes_, options_.temp_dir); };
  ShelfParts parts{.spec = spec,
                   .tables = tables,
                   .contents = queue(),
                   .rows = queue(),
                   .planes = {},
                   .columns = {}};
  for (std::size_t plane = 0; plane < spec.looks.size(); ++plane) parts.planes.push_back(queue());
  for (std::uint32_t table = 0; table < tables; ++table) parts.columns.push_back(queue());
  shelves_.push_back(std::move(parts));
}

// Records of one corpus file have one path.
Result<std::uint64_t> Writer::add_path(std::string_view path) {
  if (path == last_path_) return paths_.size() - path.size();
  last_path_ = path;
  const std::uint64_t offset = paths_.size();
  TWINSIFT_TRY([[maybe_unused]] auto added, paths_.append(path));
  return offset;
}

Status Writer::add_file(const FileView& file) {
  ItemKey key{.path = std::string(file.path), .part = file.part, .volume = file.volume};
  if (last_file_ && !(*last_file_ < key)) return out_of_order("a file");
  last_file_ = std::move(key);
  if (file_count_ == UINT32_MAX) {
    return Error{ErrorCode::kLimit, "a segment cannot hold more than 4,294,967,295 files"};
  }
  TWINSIFT_TRY(const std::uint64_t path, add_path(file.path));
  if (file.digest && !file.dropped) {
    TWINSIFT_TRY([[maybe_unused]] auto added,
                 digests_.add({file.digest->low, file.digest->high, file_count_}));
    ++digest_count_;
  }
  ++file_count_;
  entry_.clear();
  append_file(entry_, file, path);
  return files_.append(entry_);
}

Status Writer::add_content(DetectorId detector, const ContentPlace& place,
                           std::span<const std::uint8_t> codes,
                           std::span<const std::uint32_t> keys) {
  const auto shelf =
      std::ranges::find(shelves_, detector, [](const ShelfParts& s) { return s.spec.detector; });
  if (shelf == shelves_.end()) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("a segment has no shelf for detector {}", detector)};
  }
  const std::pair key(detector, place.digest);
  if (last_content_ && !(*last_content_ < key)) return out_of_order("a content");
  last_content_ = key;
  ContentPlace stored = place;
  stored.row = codes.empty() ? ContentPlace::kNoRow : shelf->row_count;
  if (!codes.empty()) {
    TWINSIFT_TRY([[maybe_unused]] auto added, add_row(*shelf, codes, keys));
  }
  ++shelf->content_count;
  entry_.clear();
  append_content(entry_, stored);
  return shelf->contents.append(entry_);
}

Status Writer::add_row(ShelfParts& shelf, std::span<const std::uint8_t> codes,
                       std::span<const std::uint32_t> keys) {
  if (shelf.spec.looks.empty() || codes.size() != shelf.spec.looks.back() ||
      keys.size() != shelf.tables) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("{} codes and {} keys do not fit the shelf of detector {}",
                             codes.size(), keys.size(), shelf.spec.detector)};
  }
  if (shelf.content_count >= ContentPlace::kNoRow) {
    return Error{ErrorCode::kLimit, "a segment cannot hold more than 4,294,967,295 contents"};
  }
  entry_.clear();
  append(entry_, static_cast<std::uint32_t>(shelf.content_count));
  TWINSIFT_TRY([[maybe_unused]] auto row, shelf.rows.append(entry_));
  const std::string_view bytes(reinterpret_cast<const char*>(codes.data()), codes.size());
  std::uint32_t begin = 0;
  for (std::size_t plane = 0; plane < shelf.planes.size(); ++plane) {
    const std::uint32_t end = shelf.spec.looks[plane];
    TWINSIFT_TRY([[maybe_unused]] auto added,
                 shelf.planes[plane].append(bytes.substr(begin, end - begin)));
    begin = end;
  }
  for (std::uint32_t table = 0; table < shelf.tables; ++table) {
    entry_.clear();
    append(entry_, keys[table]);
    TWINSIFT_TRY([[maybe_unused]] auto added, shelf.columns[table].append(entry_));
  }
  ++shelf.row_count;
  return ok();
}

Status Writer::add_verdict(const VerdictRecord& verdict) {
  const std::pair key(verdict.a, verdict.b);
  if (!(verdict.a < verdict.b) || (last_verdict_ && !(*last_verdict_ < key))) {
    return out_of_order("a verdict");
  }
  last_verdict_ = key;
  entry_.clear();
  append_verdict(entry_, verdict);
  return verdicts_.append(entry_);
}

Status Writer::add_removed(const RemovedRecord& removed) {
  if (last_removed_ && !(*last_removed_ < removed.digest)) return out_of_order("a removed content");
  last_removed_ = removed.digest;
  TWINSIFT_TRY(const std::uint64_t path, add_path(removed.path));
  entry_.clear();
  append_removed(entry_, removed, path);
  return removed_.append(entry_);
}

void Writer::patch_keys(DetectorId detector, KeyPatch patch) {
  for (ShelfParts& shelf : shelves_) {
    if (shelf.spec.detector == detector) shelf.patch = patch;
  }
}

// Sections without anything in them are left out.
Status Writer::write_section(SectionName name, std::uint32_t detector, ByteQueue& queue) {
  if (queue.size() == 0) return ok();
  TWINSIFT_TRY([[maybe_unused]] auto begun, output_.begin(name, detector));
  return output_.write(queue);
}

Status Writer::write_digests() {
  if (digest_count_ == 0) return ok();
  TWINSIFT_TRY([[maybe_unused]] auto begun, output_.begin(kDigestSection, 0));
  return digests_.drain([this](const DigestPlace& file) {
    entry_.clear();
    append(entry_, static_cast<std::uint32_t>(file.place));
    return output_.write(entry_);
  });
}

Status Writer::write_shelf(ShelfParts& shelf) {
  const DetectorId detector = shelf.spec.detector;
  TWINSIFT_TRY([[maybe_unused]] auto contents,
               write_section(kContentSection, detector, shelf.contents));
  for (std::size_t plane = 0; plane < shelf.planes.size(); ++plane) {
    TWINSIFT_TRY([[maybe_unused]] auto codes,
                 write_section(plane_section(plane), detector, shelf.planes[plane]));
  }
  TWINSIFT_TRY([[maybe_unused]] auto rows, write_section(kRowSection, detector, shelf.rows));
  if (shelf.row_count == 0) return ok();
  TWINSIFT_TRY([[maybe_unused]] auto begun, output_.begin(kKeySection, detector));
  KeySort task{.rows = shelf.row_count,
               .patch = shelf.patch,
               .memory = options_.memory,
               .temp_dir = options_.temp_dir};
  for (task.table = 0; task.table < shelf.tables; ++task.table) {
    TWINSIFT_TRY([[maybe_unused]] auto sorted,
                 write_sorted_keys(task, shelf.columns[task.table], output_));
  }
  return ok();
}

Status Writer::finish() {
  TWINSIFT_TRY([[maybe_unused]] auto begun, output_.begin(kInfoSection, 0));
  TWINSIFT_TRY([[maybe_unused]] auto info,
               output_.write(
                   encode_info(options_.first_sequence, options_.last_sequence, options_.shelves)));
  TWINSIFT_TRY([[maybe_unused]] auto files, write_section(kFileSection, 0, files_));
  TWINSIFT_TRY([[maybe_unused]] auto paths, write_section(kPathSection, 0, paths_));
  TWINSIFT_TRY([[maybe_unused]] auto digests, write_digests());
  for (ShelfParts& shelf : shelves_) {
    TWINSIFT_TRY([[maybe_unused]] auto written, write_shelf(shelf));
  }
  TWINSIFT_TRY([[maybe_unused]] auto verdicts, write_section(kVerdictSection, 0, verdicts_));
  TWINSIFT_TRY([[maybe_unused]] auto removed, write_section(kRemovedSection, 0, removed_));
  return output_.finish();
}

// What INFO cannot hold must not be written.
Status check_shelf(const ShelfSpec& spec) {
  const auto info = decode_info(encode_info(0, 0, {&spec, 1}));
  if (info && info->shelves.size() == 1 && info->shelves.front() == spec) return ok();
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("a segment cannot have the shelf {}, {} of detector {}", spec.sketch,
                           spec.index, spec.detector)};
}

}  // namespace

Result<std::unique_ptr<SegmentWriter>> SegmentWriter::create(const Options& options) {
  std::vector<std::uint32_t> tables;
  std::uint64_t queues = 4;
  for (const ShelfSpec& spec : options.shelves) {
    TWINSIFT_TRY([[maybe_unused]] auto checked, check_shelf(spec));
    tables.push_back(0);
    if (!spec.sketch.empty()) {
      TWINSIFT_TRY(const auto index, make_index(spec.index));
      tables.back() = index->tables();
    }
    queues += 2 + spec.looks.size() + tables.back();
  }
  const auto detector = [](const ShelfSpec& spec) { return spec.detector; };
  if (std::ranges::adjacent_find(options.shelves, std::greater_equal{}, detector) !=
      options.shelves.end()) {
    return out_of_order("a shelf");
  }
  TWINSIFT_TRY(
      SectionOutput output,
      SectionOutput::create(
          options.path, {.kind = StoreFile::kSegment, .id = options.id, .number = options.number}));
  constexpr std::uint64_t kLeast = 4096;
  auto writer = std::make_unique<Writer>(options, std::move(output),
                                         std::max(options.memory / 2 / queues, kLeast));
  for (std::size_t i = 0; i < tables.size(); ++i) writer->add_shelf(options.shelves[i], tables[i]);
  return std::unique_ptr<SegmentWriter>(std::move(writer));
}

}  // namespace twinsift
