// SPDX-License-Identifier: Apache-2.0
#include "eval/paper_004_real.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "base/hash.h"
#include "eval/copy_run.h"
#include "eval/paper_004_find.h"
#include "eval/paper_004_folder.h"
#include "eval/recordings_list.h"
#include "eval/recordings_maker.h"
#include "media/recording.h"

namespace twinsift::paper_004 {
namespace {

using Bytes = std::vector<std::byte>;

// Of the attacks of `eval audio` and `eval video` those that tell the methods apart.
constexpr std::array<std::string_view, 13> kSongAttacks = {
    "mp3_96",   "mp3_48", "opus_24",   "volume",    "noise_20", "noise_10", "noise_0",
    "drop_0.3", "drop_5", "middle_30", "telephone", "speed+1",  "tempo+3"};
constexpr std::array<std::string_view, 10> kFilmAttackNames = {
    "crf35",  "mpeg4", "240p",  "brightness", "letterbox",
    "mirror", "logo",  "12fps", "speed1.25",  "middle50"};

template <class All>
std::vector<std::size_t> places_of(const All& all, std::span<const std::string_view> names) {
  std::vector<std::size_t> places;
  for (const std::string_view name : names) {
    const auto found = std::ranges::find_if(all, [&](const auto& a) { return a.name == name; });
    places.push_back(static_cast<std::size_t>(found - all.begin()));
  }
  return places;
}

Error too_few(const std::string& folder, std::string_view what) {
  return {
      ErrorCode::kNotFound,
      fmt::format("two recordings at least are needed, but {} has not as many: {}", folder, what)};
}

class Folder final : public RealRecordings {
 public:
  explicit Folder(const EvalOptions& options) : options_(options), run_(callbacks_, 0) {
    callbacks_.stop = options.stop;
  }

  Status read() {
    // Of a folder with parts only the wholes, for the parts would be copies among the originals.
    const std::string films = has_parts() ? options_.recordings + "/whole" : options_.recordings;
    TWINSIFT_TRY(recordings_, read_recordings(films, maker_, run_));
    return ok();
  }

  Result<Trial<Heard>> songs(std::uint32_t most) override {
    const auto chosen = choose_originals(recordings_, false, most);
    if (chosen.size() < 2) {
      return too_few(options_.recordings, "sound without a film must last 20 to 300 seconds");
    }
    return trial<Heard>(
        chosen, places_of(kSoundAttacks, kSongAttacks), RecordingTask::kSound,
        [this](std::span<const std::byte> bytes) { return heard(bytes); },
        [](std::size_t attack) {
          return Attack{std::string(kSoundAttacks[attack].name),
                        kSoundAttacks[attack].change == SoundChange::kNone};
        });
  }

  Result<Trial<Seen>> films(std::uint32_t most) override {
    const auto chosen = choose_originals(recordings_, true, most);
    if (chosen.size() < 2) {
      return too_few(options_.recordings, "a film must last 4 to 180 seconds");
    }
    return trial<Seen>(
        chosen, places_of(kFilmAttacks, kFilmAttackNames), RecordingTask::kFilm,
        [this](std::span<const std::byte> bytes) { return seen(bytes); },
        [](std::size_t attack) {
          return Attack{std::string(kFilmAttacks[attack].name),
                        kFilmAttacks[attack].change == FilmChange::kNone};
        });
  }

  [[nodiscard]] bool has_parts() const override { return is_linkage_folder(options_.recordings); }
  Result<std::vector<Programme>> programmes() override;
  Result<Answers> find_parts() override { return find_linkage(files_, options_); }

 private:
  // The prints that find() would make.
  Result<Recording> print_of(std::span<const std::byte> bytes) {
    Input input;
    input.uri = "copy";
    input.bytes = bytes;
    return decoder_.describe(input);
  }

  Result<Heard> heard(std::span<const std::byte> bytes) {
    TWINSIFT_TRY(const Sound samples, maker_.samples(bytes));
    TWINSIFT_TRY(Heard heard, hear(samples));
    TWINSIFT_TRY(const Recording recording, print_of(bytes));
    heard.print = {};
    if (recording.sound.empty()) return heard;
    TWINSIFT_TRY(heard.print, unpack_sound_print(recording.sound));
    return heard;
  }

  Result<Seen> seen(std::span<const std::byte> bytes) {
    TWINSIFT_TRY(const Film frames, maker_.frames(bytes));
    Seen seen = see(frames);
    TWINSIFT_TRY(const Recording recording, print_of(bytes));
    seen.seconds = recording.seconds;
    seen.print = {};
    if (recording.film.empty()) return seen;
    TWINSIFT_TRY(seen.print, unpack_film_print(recording.film));
    return seen;
  }

