// SPDX-License-Identifier: Apache-2.0
#include "eval/paper_004_find.h"

#include <algorithm>
#include <map>

#include "twinsift/pipeline.h"

namespace twinsift::paper_004 {
namespace {

// The films that a report names for each part, by its path.
class ReportReader {
 public:
  ReportReader(const std::vector<FilmFiles>& films, std::map<std::string, Answer>& answers)
      : answers_(answers) {
    for (std::size_t i = 0; i < films.size(); ++i) {
      film_at_[films[i].path] = i;
      for (const auto& split : films[i].splits) {
        for (const PartFile& part : split) own_[part.path] = i;
      }
    }
  }

  void read(const Report& report) {
    for (const Group& group : report.groups) {
      for (const MemberPair& pair : group.pairs) {
        take(group.members[pair.a].path, group.members[pair.b].path, pair.evidence.film);
      }
    }
    for (const RecordingLink& link : report.links) take(link.a, link.b, link.film);
  }

 private:
  void take(const std::string& a, const std::string& b, const std::optional<Timeline>& timeline) {
    const bool whole_is_a = film_at_.contains(a);
    const auto film = film_at_.find(whole_is_a ? a : b);
    const auto own = own_.find(whole_is_a ? b : a);
    if (film == film_at_.end() || own == own_.end()) return;
    Answer& answer = answers_[own->first];
    answer.films.push_back(film->second);
    if (film->second != own->second || !timeline) return;
    for (const Stretch& s : timeline->stretches) {
      const double begin = whole_is_a ? s.begin_a : s.begin_b;
      const double end = whole_is_a ? s.end_a : s.end_b;
      answer.begin = std::min(answer.begin.value_or(begin), begin);
      answer.end = std::max(answer.end.value_or(end), end);
    }
  }

  std::map<std::string, Answer>& answers_;
  std::map<std::string, std::size_t> film_at_;
  std::map<std::string, std::size_t> own_;
};

// One search of the parts of these films.
Result<Report> find_round(const std::vector<FilmFiles>& films,
                          const std::vector<std::size_t>& round, const EvalOptions& options) {
  FindOptions find_options;
  find_options.match.level = Level::kEdited;
  find_options.cross = true;
  find_options.folders = false;
  find_options.callbacks.stop = options.stop;
  std::vector<std::string> parts;
  for (const std::size_t i : round) {
    for (const auto& split : films[i].splits) {
      for (const PartFile& part : split) parts.push_back(part.path);
    }
  }
  for (std::size_t i = 0; i < films.size(); ++i) {
    const bool foreign = std::ranges::none_of(round, [&](std::size_t other) {
      return i != other && have_common_clip(films[i].clips, films[other].clips);
    });
    if (foreign) find_options.references.push_back(films[i].path);
  }
  return find(parts, find_options);
}

}  // namespace

Result<Answers> find_linkage(const std::vector<FilmFiles>& films, const EvalOptions& options) {
  std::vector<std::vector<std::string>> clips;
  for (const FilmFiles& film : films) clips.push_back(film.clips);
  std::map<std::string, Answer> found;
  ReportReader reader(films, found);
  for (const auto& round : rounds_without_common_clips(clips)) {
    TWINSIFT_TRY([[maybe_unused]] const auto begun, begin(options, "find, level edited"));
    TWINSIFT_TRY(const Report report, find_round(films, round, options));
    reader.read(report);
  }
  Answers answers{"ours, find --level edited", {}};
  for (const FilmFiles& film : films) {
    for (const auto& split : film.splits) {
      for (const PartFile& part : split) answers.answers.push_back(found[part.path]);
    }
  }
  return answers;
}

}  // namespace twinsift::paper_004
