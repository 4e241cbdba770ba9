// SPDX-License-Identifier: Apache-2.0
// Section VI-E of the POND paper: do the parts of a film find the whole?
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "eval/paper_004.h"
#include "eval/paper_004_folder.h"
#include "verify/film_match.h"
#include "verify/similarity.h"
#include "verify/time_score.h"

namespace twinsift::paper_004 {
namespace {

constexpr std::array<std::size_t, 3> kParts = {2, 3, 4};
constexpr double kBorder = 1;  // seconds by which a border may be off

// One way to link films: what it answers for each part.
struct Method {
  std::string name;
  bool ours = false;
  std::vector<Answer> answers;  // in the order of the programmes, their splits and parts
};

bool drawn(const Method& method) { return method.ours || method.name == "3 bins"; }

using Segments = std::vector<HsvSegment>;

// One segment of each that are near duplicates are enough.
bool linked(const Segments& a, const Segments& b, std::size_t fewest) {
  return std::ranges::any_of(a, [&](const HsvSegment& one) {
    return one.fingerprints.size() >= fewest &&
           std::ranges::any_of(b, [&](const HsvSegment& other) {
             return other.fingerprints.size() >= fewest &&
                    jaccard_at_least(one.fingerprints, other.fingerprints, kMinSim) >= 0;
           });
  });
}

template <class Work>
void for_each_part(const std::vector<Programme>& programmes, Work work) {
  for (std::size_t own = 0; own < programmes.size(); ++own) {
    for (const std::vector<Part>& split : programmes[own].splits) {
      for (const Part& part : split) work(own, split.size(), part);
    }
  }
}

// The paper's, with segments of so many fingerprints at least.
Method by_colours(const std::vector<Programme>& programmes, std::string name, std::size_t top,
                  std::size_t fewest) {
  Method method{std::move(name), false, {}};
  for_each_part(programmes, [&](std::size_t /*own*/, std::size_t /*parts*/, const Part& part) {
    Answer& answer = method.answers.emplace_back();
    for (std::size_t i = 0; i < programmes.size(); ++i) {
      if (linked(part.seen.segments[top], programmes[i].whole.segments[top], fewest)) {
        answer.films.push_back(i);
      }
    }
  });
  return method;
}

Method by_codes(const std::vector<Programme>& programmes) {
  Method method{"ours, all pairs", true, {}};
  for_each_part(programmes, [&](std::size_t own, std::size_t /*parts*/, const Part& part) {
    Answer& answer = method.answers.emplace_back();
    for (std::size_t i = 0; i < programmes.size(); ++i) {
      const auto match = match_film(programmes[i].whole.print, part.seen.print);
      if (our_score(match) < kOurLeast) continue;
      answer.films.push_back(i);
      if (i != own) continue;
      answer.begin = match->stretches.front().begin_a;
      for (const Stretch& stretch : match->stretches) {
        answer.end = std::max(answer.end.value_or(0), stretch.end_a);
      }
    }
  });
  return method;
}

struct Score {
  std::uint32_t queries = 0;
  std::uint32_t found = 0;
  std::uint32_t wrong = 0;    // queries with an answer that has nothing of their film
  std::uint32_t borders = 0;  // of those found, with both borders where they should be
  Score& operator+=(const Score& other) {
    queries += other.queries;
    found += other.found;
    wrong += other.wrong;
    borders += other.borders;
    return *this;
  }
};

double recall(const Score& score) { return 1.0 * score.found / std::max(1U, score.queries); }

// Films of about one length together.
int length_class(double seconds) {
  constexpr std::array<std::pair<double, int>, 3> kClasses = {{{37, 25}, {70, 50}, {120, 90}}};
  for (const auto& [below, length] : kClasses) {
    if (seconds < below) return length;
  }
  return 150;
}

struct Cell {
  int seconds = 0;
  std::size_t parts = 0;
  friend auto operator<=>(const Cell&, const Cell&) = default;
};

Score judge(const std::vector<Programme>& programmes, std::size_t own, const Part& part,
            const Answer& answer) {
  Score score{.queries = 1};
  for (const std::size_t film : answer.films) {
    if (film == own) score.found = 1;
    if (film != own && !have_common_clip(programmes[film].clips, programmes[own].clips))
      score.wrong = 1;
  }
  const bool right = answer.begin && answer.end &&
                     std::abs(*answer.begin - part.begin) <= kBorder &&
                     std::abs(*answer.end - part.end) <= kBorder;
  score.borders = score.found == 1 && right ? 1 : 0;
  return score;
}

std::map<Cell, Score> measure(const std::vector<Programme>& programmes, const Method& method) {
  std::map<Cell, Score> scores;
  std::size_t query = 0;
  for_each_part(programmes, [&](std::size_t own, std::size_t parts, const Part& part) {
    scores[{length_class(programmes[own].whole.seconds), parts}] +=
        judge(programmes, own, part, method.answers[query++]);
  });
  return scores;
}

// One line of the plot for each number of parts.
void add_to_plot(const Method& method, const std::map<Cell, Score>& scores, Plot& plot) {
  for (const std::size_t parts : kParts) {
    PlotSeries series{.name = fmt::format("{}, {} parts", method.name, parts)};
    for (const auto& [cell, score] : scores) {
      if (cell.parts == parts) series.points.push_back({1.0 * cell.seconds, recall(score)});
    }
    plot.series.push_back(std::move(series));
  }
}

// Adds the rows of one method, and gives a sentence on it.
std::string add_method(const std::vector<Programme>& programmes, const Method& method,
                       EvalSection& section) {
  const auto scores = measure(programmes, method);
  double least = 1;
  double most = 0;
  Score all;
  for (const auto& [cell, score] : scores) {
    least = std::min(least, recall(score));
    most = std::max(most, recall(score));
    all += score;
    section.table.rows.push_back({method.name, std::to_string(cell.seconds),
                                  std::to_string(cell.parts), std::to_string(score.queries),
                                  std::to_string(score.found), fmt::format("{:.3f}", recall(score)),
                                  std::to_string(score.wrong),
                                  method.ours ? std::to_string(score.borders) : ""});
  }
  if (!method.ours) {
    section.claim.holds = section.claim.holds || (all.wrong == 0 && least >= 0.7 && most >= 0.95);
  }
  if (drawn(method)) add_to_plot(method, scores, section.plots.front());
  std::string sentence = fmt::format(
      "with {} {:.3f} of {} queries find their film ({:.2f} to {:.2f}) and {} another one",
      method.name, recall(all), all.queries, least, most, all.wrong);
  if (method.ours) sentence += fmt::format(", {} with both borders within a second", all.borders);
  return sentence;
}

}  // namespace

Result<EvalSection> linkage(const EvalOptions& options, const std::vector<Programme>& programmes,
                            const std::vector<Answers>& others) {
  EvalSection section;
  section.claim = {.id = "fig6",
                   .title = "Figure 6: do the parts of a film find the whole?",
                   .claim =
                       "Recall rises with the size of the film from about 0.75 to almost 1, a "
                       "little lower for more parts; precision is always 1 (minSim = 0.9).",
                   .verdict = {}};
  section.table.columns = {"method", "seconds", "parts", "queries",
                           "found",  "recall",  "wrong", "borders within 1 s"};
  section.plots.push_back(
      {.title = "Recall of parts, encoded again, against the length of the film",
       .x = {.label = "seconds of the whole film", .low = 0},
       .y = {.label = "recall", .low = 0, .high = 1},
       .series = {}});
  TWINSIFT_TRY([[maybe_unused]] const auto coloured, begin(options, "linkage by colours"));
  std::vector<Method> methods = {by_colours(programmes, "3 bins", 0, 1),
                                 by_colours(programmes, "5 bins", 1, 1),
                                 by_colours(programmes, "3 bins, two fingerprints or more", 0, 2)};
  TWINSIFT_TRY([[maybe_unused]] const auto coded, begin(options, "linkage by codes"));
  methods.push_back(by_codes(programmes));
  for (const Answers& other : others) methods.push_back({other.name, true, other.answers});
  std::vector<std::string> sums;
  for (const Method& method : methods) sums.push_back(add_method(programmes, method, section));
  section.claim.verdict = fmt::format(
      "All pairs of segments are compared exactly, so that nothing is lost by labels: {}. The "
      "paper counts whatever has equal fingerprints as right; here it has to be the film, or "
      "another one with a clip of it. A segment that was cut in two is neither of its halves, and "
      "few of them have more than one fingerprint.",
      fmt::join(sums, "; "));
  return section;
}

}  // namespace twinsift::paper_004
