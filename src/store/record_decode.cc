// SPDX-License-Identifier: Apache-2.0
// Bytes become records here.  No length is believed before it has been compared with what there is.
#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include "store/bytes.h"
#include "store/record.h"
#include "store/record_bits.h"

namespace twinsift {
namespace {

Error malformed(RecordType type, std::string_view what) {
  return {ErrorCode::kCorrupt, fmt::format("a {} record is malformed: {}", name_of(type), what)};
}

Error unknown(RecordType type, std::string_view what, std::uint32_t value) {
  return {ErrorCode::kUnsupported,
          fmt::format("a {} record has {} {}, which this twinsift does not know; use a newer one",
                      name_of(type), what, value)};
}

// Takes numbers and texts from the front; once something is missing, everything is zero.
class Bytes {
 public:
  explicit Bytes(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <class T>
  T number() {
    const auto bytes = take(sizeof(T));
    return bytes.empty() ? T{0} : load<T>(bytes.data());
  }
  Digest digest() {
    const auto low = number<std::uint64_t>();
    return {.low = low, .high = number<std::uint64_t>()};
  }
  std::span<const std::byte> take(std::uint64_t n) {
    if (n > rest_.size()) {
      short_ = true;
      rest_ = {};
      return {};
    }
    const auto taken = rest_.first(static_cast<std::size_t>(n));
    rest_ = rest_.subspan(static_cast<std::size_t>(n));
    return taken;
  }
  std::string_view text(std::uint64_t n) {
    const auto bytes = take(n);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  [[nodiscard]] bool done() const { return rest_.empty() || short_; }
  // Everything was there, and nothing is left.
  [[nodiscard]] bool exact() const { return !short_ && rest_.empty(); }

 private:
  std::span<const std::byte> rest_;
  bool short_ = false;
};

// Numbers where they lie.  Requires: aligned, which the places of records and fields see to.
template <class T>
std::span<const T> array_of(std::span<const std::byte> bytes) {
  assert(reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(T) == 0);
  return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

Result<std::vector<Fact>> decode_facts(std::span<const std::byte> bytes) {
  std::vector<Fact> facts;
  Bytes in(bytes);
  while (!in.done()) {
    const auto name = in.text(in.number<std::uint16_t>());
    const auto value = in.text(in.number<std::uint32_t>());
    facts.emplace_back(name, value);
  }
  if (!in.exact()) return malformed(RecordType::kContent, "its facts are cut off");
  return facts;
}

Status check_set(const SetView& set) {
  const auto& ids = set.ids;
  if (std::ranges::adjacent_find(ids, std::greater_equal{}) != ids.end()) {
    return malformed(RecordType::kContent, "its features are not in order");
  }
  const auto sound = [](double w) { return std::isfinite(w) && w > 0; };
  if (!std::ranges::all_of(set.weights, sound)) {
    return malformed(RecordType::kContent, "a weight is no positive number");
  }
  return ok();
}

}  // namespace

Result<DetectorRecord> decode_detector_record(std::span<const std::byte> payload) {
  constexpr auto kType = RecordType::kDetector;
  Bytes in(payload);
  DetectorRecord detector{.id = in.number<std::uint32_t>(), .spec = {}};
  detector.spec = in.text(in.number<std::uint32_t>());
  const bool sound = in.exact() && detector.id != 0 && !detector.spec.empty() &&
                     detector.spec.size() <= kMaxSpec &&
                     detector.spec.find('\n') == std::string::npos;
  if (!sound) return malformed(kType, "no id or no spec");
  return detector;
}

Result<FileRecord> decode_file_record(std::span<const std::byte> payload) {
  constexpr auto kType = RecordType::kFile;
  Bytes in(payload);
  FileRecord file;
  file.key.volume = in.number<std::uint64_t>();
  file.key.part = in.number<std::uint64_t>();
  file.device = in.number<std::uint64_t>();
  file.inode = in.number<std::uint64_t>();
  file.size = in.number<std::uint64_t>();
  file.mtime_ns = in.number<std::int64_t>();
  file.ctime_ns = in.number<std::int64_t>();
  file.seen_ns = in.number<std::int64_t>();
  const Digest digest = in.digest();
  const auto flags = in.number<std::uint32_t>();
  file.key.path = in.text(in.number<std::uint32_t>());
  if (!in.exact() || file.key.path.empty()) return malformed(kType, "its length is wrong");
  constexpr std::uint32_t kReserved = (1U << kFileUnrecognisedShift) - 1;
  if ((flags & kReserved & ~(kFileDigest | kFileDropped)) != 0) {
    return unknown(kType, "flags", flags);
  }
  if ((flags & kFileDigest) != 0) {
    file.digest = digest;
  } else if (digest != Digest{}) {
    return malformed(kType, "it has a digest and has none");
  }
  file.unrecognised_by = flags >> kFileUnrecognisedShift;
  file.dropped = (flags & kFileDropped) != 0;
  return file;
}

Result<ContentRecord> decode_content_record(std::span<const std::byte> payload) {
  constexpr auto kType = RecordType::kContent;
  Bytes in(payload);
  ContentRecord content{.digest = in.digest(), .detector = in.number<std::uint32_t>()};
  const auto state = in.number<std::uint32_t>();
  const auto n = in.number<std::uint32_t>();
  const auto tail_bytes = in.number<std::uint32_t>();
  const auto flags = in.number<std::uint32_t>();
  const auto code = in.number<std::uint32_t>();
  if (state > static_cast<std::uint32_t>(ContentState::kDropped)) {
    return unknown(kType, "state", state);
  }
  if ((flags & ~(kContentWeights | kContentPacked)) != 0) return unknown(kType, "flags", flags);
  if (code > static_cast<std::uint32_t>(ErrorCode::kCancelled)) {
    return unknown(kType, "error code", code);
  }
  content.state = static_cast<ContentState>(state);
  const auto ids = in.take(std::uint64_t{8} * n);
  const auto weights = in.take((flags & kContentWeights) != 0 ? std::uint64_t{8} * n : 0);
  const auto tail = in.take(tail_bytes);
  if (!in.exact()) return malformed(kType, "its length is wrong");
  const bool failed = content.state == ContentState::kFailed;
  const bool weighted_nothing = n == 0 && flags != 0;
  const bool both = flags == (kContentWeights | kContentPacked);
  if (content.detector == 0 || (n > 0 && content.state != ContentState::kFeatures) ||
      (code != 0 && !failed) || weighted_nothing || both) {
    return malformed(kType, "it contradicts itself");
  }
  content.features = SetView(array_of<std::uint64_t>(ids), array_of<double>(weights));
  content.features.packed = flags == kContentPacked;
  if (!content.features.packed) {
    TWINSIFT_TRY([[maybe_unused]] auto sound, check_set(content.features));
  }
  if (failed) {
    content.failure = Error{static_cast<ErrorCode>(code),
                            {reinterpret_cast<const char*>(tail.data()), tail.size()}};
  } else {
    TWINSIFT_TRY(content.facts, decode_facts(tail));
  }
  return content;
}

Result<VerdictRecord> decode_verdict_record(std::span<const std::byte> payload) {
  constexpr auto kType = RecordType::kVerdict;
  Bytes in(payload);
  VerdictRecord verdict{.a = in.digest(), .b = in.digest()};
  const auto kind = in.number<std::uint32_t>();
  const auto zero = in.number<std::uint32_t>();
  verdict.when_ns = in.number<std::int64_t>();
  if (!in.exact() || !(verdict.a < verdict.b)) return malformed(kType, "its pair is not in order");
  if (kind > static_cast<std::uint32_t>(VerdictKind::kRelated)) {
    return unknown(kType, "verdict", kind);
  }
  if (zero != 0) return unknown(kType, "flags", zero);
  verdict.verdict = static_cast<VerdictKind>(kind);
  return verdict;
}

Result<RemovedRecord> decode_removed_record(std::span<const std::byte> payload) {
  constexpr auto kType = RecordType::kRemoved;
  Bytes in(payload);
  RemovedRecord removed{.digest = in.digest(), .when_ns = in.number<std::int64_t>(), .path = {}};
  const auto flags = in.number<std::uint32_t>();
  removed.path = in.text(in.number<std::uint32_t>());
  if (!in.exact()) return malformed(kType, "its length is wrong");
  if ((flags & ~kRemovedForget) != 0) return unknown(kType, "flags", flags);
  removed.forget = flags != 0;
  return removed;
}

Result<ResultRecord> decode_result_record(std::span<const std::byte> payload) {
  Bytes in(payload);
  ResultRecord result{.key = in.digest(), .bytes = {}};
  const auto bytes = in.number<std::uint32_t>();
  const auto zero = in.number<std::uint32_t>();
  result.bytes = in.text(bytes);
  if (!in.exact()) return malformed(RecordType::kResult, "its length is wrong");
  if (zero != 0) return unknown(RecordType::kResult, "flags", zero);
  return result;
}

Result<SyncedRecord> decode_synced_record(std::span<const std::byte> payload) {
  Bytes in(payload);
  const SyncedRecord synced{.offset = in.number<std::uint64_t>()};
  if (!in.exact()) return malformed(RecordType::kSynced, "its length is wrong");
  return synced;
}

}  // namespace twinsift
