// SPDX-License-Identifier: Apache-2.0
#include "store/segment_format.h"

#include <cassert>
#include <charconv>

#include <fmt/format.h>

#include "store/bytes.h"
#include "store/record_bits.h"

namespace twinsift {
namespace {

constexpr std::uint32_t kForget = 1;

template <class T>
std::optional<T> number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

// "64/128/256": ascending, at most kMaxPlanes.
std::optional<std::vector<std::uint32_t>> parse_looks(std::string_view text) {
  std::vector<std::uint32_t> looks;
  while (true) {
    const std::size_t slash = text.find('/');
    const auto look = number<std::uint32_t>(text.substr(0, slash));
    if (!look || *look <= (looks.empty() ? 0 : looks.back())) return {};
    looks.push_back(*look);
    if (slash == std::string_view::npos) break;
    text.remove_prefix(slash + 1);
  }
  if (looks.size() > kMaxPlanes) return {};
  return looks;
}

// One line of INFO; false if its value makes no sense or comes in the wrong place.
Result<bool> read_info_line(std::string_view word, std::string_view value, SegmentInfo& info) {
  const auto set_sequence = [&](std::uint64_t& sequence) {
    const auto n = number<std::uint64_t>(value);
    sequence = n.value_or(0);
    return n.has_value();
  };
  if (word == "first") return set_sequence(info.first_sequence);
  if (word == "last") return set_sequence(info.last_sequence);
  if (word == "detector") {
    const auto detector = number<std::uint32_t>(value);
    const DetectorId before = info.shelves.empty() ? 0 : info.shelves.back().detector;
    if (!detector || *detector <= before) return false;
    info.shelves.push_back({.detector = *detector, .sketch = {}, .index = {}, .looks = {}});
    return true;
  }
  if (word != "sketch" && word != "index" && word != "looks") {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("has \"{}\" in its section INFO, which this twinsift does not know; "
                             "use a newer twinsift",
                             word)};
  }
  if (info.shelves.empty() || value.empty()) return false;
  if (word == "sketch") info.shelves.back().sketch = value;
  if (word == "index") info.shelves.back().index = value;
  if (word == "looks") {
    const auto looks = parse_looks(value);
    info.shelves.back().looks = looks.value_or(std::vector<std::uint32_t>{});
    return looks.has_value();
  }
  return true;
}

}  // namespace

std::span<const SectionName> segment_sections() {
  static const std::vector<SectionName> names = [] {
    std::vector<SectionName> all = {kInfoSection,   kFileSection,    kPathSection,
                                    kDigestSection, kContentSection, kRowSection,
                                    kKeySection,    kVerdictSection, kRemovedSection};
    for (std::size_t plane = 0; plane < kMaxPlanes; ++plane) all.push_back(plane_section(plane));
    return all;
  }();
  return names;
}

void append_file(std::string& bytes, const FileView& file, std::uint64_t path_offset) {
  for (const std::uint64_t value : {file.volume, file.part, file.device, file.inode, file.size}) {
    append(bytes, value);
  }
  for (const std::int64_t time : {file.mtime_ns, file.ctime_ns, file.seen_ns}) append(bytes, time);
  append(bytes, file.digest.value_or(Digest{}));
  append(bytes, (file.digest ? kFileDigest : 0U) | (file.dropped ? kFileDropped : 0U) |
                    file.unrecognised_by << kFileUnrecognisedShift);
  append(bytes, static_cast<std::uint32_t>(file.path.size()));
  append(bytes, path_offset);
  append(bytes, file.sequence);
}

std::optional<StoredFile> decode_file(std::span<const std::byte> bytes) {
  assert(bytes.size() == kFileEntryBytes);
  const std::byte* const at = bytes.data();
  const auto flags = load<std::uint32_t>(at + 80);
  constexpr std::uint32_t kReserved = (1U << kFileUnrecognisedShift) - 1;
  if ((flags & kReserved & ~(kFileDigest | kFileDropped)) != 0) return {};
  StoredFile stored{
      .file = {.path = {},
               .part = load<std::uint64_t>(at + 8),
               .volume = load<std::uint64_t>(at),
               .device = load<std::uint64_t>(at + 16),
               .inode = load<std::uint64_t>(at + 24),
               .size = load<std::uint64_t>(at + 32),
               .mtime_ns = load<std::int64_t>(at + 40),
               .ctime_ns = load<std::int64_t>(at + 48),
               .seen_ns = load<std::int64_t>(at + 56),
               .unrecognised_by = flags >> kFileUnrecognisedShift,
               .dropped = (flags & kFileDropped) != 0,
               .sequence = load<std::uint64_t>(at + 96)},
      .path = {.offset = load<std::uint64_t>(at + 88), .length = load<std::uint32_t>(at + 84)}};
  if ((flags & kFileDigest) != 0) stored.file.digest = digest_of_file(bytes);
  return stored;
}

