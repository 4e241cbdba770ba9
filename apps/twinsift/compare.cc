// SPDX-License-Identifier: Apache-2.0
// twinsift compare A B
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <unistd.h>

#include "base/escape.h"
#include "commands.h"
#include "json.h"
#include "output.h"
#include "report/facts.h"
#include "report/highlight.h"
#include "report/json_parts.h"
#include "report/picture_words.h"
#include "report/recording_text.h"
#include "report/recording_words.h"
#include "signals.h"
#include "terminal.h"
#include "twinsift/pipeline.h"

namespace twinsift::cli {
namespace {

constexpr double kUsualThreshold = 0.8;  // what level "same" means for text

std::string quote_passage(const Comparison& c, std::size_t most) {
  const Span& span = c.evidence.longest.a;
  if (span.begin > c.text_a.size()) return "";
  std::string text = c.text_a.substr(span.begin, span.length);
  const auto blank = [](char ch) { return ch == ' ' || (ch >= '\t' && ch <= '\r'); };
  std::ranges::replace_if(text, blank, ' ');
  const auto both = [](char one, char next) { return one == ' ' && next == ' '; };
  text.erase(std::unique(text.begin(), text.end(), both), text.end());
  text = escape_for_terminal(text);
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

constexpr std::array<std::string_view, 3> kVerdicts = {"reject", "accept", "verify"};

// How far the estimate is from the truth, in what it says of itself.
std::string distance(const Estimate& estimate, double exact) {
  const double difference = estimate.value - exact;
  if (difference == 0) return "the exact value";
  const std::string_view side = difference < 0 ? "below" : "above";
  const double size = std::abs(difference);
  // Sketches that agree everywhere or nowhere know no error.
  if (estimate.std_error == 0) return fmt::format("{:.4f} {} the exact value", size, side);
  return fmt::format("{:.1f} standard errors {} the exact value", size / estimate.std_error, side);
}

std::string sketch_as_text(const Comparison& c) {
  if (!c.sketch) return "sketch       none: there is too little in one of the files\n";
  const SketchOpinion& s = *c.sketch;
  std::string out =
      fmt::format("sketch       {}\nestimate     {:.4f} +- {:.4f}, {}\n", s.sketch,
                  s.estimate.value, s.estimate.std_error, distance(s.estimate, c.score));
  const std::string_view verdict = s.verdict == Verdict::kOpen
                                       ? "left to exact verification"
                                       : kVerdicts[static_cast<std::size_t>(s.verdict)];
  return out + fmt::format("filter       {}\nverdict      {} after {} of {} components\n", s.filter,
                           verdict, human_count(s.components_read), human_count(s.components));
}

std::string sketch_as_json(const std::optional<SketchOpinion>& sketch) {
  if (!sketch) return "null";
  JsonObject out;
  out.text("spec", sketch->sketch)
      .share("estimate", sketch->estimate.value)
      .share("standard_error", sketch->estimate.std_error)
      .text("filter", sketch->filter)
      .text("verdict", kVerdicts[static_cast<std::size_t>(sketch->verdict)])
      .number("components_read", sketch->components_read)
      .number("components", sketch->components);
  return out.str();
}

// What of a comparison is to be shown.
struct View {
  bool explain = false;
  bool sketch = false;
  bool colour = false;
  std::size_t width = 80;
};

std::string as_text(const Comparison& c, const View& view) {
  const Evidence& e = c.evidence;
  std::string out =
      fmt::format("similarity   {:.4f}{}\n", c.score, c.identical ? " (identical bytes)" : "");
  if (e.total_a > 0 || e.total_b > 0) {
    out += fmt::format("Jaccard      {:.4f} ({} of {} features shared)\n", e.jaccard,
                       human_count(e.shared), human_count(e.total_a + e.total_b - e.shared));
    out +=
        fmt::format("A in B       {:.4f} ({})\n", e.containment_a, escape_for_terminal(c.a.path));
    out +=
        fmt::format("B in A       {:.4f} ({})\n", e.containment_b, escape_for_terminal(c.b.path));
  }
  std::string words = picture_words(e, c.a, c.b, {.a = "A", .b = "B"});
  if (words.empty()) words = recording_words(e, c.a, c.b, {.a = "A", .b = "B"});
  if (!words.empty()) out += fmt::format("B            {}\n", words);
  if (e.longest.words > 0) {
    out += fmt::format("longest run  {} words: \"{}\"\n", human_count(e.longest.words),
                       quote_passage(c, 160));
  }
  if (view.explain && e.film) out += timeline_text("film", *e.film, view.width);
  if (view.explain && e.sound) out += timeline_text("sound", *e.sound, view.width);
  if (view.sketch) out += sketch_as_text(c);
  if (!view.explain || (c.text_a.empty() && c.text_b.empty())) return out;
  out += fmt::format("\n--- A: {}\n{}\n", escape_for_terminal(c.a.path),
                     highlight_terminal(c.text_a, e.passages, true, view.colour));
  out += fmt::format("\n--- B: {}\n{}\n", escape_for_terminal(c.b.path),
                     highlight_terminal(c.text_b, e.passages, false, view.colour));
  return out;
}

std::string member_json(const Member& member) {
  std::string out;
  append_member(member, "", out);
  return out;
}

// Offsets are bytes of the decoded texts, as [begin, length].
std::string as_json(const Comparison& c, const View& view) {
  Evidence told = c.evidence;
  if (!view.explain) {
    told.passages.clear();
    if (told.placement) {
      told.placement->matched = static_cast<std::uint32_t>(matched_points(*told.placement));
      told.placement->points.clear();
    }
  }
  std::string evidence;
  append_evidence(told, evidence);
  JsonObject out;
  out.number("v", 1)
      .text("version", version())
      .raw("a", member_json(c.a))
      .raw("b", member_json(c.b))
      .text("medium", c.medium)
      .share("score", c.score)
      .flag("identical", c.identical)
      .text("relation", relation_name(c.relation))
      .raw("evidence", evidence);
  if (view.sketch) out.raw("sketch", sketch_as_json(c.sketch));
  if (view.explain) out.text("text_a", c.text_a).text("text_b", c.text_b);
  return out.str() + "\n";
}

// The page of a report with this one pair in it.
Result<std::string> as_html(const Comparison& c, const MatchOptions& match) {
  Report report;
  report.run.version = version();
  report.run.command = "compare";
  report.run.threshold = match.threshold;
  report.groups.push_back({.id = 1,
                           .medium = c.medium,
                           .score = c.score,
                           .members = {c.a, c.b},
                           .pairs = {{.a = 0,
                                      .b = 1,
                                      .score = c.score,
                                      .identical = c.identical,
                                      .relation = c.relation,
                                      .evidence = c.evidence,
                                      .text_a = c.text_a,
                                      .text_b = c.text_b,
                                      .preview_a = c.preview_a,
                                      .preview_b = c.preview_b,
                                      .strip_a = c.strip_a,
                                      .strip_b = c.strip_b}}});
  std::string page;
  TWINSIFT_TRY(const auto reporter, make_reporter("html", {}, [&](std::string_view bytes) {
                 page += bytes;
                 return true;
               }));
  reporter->begin(report.run);
  write_report(report, *reporter);
  return page;
}

Result<std::string> render(const Comparison& c, const Arguments& args,
                           const CompareOptions& options) {
  const std::string format = args.text("format", "text");
  const View view{.explain = args.flag("explain"),
                  .sketch = options.sketch,
                  .colour = colour_output(args),
                  .width = terminal_width(STDOUT_FILENO)};
  if (format == "json") return as_json(c, view);
  if (format == "html") return as_html(c, options.match);
  return as_text(c, view);
}

}  // namespace

int run_compare(const Arguments& args) {
  Console console(false, args.flag("quiet"));
  const SignalWatch signals([&] { console.status(); });
  const std::string target = args.text("output", "-");
  if (is_one_of(target, args.operands())) return refuse(console, target);
  CompareOptions options;
  options.match.threshold = args.share("threshold", kUsualThreshold);
  options.match.features = args.text("features", options.match.features);
  options.match.pictures = args.text("pictures", options.match.pictures);
  options.match.sound = args.text("sound", options.match.sound);
  options.match.film = args.text("film", options.match.film);
  options.match.sketch = args.text("sketch", options.match.sketch);
  options.match.filter = args.text("filter", options.match.filter);
  options.explain = true;
  options.sketch = args.given("sketch") || args.given("filter");
  if (options.sketch && args.text("format", "text") == "html") {
    return fail(console, {ErrorCode::kInvalidArgument,
                          "the html page does not show sketches: leave out --sketch and --filter, "
                          "or take --format text or json"});
  }
  const auto result = compare(args.operands()[0], args.operands()[1], options);
  if (!result) return fail(console, result.error());
  const auto rendered = render(*result, args, options);
  if (!rendered) return fail(console, rendered.error());
  auto output = Output::open(target);
  if (!output) return fail(console, output.error());
  output->write(*rendered);
  const auto written = output->finish();
  if (!written) return fail(console, written.error());
  return finished(args, result->identical || result->score >= options.match.threshold, false);
}

}  // namespace twinsift::cli