  Result<Seen> seen_file(const std::string& path) {
    TWINSIFT_TRY(const Bytes bytes, read_file(path));
    return seen(bytes);
  }
  static Result<Bytes> read_file(const std::string& path) {
    TWINSIFT_TRY(const WalkResult walked, walk({path}, {}, {}, 1));
    if (walked.files.size() != 1) {
      return Error{ErrorCode::kNotFound, fmt::format("{} is no file", path)};
    }
    return read_recording(walked.files[0]);
  }

  // Originals that cannot be described are left out.
  template <class Described, class Describe, class Name>
  Result<Trial<Described>> trial(const std::vector<std::uint32_t>& chosen,
                                 const std::vector<std::size_t>& attacks, RecordingTask task,
                                 Describe describe, Name name) {
    std::vector<std::optional<Described>> described(chosen.size());
    TWINSIFT_TRY([[maybe_unused]] auto done,
                 run_.for_each("recordings", chosen.size(), [&](std::size_t i) {
                   const auto bytes = read_recording(recordings_[chosen[i]].file);
                   if (!bytes) return ok();
                   if (auto one = describe(*bytes)) described[i] = *std::move(one);
                   return ok();
                 }));
    Trial<Described> trial;
    std::vector<std::uint32_t> kept;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (!described[i]) continue;
      kept.push_back(chosen[i]);
      trial.originals.push_back(*std::move(described[i]));
    }
    if (kept.size() < 2) return too_few(options_.recordings, "the others could not be decoded");
    for (const std::size_t attack : attacks) trial.attacks.push_back(name(attack));
    trial.copies = [this, kept, attacks, task,
                    describe](std::size_t a) -> Result<std::vector<std::optional<Described>>> {
      std::vector<std::optional<Described>> copies(kept.size());
      TWINSIFT_TRY(
          [[maybe_unused]] auto made, run_.for_each("copies", kept.size(), [&](std::size_t i) {
            const ListedRecording& original = recordings_[kept[i]];
            const auto bytes = read_recording(original.file);
            if (!bytes) return ok();
            const auto copy = maker_.copy(*bytes, task, attacks[a], mix64(original.digest.low));
            if (!copy || copy->file.empty()) return ok();
            if (auto one = describe(std::as_bytes(std::span(copy->file)))) {
              copies[i] = *std::move(one);
            }
            return ok();
          }));
      return copies;
    };
    return trial;
  }

  const EvalOptions& options_;
  Callbacks callbacks_;
  CopyRun run_;
  RecordingMaker maker_;
  RecordingDecoder decoder_;
  std::vector<ListedRecording> recordings_;
  std::vector<FilmFiles> files_;  // of the programmes
};

Result<std::vector<Programme>> Folder::programmes() {
  if (!has_parts()) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("{} has no parts of films: 'bench/make_linkage OUT {}' makes a folder "
                             "that has them",
                             options_.recordings, options_.recordings)};
  }
  TWINSIFT_TRY(files_, read_linkage_folder(options_.recordings));
  if (files_.size() < 2) return too_few(options_.recordings, "films with all their parts");
  std::vector<Programme> programmes(files_.size());
  TWINSIFT_TRY(
      [[maybe_unused]] auto done,
      run_.for_each("films and parts", files_.size(), [&](std::size_t i) -> Status {
        const FilmFiles& files = files_[i];
        Programme& programme = programmes[i];
        TWINSIFT_TRY(programme.whole, seen_file(files.path));
        programme.clips = files.clips;
        for (const std::vector<PartFile>& split : files.splits) {
          const double length = programme.whole.seconds / static_cast<double>(split.size());
          std::vector<Part>& parts = programme.splits.emplace_back();
          for (const PartFile& file : split) {
            TWINSIFT_TRY(Seen seen, seen_file(file.path));
            parts.push_back({std::move(seen), length * file.number, length * (file.number + 1)});
          }
        }
        return ok();
      }));
  return programmes;
}

}  // namespace

Result<std::unique_ptr<RealRecordings>> RealRecordings::open(const EvalOptions& options) {
  std::error_code error;
  if (!std::filesystem::is_directory(options.recordings, error)) {
    return Error{ErrorCode::kNotFound, fmt::format("{} is not a folder", options.recordings)};
  }
  TWINSIFT_TRY([[maybe_unused]] auto there, RecordingMaker::check());
  auto folder = std::make_unique<Folder>(options);
  TWINSIFT_TRY([[maybe_unused]] auto read, folder->read());
  return std::unique_ptr<RealRecordings>(std::move(folder));
}

}  // namespace twinsift::paper_004
