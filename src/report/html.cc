// SPDX-License-Identifier: Apache-2.0
// html: one page that opens from disk and needs nothing else.
//
// The page is written as it comes: groups and folders as JSON islands that the script reads at
// the end, side-by-side texts as templates between them.  Texts are cut here and not in the
// browser, because passages count bytes of UTF-8 and a browser counts UTF-16 units.
#include <algorithm>

#include <fmt/format.h>

#include "base/escape.h"
#include "base/sha256.h"
#include "media/preview.h"
#include "report/facts.h"
#include "report/formats.h"
#include "report/highlight.h"
#include "report/html_page.h"
#include "report/html_recording_parts.h"
#include "report/json_parts.h"
#include "report/picture_words.h"
#include "report/recording_words.h"

namespace twinsift {
namespace {

constexpr std::size_t kMaxViews = 200;                // side-by-side texts in one page
constexpr std::size_t kMaxTextBytes = 200'000;        // of each text
constexpr std::uint32_t kColours = 8;                 // classes c0 ... c7 of the style
constexpr std::size_t kMaxPictureGroups = 300;        // with previews
constexpr std::size_t kMaxRecordingGroups = 300;      // with waveforms and frames
constexpr std::size_t kMaxPictureBytes = 40'000'000;  // of all previews together, before base64

std::string hash_source(std::string_view content) {
  return "'sha256-" + base64(sha256(content)) + "'";
}

std::string page_script() {
  std::string script;
  // The page comes first, with 'use strict' and what the others use; it runs when all is declared.
  for (const std::string_view part : {kPageScript, kPictureScript, kRecordingScript}) {
    script += part;
  }
  return script;
}

// Only the script and the style of this very page may run, and nothing may be loaded but recordings
// from this machine, when somebody plays them.
std::string page_head() {
  std::string style;
  for (const std::string_view part : {kPageStyle, kPictureStyle, kRecordingStyle}) style += part;
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src {}; "
      "style-src {}; img-src data:; media-src file:; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<title>twinsift report</title>\n<link rel=\"icon\" href=\"data:,\">\n"
      "<style>{}</style>\n</head>\n<body>",
      hash_source(page_script()), hash_source(style), style);
}

// A '<' occurs in JSON only within strings; escaped there, it can neither end the island nor
// begin a comment.
void append_island_safe(std::string_view json, std::string& out) {
  for (const char c : json) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
}

// Says of each pair why, in the words of the text report.
void append_picture_words(const Group& group, std::string& out) {
  out += ",\"words\":[";
  for (const MemberPair& pair : group.pairs) {
    if (&pair != &group.pairs.front()) out += ',';
    if (std::max(pair.a, pair.b) >= group.members.size()) {
      out += "\"\"";
      continue;
    }
    json_string(picture_words(pair.evidence, group.members[pair.a], group.members[pair.b],
                              {.a = "A", .b = "B"}),
                out);
  }
  out += ']';
}

// The previews of the members: each pair brings two, and the one to keep is in many.
std::vector<std::string_view> previews_of(const Group& group) {
  std::vector<std::string_view> previews(group.members.size());
  for (const MemberPair& pair : group.pairs) {
    if (std::max(pair.a, pair.b) >= previews.size()) continue;
    if (previews[pair.a].empty()) previews[pair.a] = pair.preview_a;
    if (previews[pair.b].empty()) previews[pair.b] = pair.preview_b;
  }
  return previews;
}

void append_text(std::string_view text, std::span<const Passage> passages, Side side,
                 std::string& out) {
  const std::string_view shown = text.substr(0, character_boundary(text, kMaxTextBytes));
  out += fmt::format(
      "<section class=\"side\"><h3>{0}</h3><div class=\"text\" dir=\"auto\" tabindex=\"0\" "
      "role=\"region\" aria-label=\"Text {0}\">",
      side == Side::kA ? "A" : "B");
  for (const auto& [span, number] : cut_at_passages(shown, passages, side)) {
    const std::string part = html_escape(shown.substr(span.begin, span.length));
    if (number == 0) {
      out += fmt::format("<span class=\"only\">{}</span>", part);
    } else {
      out += fmt::format("<mark class=\"c{}\" data-n=\"{}\">{}</mark>", (number - 1) % kColours,
                         number, part);
    }
  }
  if (shown.size() < text.size()) {
    out += fmt::format("<span class=\"cut\">The other {} are not shown.</span>",
                       counted(text.size() - shown.size(), "byte"));
  }
  out += "</div></section>";
}

class HtmlReporter final : public SinkReporter {
 public:
  using SinkReporter::SinkReporter;

  void begin(const RunInfo& /*run*/) override { write(page_head() + std::string(kPageBody)); }

  void group(const Group& group) override {
    std::string json = "{";
    append_group(group, json);
    if (group.medium == "image") append_picture_words(group, json);
    const bool recordings = is_recording(group);
    if (recordings) {
      append_recording_fields(group, recording_groups_ < kMaxRecordingGroups, json);
    }
    island_item("groups", json + '}');
    for (std::size_t i = 0; i < group.pairs.size(); ++i) view(group.id, i, group.pairs[i]);
    if (group.medium == "image") pictures(group);
    if (recordings) strips(group);
  }