Digest digest_of_file(std::span<const std::byte> bytes) { return load_digest(bytes.data() + 64); }

void append_content(std::string& bytes, const ContentPlace& place) {
  append(bytes, place.digest);
  append(bytes, place.data_file);
  append(bytes, place.offset);
  append(bytes, place.features);
  append(bytes, static_cast<std::uint32_t>(place.state));
  append(bytes, place.row);
  append(bytes, place.bytes);
}

std::optional<ContentPlace> decode_content(std::span<const std::byte> bytes) {
  assert(bytes.size() == kContentEntryBytes);
  const std::byte* const at = bytes.data();
  const auto state = load<std::uint32_t>(at + 36);
  if (state > static_cast<std::uint32_t>(ContentState::kDropped)) return {};
  return ContentPlace{.digest = load_digest(at),
                      .data_file = load<std::uint64_t>(at + 16),
                      .offset = load<std::uint64_t>(at + 24),
                      .features = load<std::uint32_t>(at + 32),
                      .state = static_cast<ContentState>(state),
                      .row = load<std::uint32_t>(at + 40),
                      .bytes = load<std::uint32_t>(at + 44)};
}

void append_verdict(std::string& bytes, const VerdictRecord& verdict) {
  append(bytes, verdict.a);
  append(bytes, verdict.b);
  append(bytes, static_cast<std::uint32_t>(verdict.verdict));
  append(bytes, std::uint32_t{0});
  append(bytes, verdict.when_ns);
}

std::optional<VerdictRecord> decode_verdict(std::span<const std::byte> bytes) {
  assert(bytes.size() == kVerdictEntryBytes);
  const std::byte* const at = bytes.data();
  const auto kind = load<std::uint32_t>(at + 32);
  if (kind > static_cast<std::uint32_t>(VerdictKind::kRelated)) return {};
  return VerdictRecord{.a = load_digest(at),
                       .b = load_digest(at + 16),
                       .verdict = static_cast<VerdictKind>(kind),
                       .when_ns = load<std::int64_t>(at + 40)};
}

void append_removed(std::string& bytes, const RemovedRecord& removed, std::uint64_t path_offset) {
  append(bytes, removed.digest);
  append(bytes, removed.when_ns);
  append(bytes, path_offset);
  append(bytes, static_cast<std::uint32_t>(removed.path.size()));
  append(bytes, removed.forget ? kForget : 0);
}

std::optional<StoredRemoved> decode_removed(std::span<const std::byte> bytes) {
  assert(bytes.size() == kRemovedEntryBytes);
  const std::byte* const at = bytes.data();
  const auto flags = load<std::uint32_t>(at + 36);
  if (flags > kForget) return {};
  return StoredRemoved{
      .removed = {.digest = load_digest(at),
                  .when_ns = load<std::int64_t>(at + 16),
                  .path = {},
                  .forget = flags == kForget},
      .path = {.offset = load<std::uint64_t>(at + 24), .length = load<std::uint32_t>(at + 32)}};
}

std::string encode_info(std::uint64_t first_sequence, std::uint64_t last_sequence,
                        std::span<const ShelfSpec> shelves) {
  std::string text = fmt::format("first {}\nlast {}\n", first_sequence, last_sequence);
  for (const ShelfSpec& shelf : shelves) {
    text += fmt::format("detector {}\n", shelf.detector);
    if (shelf.sketch.empty()) continue;
    text += fmt::format("sketch {}\nindex {}\nlooks {}\n", shelf.sketch, shelf.index,
                        fmt::join(shelf.looks, "/"));
  }
  return text;
}

Result<SegmentInfo> decode_info(std::string_view text) {
  const Error corrupt{ErrorCode::kCorrupt, "section INFO makes no sense"};
  SegmentInfo info;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return corrupt;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos) return corrupt;
    TWINSIFT_TRY(const bool good,
                 read_info_line(line.substr(0, space), line.substr(space + 1), info));
    if (!good) return corrupt;
  }
  for (const ShelfSpec& shelf : info.shelves) {
    const bool rows = !shelf.sketch.empty();
    if (rows == shelf.index.empty() || rows == shelf.looks.empty()) return corrupt;
  }
  return info;
}

}  // namespace twinsift
