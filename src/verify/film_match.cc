// SPDX-License-Identifier: Apache-2.0
#include "verify/film_match.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

#include "verify/film_lines.h"
#include "verify/film_motion.h"
#include "verify/film_stretch.h"
#include "verify/time_score.h"

namespace twinsift {
namespace {

struct Found {
  FilmLine line;
  std::vector<FilmStretch> stretches;  // believed
  double score = 0;
};

double length(const FilmStretch& stretch) { return stretch.end_a - stretch.begin_a; }

// Seconds that are the same, far less where they differ more: a line that lies a little askew must
// not win by being longer.
double score_of(const FilmStretch& stretch) {
  constexpr double kNothing = 110;  // bits
  const double likeness = std::max((kNothing - stretch.bits) / kNothing, stretch.together);
  return length(stretch) * likeness * likeness;
}

// Most films run at their own speed.
double preference(const FilmLine& line) { return line.slope == 1 ? 1.03 : 1; }

// Those that are long enough.
std::vector<FilmStretch> long_stretches(const FilmPair& films, const FilmLine& line, double least) {
  auto stretches = stretches_along(films, line);
  const double shortest =
      std::min({least, 0.5 * films.seconds_a, 0.5 * films.seconds_b * line.slope});
  std::erase_if(stretches, [&](const FilmStretch& s) { return length(s) < shortest; });
  return stretches;
}

// Whether a stretch is one.  Codes tell it of long ones and of such as are hardly changed; of
// others a close look decides if there is one.
bool is_sure(const FilmMotionTask& closely, const FilmLine& line, FilmStretch& stretch) {
  constexpr double kLong = 5;            // seconds
  constexpr double kHardlyChanged = 20;  // bits
  const bool believed = stretch.believed();
  if (believed && (length(stretch) >= kLong || stretch.bits <= kHardlyChanged)) return true;
  const auto motion = look_closely(closely, line, stretch.begin_a, stretch.end_a);
  if (!motion) return believed;
  stretch.together = motion->agrees() ? motion->together : 0;
  return motion->agrees();
}

Found follow(const FilmPair& films, const FilmMotionTask& closely, const FilmLine& line,
             double least) {
  constexpr double kGoesOn = 80;  // bits
  constexpr double kWorse = 10;
  Found found{.line = line, .stretches = {}};
  auto stretches = long_stretches(films, line, least);
  std::vector<bool> sure;
  for (FilmStretch& stretch : stretches) sure.push_back(is_sure(closely, line, stretch));
  if (std::ranges::find(sure, true) == sure.end()) return found;
  // Once a line is sure, what else lies on it needs no proof of its own, if it is not much worse.
  double goes_on = kGoesOn;
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    if (sure[i]) goes_on = std::max(goes_on, stretches[i].bits + kWorse);
  }
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    const FilmStretch& stretch = stretches[i];
    if (!sure[i] && stretch.bits > goes_on) continue;
    found.stretches.push_back(stretch);
    found.score += score_of(stretch);
  }
  return found;
}

double promise_of(const FilmPair& films, const FilmLine& line) {
  double sum = 0;
  for (const FilmStretch& stretch : stretches_along(films, line)) sum += score_of(stretch);
  return sum;
}

// Votes are good to a quarter of a second.  The frames themselves tell more: the line moves to
// where they agree best.
FilmLine settled(const FilmPair& films, FilmLine line) {
  double best = promise_of(films, line);
  for (double step = 0.25; step > 0.03; step /= 2) {
    for (int tries = 0; tries < 2; ++tries) {
      for (const double way : {-step, step}) {
        FilmLine moved = line;
        moved.offset += way;
        const double promise = promise_of(films, moved);
        if (promise <= best) continue;
        best = promise;
        line = moved;
      }
    }
  }
  return line;
}

Found best_of(const FilmPair& films, const FilmMotionTask& closely,
              const std::vector<FilmLine>& lines, double least) {
  constexpr std::size_t kSettled = 5;
  Found best;
  std::vector<std::pair<double, const FilmLine*>> promising;
  for (const FilmLine& line : lines)
    promising.emplace_back(-promise_of(films, line) * preference(line), &line);
  std::ranges::stable_sort(promising, {}, [](const auto& entry) { return entry.first; });
  if (promising.size() > kSettled) promising.resize(kSettled);
  for (const auto& [promise, line] : promising) {
    Found found = follow(films, closely, settled(films, *line), least);
    found.score *= preference(*line);
    if (found.score > best.score) best = std::move(found);
  }
  return best;
}

// What is left of [begin, end) beside another interval: its longer part.
void trim(double& begin, double& end, double other_begin, double other_end) {
  if (begin >= other_end || other_begin >= end) return;
  const double before = other_begin - begin;
  const double after = end - other_end;
  if (before >= after) {
    end = std::max(begin, other_begin);
  } else {
    begin = std::min(end, other_end);
  }
}

