// SPDX-License-Identifier: Apache-2.0
#include "store/manifest.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <optional>
#include <set>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>

#include "base/crc32c.h"
#include "base/fd.h"
#include "base/file.h"
#include "ingest/file_system.h"
#include "store/bytes.h"

namespace twinsift {
namespace {

constexpr std::string_view kTitle = "TWINSIFT collection ";
constexpr std::string_view kCrc = "crc ";

// The words of one line, taken from the front.
class Line {
 public:
  explicit Line(std::string_view text) : rest_(text) {}
  std::string_view word() {
    const std::size_t blank = std::min(rest_.find(' '), rest_.size());
    const std::string_view word = rest_.substr(0, blank);
    rest_.remove_prefix(std::min(blank + 1, rest_.size()));
    if (word.empty()) good_ = false;
    return word;
  }
  std::uint64_t number(int base = 10) {
    const std::string_view text = word();
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc{} || end != text.data() + text.size()) good_ = false;
    return value;
  }
  Digest digest() {
    const std::string_view hex = word();
    if (hex.size() != 32) {
      good_ = false;
      return {};
    }
    Line high(hex.substr(0, 16));
    Line low(hex.substr(16));
    const Digest digest{.low = low.number(16), .high = high.number(16)};
    good_ = good_ && low.good() && high.good();
    return digest;
  }
  std::string_view rest() { return std::exchange(rest_, {}); }
  [[nodiscard]] bool good() const { return good_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool good_ = true;
};

std::string hex_of(const CollectionId& id) {
  std::string hex;
  for (const std::uint8_t byte : id) hex += fmt::format("{:02x}", byte);
  return hex;
}

CollectionId parse_id(Line& line) {
  const Digest number = line.digest();
  CollectionId id{};
  for (unsigned i = 0; i < 8; ++i) {
    id[i] = static_cast<std::uint8_t>(number.high >> (56 - 8 * i));
    id[i + 8] = static_cast<std::uint8_t>(number.low >> (56 - 8 * i));
  }
  return id;
}

// Braced lists are evaluated from left to right.  False if the word is not one of ours.
bool parse_line(std::string_view word, Line& line, Manifest& manifest) {
  if (word == "id") {
    manifest.id = parse_id(line);
  } else if (word == "data") {
    manifest.data.push_back(
        {.number = line.number(), .bytes = line.number(), .salt = line.number(16)});
  } else if (word == "segment") {
    manifest.segments.push_back(
        {.number = line.number(), .first = line.number(), .last = line.number()});
  } else if (word == "covered") {
    manifest.covered = {
        .number = line.number(), .offset = line.number(), .sequence = line.number()};
  } else if (word == "detector") {
    manifest.detectors.push_back(
        {.id = static_cast<DetectorId>(line.number()), .spec = std::string(line.rest())});
  } else if (word == "result") {
    manifest.results.push_back(
        {.key = line.digest(), .number = line.number(), .offset = line.number()});
  } else if (word == "next") {
    manifest.next = line.number();
  } else {
    return false;
  }
  return true;
}

// Whether every number stands for one file, and all places are in files that there are.
bool is_sound(const Manifest& manifest) {
  std::set<std::uint64_t> data;
  std::set<std::uint64_t> all;
  for (const auto& d : manifest.data) {
    if (!all.insert(d.number).second || d.bytes < kFileHeaderBytes) return false;
    data.insert(d.number);
  }
  std::uint64_t last = 0;
  for (const auto& s : manifest.segments) {
    if (!all.insert(s.number).second || s.first > s.last || s.last <= last) return false;
    last = s.last;
  }
  const auto& covered = manifest.covered;
  if (covered.number != 0 ? !data.contains(covered.number) : !manifest.segments.empty()) {
    return false;
  }
  const bool ids = std::ranges::all_of(
      manifest.detectors, [](const DetectorRecord& d) { return d.id != 0 && !d.spec.empty(); });
  const bool results =
      std::ranges::all_of(manifest.results, [&](const auto& r) { return data.contains(r.number); });
  return ids && results && last <= covered.sequence && !all.contains(0) &&
         (all.empty() || *all.rbegin() < manifest.next);
}

// The text without its last line, if that has the CRC of the rest.
std::optional<std::string_view> checked_text(std::string_view text) {
  if (!text.ends_with('\n')) return std::nullopt;
  const std::size_t last = text.substr(0, text.size() - 1).rfind('\n');
  if (last == std::string_view::npos) return std::nullopt;
  const std::string_view facts = text.substr(0, last + 1);
  const std::string expected = fmt::format("{}{:08x}\n", kCrc, crc32c(as_bytes(facts)));
  if (text.substr(last + 1) != expected) return std::nullopt;
  return facts;
}

}  // namespace

std::string data_file_name(std::uint64_t number) { return fmt::format("data-{:010}", number); }
std::string segment_name(std::uint64_t number) { return fmt::format("seg-{:010}", number); }

bool is_file_name(std::string_view name) {
  for (const std::string_view prefix : {"data-", "seg-"}) {
    if (!name.starts_with(prefix)) continue;
    const std::string_view digits = name.substr(prefix.size());
    return digits.size() >= 10 && digits.find_first_not_of("0123456789") == std::string_view::npos;
  }
  return false;
}

std::string format_manifest(const Manifest& manifest) {
  std::string text = fmt::format("{}{}\nid {}\n", kTitle, kFormatVersion, hex_of(manifest.id));
  for (const auto& d : manifest.data) {
    text += fmt::format("data {} {} {:016x}\n", d.number, d.bytes, d.salt);
  }
  for (const auto& s : manifest.segments) {
    text += fmt::format("segment {} {} {}\n", s.number, s.first, s.last);
  }
  const auto& covered = manifest.covered;
  text += fmt::format("covered {} {} {}\n", covered.number, covered.offset, covered.sequence);
  for (const auto& d : manifest.detectors) text += fmt::format("detector {} {}\n", d.id, d.spec);
  for (const auto& r : manifest.results) {
    text += fmt::format("result {} {} {}\n", r.key.hex(), r.number, r.offset);
  }
  text += fmt::format("next {}\n", manifest.next);
  return text + fmt::format("{}{:08x}\n", kCrc, crc32c(as_bytes(text)));
}

Result<Manifest> parse_manifest(std::string_view text, std::string_view name) {
  auto facts = checked_text(text);
  if (!facts) return Error{ErrorCode::kCorrupt, fmt::format("{}: is damaged", name)};
  const auto next_line = [&facts] {
    const std::size_t end = facts->find('\n');
    const std::string_view line = facts->substr(0, end);
    facts->remove_prefix(end + 1);
    return line;
  };
  const std::string_view title = next_line();
  if (!title.starts_with(kTitle)) {
    return Error{ErrorCode::kCorrupt, fmt::format("{}: is no manifest of a collection", name)};
  }
  const std::string_view version = title.substr(kTitle.size());
  if (version != std::to_string(kFormatVersion)) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("{}: has format version {}, and this twinsift reads version {}; use a "
                             "newer twinsift",
                             name, version, kFormatVersion)};
  }
  Manifest manifest;
  while (!facts->empty()) {
    const std::string_view whole = next_line();
    Line line(whole);
    const std::string_view word = line.word();
    if (!parse_line(word, line, manifest)) {
      return Error{ErrorCode::kUnsupported,
                   fmt::format("{}: has a line '{}', which this twinsift does not know; use a "
                               "newer twinsift",
                               name, word)};
    }
    if (!line.good()) {
      return Error{ErrorCode::kCorrupt, fmt::format("{}: the line '{}' is wrong", name, whole)};
    }
  }
  if (!is_sound(manifest)) {
    return Error{ErrorCode::kCorrupt, fmt::format("{}: contradicts itself", name)};
  }
  return manifest;
}

Result<std::string> read_manifest(const std::string& folder) {
  constexpr std::size_t kMost = std::size_t{64} << 20U;
  const std::string path = folder + "/MANIFEST";
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return errno_error(path, errno);
  return read_up_to(fd.get(), kMost, path);
}

Status write_manifest(const std::string& folder, const Manifest& manifest) {
  TWINSIFT_TRY(const auto file, AtomicFile::create(folder + "/MANIFEST"));
  TWINSIFT_TRY([[maybe_unused]] auto written, file->write(format_manifest(manifest)));
  return file->commit();
}

}  // namespace twinsift
