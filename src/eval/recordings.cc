// SPDX-License-Identifier: Apache-2.0
// Recordings become attacked copies, find() looks for them, and the reports become numbers.
#include <algorithm>
#include <filesystem>
#include <sstream>

#include <fmt/format.h>

#include "base/escape.h"
#include "base/hash.h"
#include "eval/copy_folder.h"
#include "eval/copy_scores.h"
#include "eval/find_copies.h"
#include "eval/recordings_list.h"
#include "eval/recordings_maker.h"
#include "eval/recordings_scores.h"
#include "eval/same_list.h"

namespace twinsift {
namespace {

std::vector<std::string_view> attack_names(bool film) {
  std::vector<std::string_view> names;
  if (film) {
    for (const FilmAttack& attack : kFilmAttacks) names.push_back(attack.name);
  } else {
    for (const SoundAttack& attack : kSoundAttacks) names.push_back(attack.name);
  }
  return names;
}

std::string_view extension_of(bool film, std::size_t attack) {
  constexpr std::array<std::string_view, 3> kSounds = {"mka", "mp3", "opus"};
  return film ? "mkv" : kSounds[static_cast<std::size_t>(kSoundAttacks[attack].format)];
}

// One copy that is to be made; numbers are places among the originals.
struct Task {
  std::uint32_t original = 0;
  std::uint32_t attack = 0;
};

// What came of it: nothing if it was skipped or its encoder is missing.
struct Made {
  std::string path;
  std::uint32_t original = 0;  // which it is a copy of
  CopyMap map;
};

class RecordingEvaluation {
 public:
  RecordingEvaluation(const std::string& folder, bool film, const RecordingEvalOptions& options,
                      CopyFolder copies)
      : folder_(folder),
        film_(film),
        options_(options),
        names_(attack_names(film)),
        copies_(std::move(copies)),
        run_(options.callbacks, options.threads) {}

  Result<RecordingEval> evaluate() {
    const Stopwatch making;
    TWINSIFT_TRY(recordings_, read_recordings(folder_, maker_, run_));
    TWINSIFT_TRY([[maybe_unused]] auto numbered, number_recordings());
    TWINSIFT_TRY([[maybe_unused]] auto made, make_copies());
    result_.seconds_copies = making.seconds();
    copies_.remove_scratch();
    TWINSIFT_TRY(const Report same, search(Level::kSame, "same", result_.seconds_same));
    TWINSIFT_TRY(const Report edited, search(Level::kEdited, "edited", result_.seconds_edited));
    copies_.remove_scratch();
    sum_up(score_copies(set_, same, "same"), score_copies(set_, edited, "edited"),
           score_places(set_, maps_, edited, film_));
    TWINSIFT_TRY([[maybe_unused]] auto written, write_lists());
    return std::move(result_);
  }

 private:
  Status number_recordings() {
    std::vector<KnownFile> files;
    for (const ListedRecording& r : recordings_) files.push_back({&r.file, r.digest});
    TWINSIFT_TRY(set_.files, number_files(files, folder_, options_.same, "recording"));
    set_.versions = names_.size();
    chosen_ = choose_originals(recordings_, film_, options_.originals);
    for (const std::uint32_t place : chosen_) {
      set_.originals.push_back(recordings_[place].file.path);
    }
    return ok();
  }

  Status make_copies() {
    std::vector<Task> tasks;
    for (std::uint32_t i = 0; i < chosen_.size(); ++i) {
      if (!is_judged(i, options_.half)) continue;
      ++result_.originals;
      for (std::uint32_t a = 0; a < names_.size(); ++a) tasks.push_back({i, a});
    }
    if (tasks.empty()) {
      return Error{ErrorCode::kNotFound,
                   fmt::format("there is no recording to make copies of below {}: {}", folder_,
                               film_ ? "a film must last 4 to 180 seconds"
                                     : "sound without a film must last 20 to 300 seconds")};
    }
    std::vector<Made> made(tasks.size());
    TWINSIFT_TRY([[maybe_unused]] auto done,
                 run_.for_each("copies", tasks.size(),
                               [&](std::size_t i) { return make_copy(tasks[i], made[i]); }));
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      if (made[i].path.empty()) continue;
      set_.copies.push_back({made[i].path, made[i].original, tasks[i].attack});
      maps_.push_back(made[i].map);
    }
    return ok();
  }

