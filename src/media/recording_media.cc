// SPDX-License-Identifier: Apache-2.0
// Recordings by what is heard and seen in the course of time: what recording.h decodes becomes a
// recording print (feature/recording_print.h).
#include <algorithm>

#include <fmt/format.h>

#include "feature/recording_print.h"
#include "media/recording.h"
#include "twinsift/media.h"

namespace twinsift {
namespace {

class RecordingMedia final : public MediaType {
 public:
  RecordingMedia(std::string_view sound, std::string_view film)
      : spec_(fmt::format("av1:{},{}", sound, film)) {}

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
    TWINSIFT_TRY(Recording recording, decoder_->describe(input));
    Description description{.features = {}, .facts = std::move(recording.facts)};
    if (recording.sound.empty() && recording.film.empty()) return description;
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
  std::string spec_;
  std::unique_ptr<RecordingDecoder> decoder_ = std::make_unique<RecordingDecoder>();
};

}  // namespace

Result<std::unique_ptr<MediaType>> make_recording_media(std::string_view sound,
                                                        std::string_view film) {
  if (sound != "print") {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("sound cannot be compared by \"{}\": try print", sound)};
  }
  if (film != "codes") {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("film cannot be compared by \"{}\": try codes", film)};
  }
  return std::unique_ptr<MediaType>(std::make_unique<RecordingMedia>(sound, film));
}

}  // namespace twinsift
