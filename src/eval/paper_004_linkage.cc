// SPDX-License-Identifier: Apache-2.0
// Section VI-E of the POND paper: do the parts of a film find the whole?
#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "eval/paper_004.h"
#include "feature/hsv_frames.h"
#include "verify/similarity.h"

namespace twinsift::paper_004 {
namespace {

constexpr std::array<std::size_t, 3> kParts = {2, 3, 4};
constexpr double kCodec = 12;  // step of the copies

// One way to link films.  Others go here: a description of a film, and whether two are linked.
struct Method {
  std::string name;
  HsvOptions options;
  std::size_t fewest = 1;  // fingerprints of a segment that counts
};

std::vector<Method> methods() {
  return {{"3 bins", {.bins = 3}},
          {"5 bins", {.bins = 5}},
          {"3 bins, two fingerprints or more", {.bins = 3}, 2}};
}

using Segments = std::vector<HsvSegment>;

Segments segments_of(const Film& film, const Method& method) {
  HsvKeyFrames keys(method.options);
  for (std::size_t i = 0; i < film.frames.size(); ++i) {
    keys.add(static_cast<double>(i) / Film::kRate, film.frame(i));
  }
  Segments segments = keys.segments(film.seconds());
  std::erase_if(segments,
                [&](const HsvSegment& s) { return s.fingerprints.size() < method.fewest; });
  return segments;
}

// One segment of each that are near duplicates are enough.
bool linked(const Segments& a, const Segments& b) {
  return std::ranges::any_of(a, [&](const HsvSegment& one) {
    return std::ranges::any_of(b, [&](const HsvSegment& other) {
      return jaccard_at_least(one.fingerprints, other.fingerprints, kMinSim) >= 0;
    });
  });
}

struct Score {
  std::uint32_t queries = 0;
  std::uint32_t found = 0;
  std::uint32_t wrong = 0;  // queries with an answer that is not their film
};

// Films of about one length together: to the nearest five seconds.
int length_class(const Film& film) { return 5 * static_cast<int>((film.seconds() + 2.5) / 5); }

struct Cell {
  int seconds = 0;
  std::size_t parts = 0;
  friend auto operator<=>(const Cell&, const Cell&) = default;
};

std::map<Cell, Score> measure(const std::vector<Programme>& programmes, const Method& method) {
  std::vector<Segments> wholes;
  for (const Programme& p : programmes) wholes.push_back(segments_of(p.whole, method));
  std::map<Cell, Score> scores;
  for (std::size_t own = 0; own < programmes.size(); ++own) {
    const Programme& programme = programmes[own];
    for (const std::vector<Film>& split : programme.splits) {
      Score& score = scores[{length_class(programme.whole), split.size()}];
      for (const Film& part : split) {
        const Segments query = segments_of(part, method);
        bool wrong = false;
        for (std::size_t i = 0; i < wholes.size(); ++i) {
          wrong = wrong || (i != own && linked(query, wholes[i]));
        }
        ++score.queries;
        score.found += linked(query, wholes[own]) ? 1U : 0U;
        score.wrong += wrong ? 1U : 0U;
      }
    }
  }
  return scores;
}

double recall(const Score& score) { return 1.0 * score.found / std::max(1U, score.queries); }

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

}  // namespace

Programme make_programme(Film whole) {
  Programme programme{.whole = std::move(whole), .splits = {}};
  for (const std::size_t parts : kParts) {
    std::vector<Film>& split = programme.splits.emplace_back();
    const double length = programme.whole.seconds() / static_cast<double>(parts);
    for (std::size_t i = 0; i < parts; ++i) {
      const double from = length * static_cast<double>(i);
      split.push_back(recoded(part_of(programme.whole, from, from + length), kCodec));
    }
  }
  return programme;
}

Result<EvalSection> linkage(const EvalOptions& options, const std::vector<Programme>& programmes) {
  EvalSection section;
  section.claim = {.id = "fig6",
                   .title = "Figure 6: do the parts of a film find the whole?",
                   .claim =
                       "Recall rises with the size of the film from about 0.75 to almost 1, a "
                       "little lower for more parts; precision is always 1 (minSim = 0.9).",
                   .verdict = {}};
  section.table.columns = {"method", "seconds", "parts", "queries", "found", "recall", "wrong"};
  Plot plot{.title = "Recall of parts, encoded again, against the length of the film",
            .x = {.label = "seconds of the whole film", .low = 0},
            .y = {.label = "recall", .low = 0, .high = 1},
            .series = {}};
  std::vector<std::string> sums;
  for (const Method& method : methods()) {
    TWINSIFT_TRY([[maybe_unused]] const auto begun, begin(options, "linkage, " + method.name));
    const auto scores = measure(programmes, method);
    double least = 1;
    double most = 0;
    Score all;
    for (const auto& [cell, score] : scores) {
      least = std::min(least, recall(score));
      most = std::max(most, recall(score));
      all.queries += score.queries;
      all.found += score.found;
      all.wrong += score.wrong;
      section.table.rows.push_back(
          {method.name, std::to_string(cell.seconds), std::to_string(cell.parts),
           std::to_string(score.queries), std::to_string(score.found),
           fmt::format("{:.3f}", recall(score)), std::to_string(score.wrong)});
    }
    section.claim.holds = section.claim.holds || (all.wrong == 0 && least >= 0.7 && most >= 0.95);
    sums.push_back(
        fmt::format("with {} {:.2f} of {} queries find their film ({:.2f} to {:.2f}) "
                    "and {} another one",
                    method.name, recall(all), all.queries, least, most, all.wrong));
    add_to_plot(method, scores, plot);
  }
  section.plots.push_back(std::move(plot));
  section.claim.verdict = fmt::format(
      "All pairs of segments are compared exactly, so that nothing is lost by labels: {}. The "
      "paper "
      "counts whatever has equal fingerprints as right; here it has to be the film.",
      fmt::join(sums, "; "));
  return section;
}

}  // namespace twinsift::paper_004
