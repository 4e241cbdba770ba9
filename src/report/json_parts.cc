// SPDX-License-Identifier: Apache-2.0
#include "report/json_parts.h"

#include <cmath>
#include <iterator>
#include <span>

#include <fmt/compile.h>
#include <fmt/format.h>

#include "base/escape.h"
#include "report/facts.h"
#include "report/picture_words.h"

namespace twinsift {
namespace {

// Fixed digits, so that equal runs give equal bytes.  JSON has no word for NaN.  Copies are the
// most frequent pairs, and a report may have a million of them.
std::string number(double x) {
  if (x == 1) return "1.000000";
  return fmt::format(FMT_COMPILE("{:.6f}"), std::isfinite(x) ? x : 0.0);
}

std::string quoted(std::string_view text) {
  std::string out;
  json_string(text, out);
  return out;
}

// Calls append(element) for each element, with commas between, in brackets.
template <class Range, class Append>
void append_array(const Range& range, std::string& out, Append append) {
  out += '[';
  bool first = true;
  for (const auto& element : range) {
    if (!first) out += ',';
    first = false;
    append(element);
  }
  out += ']';
}

void append_strings(const std::vector<std::string>& strings, std::string& out) {
  append_array(strings, out, [&](const std::string& s) { json_string(s, out); });
}

void append_links(const std::vector<std::string>& links, std::string& out) {
  if (links.empty()) return;
  out += ",\"links\":";
  append_array(links, out, [&](const std::string& link) {
    out += '{';
    append_path("path", link, out);
    out += '}';
  });
}

std::string passage(const Passage& p) {
  return fmt::format(R"({{"a":[{},{}],"b":[{},{}],"words":{}}})", p.a.begin, p.a.length, p.b.begin,
                     p.b.length, p.words);
}

std::string place(const Point& p) { return fmt::format("[{},{}]", number(p.x), number(p.y)); }

void append_placement(const Placement& p, std::string& out) {
  out += fmt::format(
      R"({{"mirrored":{},"turned":{},"scale":{},"covered_a":{},"covered_b":{},"a_to_b":)",
      p.mirrored, number(p.turned), number(p.scale), number(p.covered_a), number(p.covered_b));
  append_array(p.a_to_b, out, [&](double entry) { out += number(entry); });
  out += ",\"frame_of_b\":";
  append_array(p.frame_of_b, out, [&](const Point& corner) { out += place(corner); });
  out += fmt::format(",\"matched\":{}", matched_points(p));
  if (!p.points.empty()) {
    out += ",\"points\":";
    append_array(p.points, out, [&](const PointPair& pair) {
      out += fmt::format(R"({{"a":{},"b":{}}})", place(pair.a), place(pair.b));
    });
  }
  out += '}';
}

void append_timeline(std::string_view key, const Timeline& t, std::string& out) {
  out +=
      fmt::format(R"(,"{}":{{"seconds_a":{},"seconds_b":{},"speed":{},"pitch":{},"agreement":{})",
                  key, number(t.seconds_a), number(t.seconds_b), number(t.speed), number(t.pitch),
                  number(t.agreement));
  if (key == "film") out += fmt::format(",\"mirrored\":{}", t.mirrored);
  out += ",\"stretches\":";
  append_array(t.stretches, out, [&](const Stretch& s) {
    out += fmt::format("[{},{},{},{}]", number(s.begin_a), number(s.end_a), number(s.begin_b),
                       number(s.end_b));
  });
  out += '}';
}

// With the place of each part in the group or, if there are any, the path that stands there.
void append_coverage(const Coverage& coverage, std::span<const std::string> paths,
                     std::string& out) {
  out += fmt::format(R"("seconds":{},"share":{},"parts":)", number(coverage.seconds),
                     number(coverage.share));
  append_array(coverage.parts, out, [&](const Coverage::Part& part) {
    out += '{';
    if (paths.empty()) {
      out += fmt::format("\"member\":{}", part.member);
    } else {
      append_path("path", paths[part.member], out);
    }
    out += fmt::format(R"(,"begin":{},"end":{}}})", number(part.begin), number(part.end));
  });
  const auto append_span = [&](const Coverage::Interval& span) {
    out += fmt::format("[{},{}]", number(span.first), number(span.second));
  };
  out += ",\"gaps\":";
  append_array(coverage.gaps, out, append_span);
  out += ",\"overlaps\":";
  append_array(coverage.overlaps, out, append_span);
}

void append_pair(const MemberPair& pair, std::string& out) {
  fmt::format_to(
      std::back_inserter(out),
      FMT_COMPILE(
          R"({{"a":{},"b":{},"score":{},"exact":true,"identical":{},"relation":"{}","evidence":)"),
      pair.a, pair.b, number(pair.score), pair.identical, relation_name(pair.relation));
  append_evidence(pair.evidence, out);
  out += '}';
}

void append_stage(const StageStats& stage, std::string& out) {
  out += fmt::format(R"({{"name":{},"items":{},"bytes":{},"seconds":{})", quoted(stage.name),
                     stage.items, stage.bytes, number(stage.seconds));
  for (const auto& [name, count] : stage.counts) out += fmt::format(",{}:{}", quoted(name), count);
  out += '}';
}

}  // namespace

void append_path(std::string_view key, std::string_view path, std::string& out) {
  out.append("\"").append(key).append("\":");
  if (is_utf8(path)) {
    json_string(path, out);
  } else {
    json_string(escape_for_terminal(path), out);
    out += fmt::format(",\"{}_b64\":\"{}\"", key, base64(path));
  }
}

void append_member(const Member& member, std::string_view role, std::string& out) {
  out += '{';
  append_path("path", member.path, out);
  fmt::format_to(std::back_inserter(out), FMT_COMPILE(",\"size\":{},\"mtime\":\"{}\",\"digest\":"),
                 member.size, utc_time(member.mtime_ns));
  json_string(member.digest, out);
  if (!role.empty()) out.append(",\"role\":\"").append(role).append("\"");
  if (member.reference) out += ",\"reference\":true";
  append_links(member.links, out);
  out += ",\"facts\":{";
  for (const auto& [name, value] : member.facts) {
    if (&name != &member.facts.front().first) out += ',';
    json_string(name, out);
    out += ':';
    json_string(value, out);
  }
  out += "}}";
}

void append_evidence(const Evidence& e, std::string& out) {
  fmt::format_to(
      std::back_inserter(out),
      FMT_COMPILE(
          R"({{"jaccard":{},"containment_a":{},"containment_b":{},"shared":{},"total_a":{},"total_b":{})"),
      number(e.jaccard), number(e.containment_a), number(e.containment_b), e.shared, e.total_a,
      e.total_b);
  if (e.longest.a.length > 0) out += ",\"longest\":" + passage(e.longest);
  if (!e.passages.empty()) {
    out += ",\"passages\":";
    append_array(e.passages, out, [&](const Passage& p) { out += passage(p); });
  }
  if (e.bits) out += fmt::format(",\"bits\":{}", *e.bits);
  if (e.learned_bits) out += fmt::format(",\"learned_bits\":{}", *e.learned_bits);
  if (e.correlation) out += fmt::format(",\"correlation\":{}", number(*e.correlation));
  if (e.same_pixels) out += ",\"same_pixels\":true";
  if (e.placement) {
    out += ",\"placement\":";
    append_placement(*e.placement, out);
  }
  if (e.sound) append_timeline("sound", *e.sound, out);
  if (e.film) append_timeline("film", *e.film, out);
  out += '}';
}

void append_run(const RunInfo& run, std::string& out) {
  out += fmt::format(
      R"("version":{},"command":{},"started":{},"threshold":{},"recall":{},"level":{},"detectors":)",
      quoted(run.version), quoted(run.command), quoted(run.started), number(run.threshold),
      number(run.recall), quoted(run.level));
  append_strings(run.detectors, out);
  out += fmt::format(",\"guarantee\":{},\"threads\":{}", quoted(run.guarantee), run.threads);
  if (run.folder.empty()) return;
  out += ',';
  append_path("folder", run.folder, out);
}

void append_progress(const Progress& progress, std::string& out) {
  out += fmt::format(R"("stage":{},"items":{},"total_items":{},"bytes":{},"total_bytes":{},)",
                     quoted(progress.stage), progress.items, progress.total_items, progress.bytes,
                     progress.total_bytes);
  append_path("current", progress.current, out);
}

void append_skipped(const Skipped& skipped, std::string& out) {
  append_path("path", skipped.path, out);
  out +=
      fmt::format(",\"reason\":{},\"detail\":{}", quoted(skipped.reason), quoted(skipped.detail));
}

void append_group(const Group& group, std::string& out) {
  out += fmt::format(R"("id":{},"medium":{},"score":{},"members":)", group.id, quoted(group.medium),
                     number(group.score));
  const auto pairs = pairs_by_member(group);
  append_array(group.members, out, [&](const Member& member) {
    const auto place = static_cast<std::size_t>(&member - group.members.data());
    append_member(member, role_of(group, place, pairs[place]), out);
  });
  out += ",\"pairs\":";
  append_array(group.pairs, out, [&](const MemberPair& pair) { append_pair(pair, out); });
  if (const auto coverage = coverage_of(group)) {
    out += ",\"coverage\":{";
    append_coverage(*coverage, {}, out);
    out += '}';
  }
}

void append_link(const RecordingLink& link, std::string& out) {
  append_path("a", link.a, out);
  out += ',';
  append_path("b", link.b, out);
  out += fmt::format(R"(,"medium":{},"score":{},"relation":"{}")", quoted(link.medium),
                     number(link.score), relation_name(link.relation));
  if (link.sound) append_timeline("sound", *link.sound, out);
  if (link.film) append_timeline("film", *link.film, out);
}

void append_together(const LinkedCoverage& linked, std::string& out) {
  append_path("path", linked.path, out);
  out += fmt::format(",\"medium\":{},", quoted(linked.medium));
  append_coverage(linked.coverage, linked.others, out);
}

void append_folder(const FolderPair& pair, std::string& out) {
  append_path("a", pair.a, out);
  out += ',';
  append_path("b", pair.b, out);
  out += fmt::format(R"(,"relation":"{}","jaccard":{},"containment_a":{},"containment_b":{},)",
                     relation_name(pair.relation), number(pair.jaccard), number(pair.containment_a),
                     number(pair.containment_b));
  out += fmt::format(R"("both":{},"only_a":{},"only_b":{},)", pair.both, pair.only_a, pair.only_b);
  out += fmt::format(R"("both_bytes":{},"only_a_bytes":{},"only_b_bytes":{})", pair.both_bytes,
                     pair.only_a_bytes, pair.only_b_bytes);
}

void append_notes_and_stats(const Report& report, std::string& out) {
  out += "\"notes\":";
  append_strings(report.notes, out);
  out += ",\"stats\":{\"stages\":";
  append_array(report.stages, out, [&](const StageStats& stage) { append_stage(stage, out); });
  out += fmt::format(",\"peak_rss\":{}}}", report.peak_rss);
}

}  // namespace twinsift