// What is left of a stretch beside another one, in either film.
void trim(Stretch& stretch, const Stretch& other, const FilmLine& line) {
  trim(stretch.begin_a, stretch.end_a, other.begin_a, other.end_a);
  stretch.begin_b = line.in_b(stretch.begin_a);
  stretch.end_b = line.in_b(stretch.end_a);
  trim(stretch.begin_b, stretch.end_b, other.begin_b, other.end_b);
  stretch.begin_a = line.in_a(stretch.begin_b);
  stretch.end_a = line.in_a(stretch.end_b);
}

class Search {
 public:
  Search(const FilmPair& films, const FilmMotionTask& closely, const FilmMatchOptions& options)
      : films_(films), closely_(closely), options_(options), hits_(find_hits(films.a, films.b)) {}

  // The seconds that match, weighted, and the stretches with their agreement.
  double run() {
    LineSearch search{.seconds_a = films_.seconds_a, .seconds_b = films_.seconds_b};
    while (stretches_.size() < options_.most_stretches && !hits_.empty()) {
      auto lines = propose_lines(hits_, search);
      const auto plain = search.slope == 0 ? plain_lines() : std::vector<FilmLine>();
      lines.insert(lines.end(), plain.begin(), plain.end());
      Found found = best_of(films_, closely_, lines, options_.least);
      // Codes that were changed much may lead even these astray: once more as they are.
      for (const FilmLine& line : plain) {
        Found other = follow(films_, closely_, line, options_.least);
        if (other.score > found.score) found = std::move(other);
      }
      if (found.stretches.empty() || !take(found)) break;
      search.slope = slope_ = found.line.slope;
    }
    return score_;
  }

  [[nodiscard]] Timeline timeline() const {
    Timeline timeline{.seconds_a = films_.seconds_a,
                      .seconds_b = films_.seconds_b,
                      .stretches = stretches_,
                      .speed = slope_,
                      .agreement = std::clamp(1 - bits_ / seconds_ / 128, 0.0, 1.0)};
    std::ranges::sort(timeline.stretches, {}, &Stretch::begin_a);
    return timeline;
  }

 private:
  // Films that begin or end together, which hits cannot tell where nothing moves.
  [[nodiscard]] std::vector<FilmLine> plain_lines() const {
    std::vector<FilmLine> lines = {{1, 0, 0}, {1, films_.seconds_a - films_.seconds_b, 0}};
    const double ratio = films_.seconds_a / films_.seconds_b;
    if (std::abs(ratio - 1) > 0.002 && ratio > 0.77 && ratio < 1.3) lines.push_back({ratio, 0, 0});
    return lines;
  }

  // What of it is new; false if nothing is.
  bool take(const Found& found) {
    bool taken = false;
    for (const FilmStretch& stretch : found.stretches) {
      Stretch place = placed(stretch, found.line, films_);
      const double whole = place.end_a - place.begin_a;
      for (const Stretch& other : stretches_) trim(place, other, found.line);
      const bool known = place.end_a - place.begin_a < 0.7 * whole;
      if (known || stretches_.size() == options_.most_stretches) continue;
      taken = true;
      stretches_.push_back(place);
      seconds_ += length(stretch);
      bits_ += length(stretch) * stretch.bits;
      score_ += score_of(stretch);
    }
    std::erase_if(hits_, [&](const FilmHit& hit) {
      return std::ranges::any_of(stretches_, [&](const Stretch& s) {
        return (hit.a >= s.begin_a && hit.a <= s.end_a) || (hit.b >= s.begin_b && hit.b <= s.end_b);
      });
    });
    return taken;
  }

  FilmPair films_;
  FilmMotionTask closely_;
  const FilmMatchOptions& options_;
  std::vector<FilmHit> hits_;
  std::vector<Stretch> stretches_;
  double slope_ = 1;
  double seconds_ = 0;
  double bits_ = 0;
  double score_ = 0;
};

std::optional<Timeline> match_ordered(const FilmPrint& a, const FilmPrint& b,
                                      const FilmMatchOptions& options) {
  Search plain({a.frames, b.frames, a.seconds, b.seconds}, {a, b}, options);
  const double score = plain.run();
  if (options.mirrored) {
    Search mirrored({a.mirrored, b.frames, a.seconds, b.seconds}, {a, b, true}, options);
    if (mirrored.run() > score) {
      Timeline timeline = mirrored.timeline();
      timeline.mirrored = true;
      return timeline;
    }
  }
  if (score <= 0) return std::nullopt;
  return plain.timeline();
}

}  // namespace

std::optional<Timeline> match_film(const FilmPrint& a, const FilmPrint& b,
                                   const FilmMatchOptions& options) {
  // The frames of the first film ask: always those of the same one.
  const auto key = [](const FilmPrint& film) {
    return std::tie(film.seconds, film.frames.begin, film.frames.end, film.frames.words);
  };
  if (key(b) < key(a)) {
    const auto timeline = match_ordered(b, a, options);
    return timeline ? std::optional(reversed(*timeline)) : std::nullopt;
  }
  return match_ordered(a, b, options);
}

}  // namespace twinsift
