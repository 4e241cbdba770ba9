// SPDX-License-Identifier: Apache-2.0
// twinsift compare A B
#include <algorithm>

#include <fmt/format.h>
#include <unistd.h>

#include "base/escape.h"
#include "commands.h"
#include "json.h"
#include "output.h"
#include "report/facts.h"
#include "report/highlight.h"
#include "report/json_parts.h"
#include "signals.h"
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

std::string as_text(const Comparison& c, bool explain, bool colour) {
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
  if (e.longest.words > 0) {
    out += fmt::format("longest run  {} words: \"{}\"\n", human_count(e.longest.words),
                       quote_passage(c, 160));
  }
  if (!explain) return out;
  out += fmt::format("\n--- A: {}\n{}\n", escape_for_terminal(c.a.path),
                     highlight_terminal(c.text_a, e.passages, true, colour));
  out += fmt::format("\n--- B: {}\n{}\n", escape_for_terminal(c.b.path),
                     highlight_terminal(c.text_b, e.passages, false, colour));
  return out;
}

std::string member_json(const Member& member) {
  std::string out;
  append_member(member, "", out);
  return out;
}

// Offsets are bytes of the decoded texts, as [begin, length].
std::string as_json(const Comparison& c, bool explain) {
  Evidence told = c.evidence;
  if (!explain) told.passages.clear();
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
      .raw("evidence", evidence);
  if (explain) out.text("text_a", c.text_a).text("text_b", c.text_b);
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
                                      .evidence = c.evidence,
                                      .text_a = c.text_a,
                                      .text_b = c.text_b}}});
  std::string page;
  TWINSIFT_TRY(const auto reporter, make_reporter("html", {}, [&](std::string_view bytes) {
                 page += bytes;
                 return true;
               }));
  reporter->begin(report.run);
  write_report(report, *reporter);
  return page;
}

Result<std::string> render(const Comparison& c, const Arguments& args, const MatchOptions& match) {
  const std::string format = args.text("format", "text");
  const bool explain = args.flag("explain");
  if (format == "json") return as_json(c, explain);
  if (format == "html") return as_html(c, match);
  return as_text(c, explain, colour_output(args));
}

}  // namespace

int run_compare(const Arguments& args) {
  Console console(false, args.flag("quiet"));
  const SignalWatch signals([&] { console.status(); });
  const std::string target = args.text("output", "-");
  if (is_one_of(target, args.operands())) return refuse(console, target);
  MatchOptions match;
  match.threshold = args.share("threshold", kUsualThreshold);
  match.features = args.text("features", match.features);
  const auto result = compare(args.operands()[0], args.operands()[1], match, true);
  if (!result) return fail(console, result.error());
  const auto rendered = render(*result, args, match);
  if (!rendered) return fail(console, rendered.error());
  auto output = Output::open(target);
  if (!output) return fail(console, output.error());
  output->write(*rendered);
  const auto written = output->finish();
  if (!written) return fail(console, written.error());
  return finished(args, result->identical || result->score >= match.threshold, false);
}

}  // namespace twinsift::cli
