// SPDX-License-Identifier: Apache-2.0
#include "report/html_recording_parts.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/escape.h"
#include "media/preview.h"
#include "report/coverage.h"
#include "report/facts.h"
#include "report/must_stay.h"
#include "report/recording_words.h"

namespace twinsift {
namespace {

// What our own strips do not exceed; a page should not become unusable for a strange one.
constexpr std::size_t kMaxPeaks = 10'000;
constexpr std::size_t kMaxFrames = 100;

bool names_members(const Group& group, const MemberPair& pair) {
  return std::max(pair.a, pair.b) < group.members.size();
}

// ,"key":[...] with what append(pair) writes for each pair.
template <class Append>
void append_of_pairs(std::string_view key, const Group& group, std::string& out, Append append) {
  out += fmt::format(",\"{}\":[", key);
  for (const MemberPair& pair : group.pairs) {
    if (&pair != &group.pairs.front()) out += ',';
    append(pair);
  }
  out += ']';
}

void append_changes(const MemberPair& pair, std::string& out) {
  out += '[';
  bool first = true;
  for (const std::string& change : change_words(pair.evidence)) {
    if (!first) out += ',';
    first = false;
    json_string(change, out);
  }
  out += ']';
}

void append_strips(const Group& group, std::string& out) {
  out += ",\"strips\":[";
  bool first = true;
  for (const RecordingStrip* strip : strips_of(group)) {
    if (!first) out += ',';
    first = false;
    if (strip == nullptr || strip->peaks.empty() || strip->peaks.size() > kMaxPeaks) {
      out += "null";
    } else {
      const std::string peaks(strip->peaks.begin(), strip->peaks.end());
      out += fmt::format(R"({{"peaks":"{}"}})", base64(peaks));
    }
  }
  out += ']';
}

}  // namespace

bool is_recording(const Group& group) {
  return std::ranges::any_of(
      group.pairs, [](const MemberPair& pair) { return main_timeline(pair.evidence) != nullptr; });
}

void append_recording_fields(const Group& group, bool with_peaks, std::string& out) {
  append_of_pairs("words", group, out, [&](const MemberPair& pair) {
    json_string(names_members(group, pair)
                    ? recording_words(pair.evidence, group.members[pair.a], group.members[pair.b],
                                      {.a = "A", .b = "B"})
                    : "",
                out);
  });
  append_of_pairs("changes", group, out,
                  [&](const MemberPair& pair) { append_changes(pair, out); });
  append_of_pairs("stays", group, out, [&](const MemberPair& pair) {
    json_string(must_stay_reason(must_stay(group, pair)), out);
  });
  if (const auto coverage = coverage_of(group)) {
    out += ",\"coverage_words\":";
    json_string(coverage_words(*coverage, group.medium), out);
  }
  out += fmt::format(",\"gain\":{}", bytes_to_gain(group));
  if (with_peaks) append_strips(group, out);
}

std::vector<const RecordingStrip*> strips_of(const Group& group) {
  std::vector<const RecordingStrip*> strips(group.members.size(), nullptr);
  const auto take = [&](std::uint32_t place, const RecordingStrip& strip) {
    if (strips[place] == nullptr && strip.seconds > 0) strips[place] = &strip;
  };
  for (const MemberPair& pair : group.pairs) {
    if (!names_members(group, pair)) continue;
    take(pair.a, pair.strip_a);
    take(pair.b, pair.strip_b);
  }
  return strips;
}

std::string frames_template(std::uint64_t group, std::size_t member, const RecordingStrip& strip) {
  std::string frames;
  for (std::size_t i = 0; i < std::min(strip.frames.size(), kMaxFrames); ++i) {
    const auto& [seconds, picture] = strip.frames[i];
    const auto size = preview_size(picture);
    if (!size) continue;
    frames += fmt::format(
        "<img alt=\"\" data-seconds=\"{:.3f}\" decoding=\"async\" src=\"data:{};base64,{}\">",
        seconds, size->type, base64(picture));
  }
  if (frames.empty()) return "";
  return fmt::format("<template id=\"frames-{}-{}\">{}</template>\n", group, member, frames);
}

}  // namespace twinsift