  void link(const RecordingLink& link) override {
    std::string json = "{";
    append_link(link, json);
    json += ",\"words\":";
    json_string(link_words(link, {.a = "the first", .b = "the second"}), json);
    island_item("links", json + '}');
  }

  void folder(const FolderPair& pair) override {
    std::string json = "{";
    append_folder(pair, json);
    island_item("folders", json + '}');
  }

  void end(const Report& report) override {
    std::string json = "{\"run\":{";
    append_run(report.run, json);
    json += "},\"skipped\":[";
    for (const Skipped& skipped : report.skipped) {
      if (&skipped != &report.skipped.front()) json += ',';
      json += '{';
      append_skipped(skipped, json);
      json += '}';
    }
    json += "],\"together\":[";
    for (const LinkedCoverage& linked : linked_coverage(report)) {
      if (json.back() != '[') json += ',';
      json += '{';
      append_path("path", linked.path, json);
      json += ",\"words\":";
      json_string(coverage_words(linked), json);
      json += '}';
    }
    json += "],";
    append_notes_and_stats(report, json);
    json +=
        fmt::format(R"(,"pictures":{{"shown":{},"left_out":{}}})", pictures_, pictures_left_out_);
    island_item("rest", json + '}');
    close_island();
    write(fmt::format("<script>{}</script>\n</body>\n</html>\n", page_script()));
  }

 private:
  void close_island() {
    if (!island_.empty()) write("]</script>\n");
    island_ = "";
  }

  // `part` must be a literal.
  void island_item(std::string_view part, std::string_view json) {
    std::string out = ",\n";
    if (island_ != part) {
      close_island();
      out = fmt::format("<script type=\"application/json\" data-part=\"{}\">[", part);
      island_ = part;
    }
    append_island_safe(json, out);
    write(out);
  }

  void view(std::uint64_t group, std::size_t index, const MemberPair& pair) {
    if (pair.text_a.empty() || pair.text_b.empty() || views_ == kMaxViews) return;
    ++views_;
    close_island();
    std::string out = fmt::format(
        "<template id=\"view-{}-{}\"><div class=\"tools\">"
        "<button type=\"button\" data-do=\"previous\">Previous passage</button>"
        "<button type=\"button\" data-do=\"next\">Next passage</button>"
        "<button type=\"button\" data-do=\"differ\" aria-pressed=\"false\">"
        "Only in A / only in B</button></div><div class=\"texts\">",
        group, index);
    append_text(pair.text_a, pair.evidence.passages, Side::kA, out);
    append_text(pair.text_b, pair.evidence.passages, Side::kB, out);
    write(out + "</div></template>\n");
  }

  // Only what is a picture by its head becomes one in the page.
  void pictures(const Group& group) {
    const std::vector<std::string_view> previews = previews_of(group);
    std::size_t written = 0;
    for (std::size_t i = 0; i < previews.size(); ++i) {
      const auto size = preview_size(previews[i]);
      if (!size) continue;
      if (picture_groups_ == kMaxPictureGroups ||
          previews[i].size() > kMaxPictureBytes - picture_bytes_) {
        ++pictures_left_out_;
        continue;
      }
      ++written;
      picture_bytes_ += previews[i].size();
      close_island();
      write(
          fmt::format("<template id=\"picture-{}-{}\"><img alt=\"\" width=\"{}\" height=\"{}\" "
                      "decoding=\"async\" src=\"data:{};base64,{}\"></template>\n",
                      group.id, i, size->width, size->height, size->type, base64(previews[i])));
    }
    pictures_ += written;
    picture_groups_ += written > 0 ? 1 : 0;
  }

  // As long as there is room; a group beyond the limits still has its timelines.
  void strips(const Group& group) {
    if (recording_groups_ == kMaxRecordingGroups) return;
    ++recording_groups_;
    const std::vector<const RecordingStrip*> strips = strips_of(group);
    for (std::size_t i = 0; i < strips.size(); ++i) {
      if (strips[i] == nullptr) continue;
      const std::string frames = frames_template(group.id, i, *strips[i]);
      if (frames.empty()) continue;
      if (frames.size() > kMaxPictureBytes - picture_bytes_) {
        ++pictures_left_out_;
        continue;
      }
      ++pictures_;
      picture_bytes_ += frames.size();
      close_island();
      write(frames);
    }
  }

  std::string_view island_;  // the part whose array is open, or empty
  std::size_t views_ = 0;
  std::size_t picture_groups_ = 0;
  std::size_t picture_bytes_ = 0;
  std::size_t recording_groups_ = 0;
  std::size_t pictures_ = 0;
  std::size_t pictures_left_out_ = 0;
};

}  // namespace

std::unique_ptr<Reporter> make_html_reporter(ReportOptions /*options*/, Sink sink) {
  return std::make_unique<HtmlReporter>(std::move(sink));
}

}  // namespace twinsift
