// SPDX-License-Identifier: Apache-2.0
// Recordings by what is heard and seen in the course of time: what recording.h decodes becomes a
// recording print (feature/recording_print.h), or a set of ids as in the fourth paper.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "feature/recording_print.h"
#include "media/recording.h"
#include "twinsift/media.h"

namespace twinsift {
namespace {

// What is typed, and what it means.
template <class By>
struct Word {
  std::string_view word;
  By by;
};
constexpr std::array<Word<SoundBy>, 3> kSounds = {{{"print", SoundBy::kPrint},
                                                   {"fooid", SoundBy::kFooid},
                                                   {"chromaprint", SoundBy::kChromaprint}}};
constexpr std::array<Word<FilmBy>, 3> kFilms = {
    {{"codes", FilmBy::kCodes}, {"keys", FilmBy::kKeyFrames}, {"hsv", FilmBy::kHsv}}};

class RecordingMedia final : public MediaType {
 public:
  RecordingMedia(std::string spec, const RecordingBy& by) : spec_(std::move(spec)), by_(by) {}

  [[nodiscard]] std::string spec() const override { return spec_; }
  [[nodiscard]] std::string_view medium() const override { return "audio"; }
  [[nodiscard]] std::string_view medium_of(const std::vector<Fact>& facts) const override {
    const bool film =
        std::ranges::any_of(facts, [](const Fact& fact) { return fact.first == "video_codec"; });
    return film ? "video" : "audio";
  }
  [[nodiscard]] bool streams() const override { return true; }

  [[nodiscard]] bool recognises(std::span<const std::byte> head) const override {
    return recognise_recording(head) != RecordingKind::kNone;
  }

  [[nodiscard]] Result<Description> extract(const Input& input) const override {
    TWINSIFT_TRY(Recording recording, decoder_->describe(input, by_));
    Description description{.features = {}, .facts = std::move(recording.facts)};
    if (recording.sound.empty() && recording.film.empty()) return description;
    const bool set = recording.has_film ? by_.film == FilmBy::kHsv : by_.sound != SoundBy::kPrint;
    if (set) {
      auto& words = recording.has_film ? recording.film : recording.sound;
      if (!words.empty()) description.features.push_back(as_set(std::move(words)));
      return description;
    }
    if (by_.sound != SoundBy::kPrint) recording.sound.clear();  // of a film, and no print
    RecordingPrint print{.seconds = recording.seconds,
                         .width = recording.width,
                         .height = recording.height,
                         .sound = std::move(recording.sound),
                         .film = std::move(recording.film)};
    description.features.push_back(Feature{.value = pack(print), .end_seconds = print.seconds});
    return description;
  }

  [[nodiscard]] Result<Explanation> explain(const Input& a, const Input& b) const override {
    Explanation explanation;
    TWINSIFT_TRY(explanation.strip_a, decoder_->strip(a));
    TWINSIFT_TRY(explanation.strip_b, decoder_->strip(b));
    return explanation;
  }

 private:
  // A child may have been taken over by what it read.
  static Feature as_set(TokenSet words) {
    std::ranges::sort(words);
    words.erase(std::unique(words.begin(), words.end()), words.end());
    return {.value = std::move(words)};
  }

  std::string spec_;
  RecordingBy by_;
  std::unique_ptr<RecordingDecoder> decoder_ = std::make_unique<RecordingDecoder>();
};

}  // namespace

Result<std::unique_ptr<MediaType>> make_recording_media(std::string_view sound,
                                                        std::string_view film) {
  const auto* heard = std::ranges::find(kSounds, sound, &Word<SoundBy>::word);
  if (heard == kSounds.end()) {
    return Error{
        ErrorCode::kInvalidArgument,
        fmt::format("sound cannot be compared by \"{}\": try print, fooid or chromaprint", sound)};
  }
  const auto* seen = std::ranges::find(kFilms, film, &Word<FilmBy>::word);
  if (seen == kFilms.end()) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("films cannot be compared by \"{}\": try codes, keys or hsv", film)};
  }
  return std::unique_ptr<MediaType>(std::make_unique<RecordingMedia>(
      fmt::format("av3:{},{}", sound, film), RecordingBy{heard->by, seen->by}));
}

}  // namespace twinsift
