// SPDX-License-Identifier: Apache-2.0
#include "verify/recording_match.h"

#include <utility>

#include "verify/film_match.h"
#include "verify/sound_match.h"

namespace twinsift {
namespace {

Result<std::optional<Timeline>> match_films(const RecordingView& a, const RecordingView& b) {
  if (a.film.empty() || b.film.empty()) return std::optional<Timeline>();
  TWINSIFT_TRY(const FilmPrint film_a, unpack_film_print(a.film));
  TWINSIFT_TRY(const FilmPrint film_b, unpack_film_print(b.film));
  return match_film(film_a, film_b);
}

}  // namespace

RecordingMatch recording_match_of(std::optional<Timeline> sound, std::optional<Timeline> film,
                                  bool by_film) {
  RecordingMatch match{.sound = std::move(sound), .film = std::move(film)};
  const auto& deciding = by_film ? match.film : match.sound;
  if (deciding) match.time = score_of(*deciding);
  return match;
}

RecordingMatch reversed(const RecordingMatch& match) {
  RecordingMatch other = match;
  if (other.sound) other.sound = reversed(*other.sound);
  if (other.film) other.film = reversed(*other.film);
  std::swap(other.time.covered_a, other.time.covered_b);
  other.time.relation = reversed(match.time.relation);
  return other;
}

Result<RecordingMatch> match_recordings(const RecordingView& a, const RecordingView& b) {
  const bool film_a = a.width > 0;
  const bool film_b = b.width > 0;
  if (film_a != film_b) return RecordingMatch{};
  TWINSIFT_TRY(auto sound, match_sounds_of(a, b));
  TWINSIFT_TRY(auto film, match_films(a, b));
  return recording_match_of(std::move(sound), std::move(film), film_a);
}

Result<std::optional<Timeline>> match_sounds_of(const RecordingView& a, const RecordingView& b) {
  if (a.sound.empty() || b.sound.empty()) return std::optional<Timeline>();
  TWINSIFT_TRY(const SoundPrint sound_a, unpack_sound_print(a.sound));
  TWINSIFT_TRY(const SoundPrint sound_b, unpack_sound_print(b.sound));
  return match_sound(sound_a, sound_b);
}

Evidence evidence_of(RecordingMatch match) {
  Evidence evidence;
  evidence.containment_a = match.time.covered_a;
  evidence.containment_b = match.time.covered_b;
  evidence.sound = std::move(match.sound);
  evidence.film = std::move(match.film);
  return evidence;
}

}  // namespace twinsift