  // A recording that cannot be copied is skipped; a copy that cannot be written ends the run.
  Status make_copy(const Task& task, Made& out) {
    out.original = task.original;
    const std::string name = fmt::format("{:03}_{}.{}", task.original, names_[task.attack],
                                         extension_of(film_, task.attack));
    if (was_made(task, name, out)) return ok();
    const auto copy = film_ ? film_copy(task, out) : sound_copy(task);
    const FileEntry& file = recordings_[chosen_[task.original]].file;
    if (!copy) {
      run_.skip(file.path, copy.error());
      return ok();
    }
    if (copy->file.empty()) return ok();
    TWINSIFT_TRY([[maybe_unused]] auto written, copies_.replace("copies/" + name, copy->file));
    out.path = fmt::format("{}/{}", copies_.copies(), name);
    out.map = copy->map;
    if (!copies_.kept()) return ok();
    return copies_.note(name, note_of(task, out));
  }

  // Who it was made of and what it is a copy of, and the map, to the last digit.
  [[nodiscard]] std::string note_of(const Task& task, const Made& made) const {
    const auto digest = [&](std::uint32_t number) { return original(number).digest.hex(); };
    return fmt::format("{} {} {} {:.17g} {:.17g} {:.17g} {:.17g}\n", digest(task.original),
                       digest(made.original), made.original, made.map.offset, made.map.speed,
                       made.map.pitch, made.map.seconds);
  }

  // Whether an earlier run made this copy, of the same recordings.
  bool was_made(const Task& task, const std::string& name, Made& out) const {
    std::istringstream note(copies_.noted(name));
    std::string from;
    std::string of;
    Made made;
    if (!(note >> from >> of >> made.original >> made.map.offset >> made.map.speed >>
          made.map.pitch >> made.map.seconds) ||
        made.original >= chosen_.size()) {
      return false;
    }
    made.path = fmt::format("{}/{}", copies_.copies(), name);
    std::error_code ignored;
    if (note.str() != note_of(task, made) || !std::filesystem::exists(made.path, ignored)) {
      return false;
    }
    out = std::move(made);
    return true;
  }

  [[nodiscard]] const ListedRecording& original(std::uint32_t number) const {
    return recordings_[chosen_[number]];
  }
  [[nodiscard]] std::uint64_t seed_of(std::uint32_t number) const {
    return mix64(original(number).digest.low);
  }

  Result<AttackedCopy> sound_copy(const Task& task) {
    TWINSIFT_TRY(const auto bytes, read_recording(original(task.original).file));
    return maker_.copy(bytes, RecordingTask::kSound, task.attack, seed_of(task.original));
  }

  Result<AttackedCopy> film_copy(const Task& task, Made& out) {
    TWINSIFT_TRY(const auto bytes, read_recording(original(task.original).file));
    const std::uint64_t seed = seed_of(task.original);
    const FilmChange change = kFilmAttacks[task.attack].change;
    const bool other_pictures = change == FilmChange::kOtherPictures;
    if (!other_pictures && change != FilmChange::kOtherSound) {
      return maker_.copy(bytes, RecordingTask::kFilm, task.attack, seed);
    }
    if (other_pictures && !original(task.original).facts.sound) return AttackedCopy();
    const auto other = another_than(task.original, !other_pictures);
    if (!other && other_pictures) return AttackedCopy();
    std::vector<std::byte> others;  // none: there will be a melody
    if (other) {
      TWINSIFT_TRY(others, read_recording(original(*other).file));
    }
    if (!other_pictures) return maker_.mixed(bytes, others, task.attack, seed);
    out.original = *other;
    return maker_.mixed(others, bytes, task.attack, seed);
  }

