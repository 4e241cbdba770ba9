// SPDX-License-Identifier: Apache-2.0
// Section III-B of the POND paper: what attacks on a film leave of its key frames.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "eval/paper_004.h"
#include "feature/hsv_frames.h"
#include "verify/similarity.h"

namespace twinsift::paper_004 {
namespace {

constexpr std::array<std::uint32_t, 2> kTops = {3, 5};  // m

struct Attack {
  std::string_view name;
  Film (*apply)(const Film& film);
};

constexpr std::array kAttacks = {
    Attack{"codec, light", [](const Film& f) { return recoded(f, 4); }},
    Attack{"codec, middling", [](const Film& f) { return recoded(f, 12); }},
    Attack{"codec, strong", [](const Film& f) { return recoded(f, 30); }},
    Attack{"5 % brighter", [](const Film& f) { return brighter(f, 1.05, 0); }},
    Attack{"20 % brighter", [](const Film& f) { return brighter(f, 1.2, 15); }},
    Attack{"black bars over 20 %", [](const Film& f) { return barred(f, 0.2); }},
    Attack{"middle half",
           [](const Film& f) { return part_of(f, f.seconds() / 4, f.seconds() * 3 / 4); }},
};

using Seen = std::array<TokenSet, kTops.size()>;

Seen see(const Film& film) {
  Seen seen;
  for (std::size_t t = 0; t < kTops.size(); ++t) {
    HsvKeyFrames keys({.bins = kTops[t]});
    for (std::size_t i = 0; i < film.frames.size(); ++i) {
      keys.add(static_cast<double>(i) / Film::kRate, film.frame(i));
    }
    seen[t] = keys.fingerprints();
  }
  return seen;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// The row of one attack; gives the least share of films at minSim 0.8, over all m.
double add_row(const Attack& attack, const std::vector<Film>& films,
               const std::vector<Seen>& originals, EvalSection& section) {
  std::array<std::vector<double>, kTops.size()> scores;
  for (std::size_t i = 0; i < films.size(); ++i) {
    const Seen copy = see(attack.apply(films[i]));
    for (std::size_t t = 0; t < kTops.size(); ++t) {
      scores[t].push_back(jaccard(originals[i][t], copy[t]));
    }
  }
  std::vector<std::string> row = {std::string(attack.name)};
  double least = 1;
  const double place = static_cast<double>(section.table.rows.size()) + 1;
  for (std::size_t t = 0; t < kTops.size(); ++t) {
    row.push_back(fmt::format("{:.3f}", median(scores[t])));
    for (const double threshold : {kNearMinSim, kMinSim}) {
      const auto passed =
          std::ranges::count_if(scores[t], [&](double score) { return score >= threshold; });
      const double part = static_cast<double>(passed) / static_cast<double>(films.size());
      row.push_back(fmt::format("{:.2f}", part));
      if (threshold == kNearMinSim) {
        least = std::min(least, part);
        section.plots.front().series[t].points.push_back({place, part});
      }
    }
  }
  section.table.rows.push_back(std::move(row));
  return least;
}

// The row of what unrelated films have in common at most.
void add_wrong(const std::vector<Seen>& originals, EvalSection& section) {
  std::vector<std::string> row = {"best wrong pair"};
  for (std::size_t t = 0; t < kTops.size(); ++t) {
    double best = 0;
    for (std::size_t i = 0; i < originals.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        best = std::max(best, jaccard(originals[i][t], originals[j][t]));
      }
    }
    row.push_back(fmt::format("{:.3f}", best));
    row.insert(row.end(), {"", ""});
  }
  section.table.rows.push_back(std::move(row));
}

}  // namespace

Result<EvalSection> film_attacks(const EvalOptions& options, const std::vector<Film>& films) {
  EvalSection section;
  section.claim = {.id = "film",
                   .title = "Section III-B: colours of key frames as the representation of films",
                   .claim =
                       "Sets of fingerprints of HSV histograms find near duplicates among films "
                       "with minor differences, such as lossy compression.",
                   .verdict = {}};
  section.table.columns = {"attack"};
  Plot plot{
      .title = "Films with a Jaccard similarity of 0.8 or more, by attack (rows of the table)",
      .x = {.label = "attack", .low = 1},
      .y = {.label = "share", .low = 0, .high = 1},
      .series = {}};
  for (const std::uint32_t top : kTops) {
    section.table.columns.push_back(fmt::format("{} bins: median Jaccard", top));
    section.table.columns.insert(section.table.columns.end(), {">= 0.8", ">= 0.9"});
    plot.series.push_back({.name = fmt::format("{} bins", top), .line = false});
  }
  section.plots.push_back(std::move(plot));
  std::vector<Seen> originals;
  for (const Film& film : films) {
    TWINSIFT_TRY([[maybe_unused]] const auto begun, begin(options, "key frames of films"));
    originals.push_back(see(film));
  }
  double codecs = 1;
  for (const Attack& attack : kAttacks) {
    TWINSIFT_TRY([[maybe_unused]] const auto begun, begin(options, attack.name));
    const double found = add_row(attack, films, originals, section);
    if (attack.name.starts_with("codec")) codecs = std::min(codecs, found);
  }
  add_wrong(originals, section);
  section.claim.holds = codecs >= 0.9;
  section.claim.verdict = fmt::format(
      "Of {} films, the least share that reaches the paper's lowest threshold, 0.8, after a codec "
      "alone is {:.2f} (the claim is read as: 0.9 or more). Bins flip at their borders; "
      "brightness and bars change all of them.",
      films.size(), codecs);
  return section;
}

}  // namespace twinsift::paper_004
