// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "base/random.h"
#include "eval/av_copies/film_file.h"
#include "eval/av_copies/make.h"

namespace twinsift {
namespace {

// What an attack does to the frames of one film.
class FrameChange {
 public:
  FrameChange(const FilmAttack& attack, std::uint64_t seed) : attack_(attack), random_(seed) {
    place_x_ = random_.uniform();
    place_y_ = random_.uniform();
    corner_ = random_.below(4);
  }

  PictureFrame operator()(PictureFrame frame) {
    switch (attack_.change) {
      case FilmChange::kHeight:
        return scaled(frame, static_cast<std::size_t>(attack_.amount));
      case FilmChange::kBrightness:
        return brightened(frame);
      case FilmChange::kBlurNoise:
        return blurred_noisy(frame, attack_.amount, random_.next());
      case FilmChange::kCrop:
        return cropped(frame, attack_.amount, 0.5, 0.5);
      case FilmChange::kCropAside:
        return cropped(frame, attack_.amount, place_x_, place_y_);
      case FilmChange::kLetterbox:
        return letterboxed(frame);
      case FilmChange::kMirror:
        return mirrored(frame);
      case FilmChange::kLogo:
        return with_logo(frame, attack_.amount, corner_);
      default:
        return frame;
    }
  }

 private:
  const FilmAttack& attack_;
  Rng random_;
  double place_x_ = 0;
  double place_y_ = 0;
  unsigned corner_ = 0;
};

// A file that does not say how long it is must be looked through.
Result<double> length_of(Source& source) {
  const double told = source.facts().seconds;
  if (told > 0) return told;
  return decode_film(source, [](double, const PictureFrame&) { return ok(); });
}

Result<Sound> sound_for(std::span<const std::byte> other, double seconds, std::uint64_t seed) {
  if (auto source = Source::open(other); source && source->sound() != nullptr) {
    return decode_sound(*source, seconds);
  }
  return melody(seconds, seed);
}

// Without the length, which is known when the last frame has come.
CopyMap map_of(const FilmAttack& attack, double length) {
  CopyMap map;
  if (attack.change == FilmChange::kSpeed) map.speed = attack.amount;
  if (attack.change == FilmChange::kMiddle) map.offset = length * (1 - attack.amount / 100) / 2;
  return map;
}

}  // namespace

Result<MadeCopy> make_film_copy(std::span<const std::byte> recording,
                                std::span<const std::byte> other, const FilmAttack& attack,
                                std::uint64_t seed) {
  TWINSIFT_TRY(Source source, Source::open(recording));
  TWINSIFT_TRY(const double length, length_of(source));
  MadeCopy out = {.map = map_of(attack, length), .file = {}};
  FilmFile file(attack.format, attack.quality);
  if (attack.change == FilmChange::kOtherSound || attack.change == FilmChange::kOtherPictures) {
    TWINSIFT_TRY(Sound sound, sound_for(other, length, seed));
    file.set_sound(std::move(sound));
  }
  FrameChange change(attack, seed);
  const double begin = out.map.offset;
  const double end = begin > 0 ? length - begin : std::numeric_limits<double>::infinity();
  const auto add = [&](double seconds, const PictureFrame& frame) {
    const bool kept = seconds >= begin && seconds < end;
    return kept ? file.add((seconds - begin) / out.map.speed, change(frame)) : ok();
  };
  TWINSIFT_TRY(const double last, attack.change == FilmChange::kRate
                                      ? decode_thinned(source, attack.amount, add)
                                      : decode_film(source, add));
  out.map.seconds = (std::min(last, end) - begin) / out.map.speed;
  TWINSIFT_TRY(out.file, file.finish());
  return out;
}

}  // namespace twinsift