  // The next original that is known to be another one, and has sound if it must.
  [[nodiscard]] std::optional<std::uint32_t> another_than(std::uint32_t number, bool sound) const {
    const auto same = set_.files.find(set_.originals[number])->second;
    const auto size = static_cast<std::uint32_t>(chosen_.size());
    for (std::uint32_t step = 1; step < size; ++step) {
      const std::uint32_t other = (number + step) % size;
      if (sound && !original(other).facts.sound) continue;
      if (set_.files.find(set_.originals[other])->second != same) return other;
    }
    return std::nullopt;
  }

  Result<Report> search(Level level, std::string_view name, double& seconds) {
    return find_copies({.copies = copies_.copies(),
                        .originals = folder_,
                        .temp_dir = options_.temp_dir,
                        .collection = copies_.scratch(),
                        .threads = options_.threads,
                        .sound = options_.sound,
                        .film = options_.film},
                       level, name, run_, seconds);
  }

  void sum_up(const LevelOutcome& same, const LevelOutcome& edited,
              const std::vector<PlaceScore>& places) {
    std::string missing;
    for (std::size_t a = 0; a < names_.size(); ++a) {
      if (same.versions[a].copies == 0) {
        missing += fmt::format(" {}", names_[a]);
        continue;
      }
      result_.all.same += same.versions[a];
      result_.all.edited += edited.versions[a];
      result_.attacks.push_back(
          {std::string(names_[a]), {same.versions[a], edited.versions[a]}, places[a]});
    }
    if (!missing.empty()) {
      result_.notes.push_back(
          "left out, because libav lacks the encoder or no recording was suitable:" + missing);
    }
    result_.wrong = same.wrong;
    result_.wrong.insert(result_.wrong.end(), edited.wrong.begin(), edited.wrong.end());
    const auto readable = std::ranges::count_if(
        recordings_, [&](const ListedRecording& r) { return !run_.has_skipped(r.file.path); });
    const auto all = static_cast<std::uint64_t>(readable);
    result_.distractors = all - std::min(all, result_.originals);
    result_.skipped = run_.skipped();
  }

  [[nodiscard]] Status write_lists() const {
    if (!copies_.kept()) return ok();
    std::string manifest = "copy\tattack\toriginal\toffset\tspeed\tpitch\tseconds\n";
    for (std::size_t i = 0; i < set_.copies.size(); ++i) {
      const Copy& copy = set_.copies[i];
      manifest += fmt::format("{}\t{}\t{}\t{:.3f}\t{:.4f}\t{:.4f}\t{:.3f}\n",
                              copy.path.substr(copy.path.rfind('/') + 1), names_[copy.version],
                              escape_for_terminal(set_.originals[copy.original]), maps_[i].offset,
                              maps_[i].speed, maps_[i].pitch, maps_[i].seconds);
    }
    TWINSIFT_TRY([[maybe_unused]] auto done, copies_.replace("manifest.tsv", manifest));
    return copies_.replace("wrong.tsv", list_of(result_.wrong));
  }

  const std::string& folder_;
  bool film_;
  const RecordingEvalOptions& options_;
  std::vector<std::string_view> names_;
  CopyFolder copies_;
  CopyRun run_;
  RecordingMaker maker_;
  std::vector<ListedRecording> recordings_;
  std::vector<std::uint32_t> chosen_;  // places in recordings_
  CopySet set_;
  std::vector<CopyMap> maps_;  // of set_.copies
  RecordingEval result_;
};

Result<RecordingEval> evaluate(const std::string& folder, bool film,
                               const RecordingEvalOptions& options) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error)) {
    return Error{ErrorCode::kNotFound, fmt::format("{} is not a folder", folder)};
  }
  TWINSIFT_TRY([[maybe_unused]] auto there, RecordingMaker::check());
  TWINSIFT_TRY(CopyFolder copies,
               CopyFolder::make(options.output, options.temp_dir, folder, "recordings"));
  return RecordingEvaluation(folder, film, options, std::move(copies)).evaluate();
}

}  // namespace

Result<RecordingEval> eval_audio(const std::string& folder, const RecordingEvalOptions& options) {
  return evaluate(folder, false, options);
}

Result<RecordingEval> eval_video(const std::string& folder, const RecordingEvalOptions& options) {
  return evaluate(folder, true, options);
}

}  // namespace twinsift
