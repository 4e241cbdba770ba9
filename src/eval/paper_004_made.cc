// SPDX-License-Identifier: Apache-2.0
#include "eval/paper_004_made.h"

#include <array>
#include <string_view>

#include "base/hash.h"

namespace twinsift::paper_004 {
namespace {

constexpr double kCodec = 12;  // step of the copies that linkage is measured on

template <class Recording>
struct MadeAttack {
  std::string_view name;
  Recording (*apply)(const Recording& recording, std::uint64_t seed);
};

constexpr std::array kSoundAttacks = {
    MadeAttack<Sound>{
        "codec, light",
        [](const Sound& s, std::uint64_t /*seed*/) { return transcoded(s, 0.5, 5000, kSongRate); }},
    MadeAttack<Sound>{
        "codec, strong",
        [](const Sound& s, std::uint64_t /*seed*/) { return transcoded(s, 2, 4000, kSongRate); }},
    MadeAttack<Sound>{"volume -14 dB",
                      [](const Sound& s, std::uint64_t /*seed*/) { return louder(s, 0.2); }},
    MadeAttack<Sound>{"noise 20 dB below",
                      [](const Sound& s, std::uint64_t seed) { return with_noise(s, 20, seed); }},
    MadeAttack<Sound>{"noise 10 dB below",
                      [](const Sound& s, std::uint64_t seed) { return with_noise(s, 10, seed); }},
    MadeAttack<Sound>{"noise 0 dB below",
                      [](const Sound& s, std::uint64_t seed) { return with_noise(s, 0, seed); }},
    MadeAttack<Sound>{"first 0.3 s dropped",
                      [](const Sound& s, std::uint64_t /*seed*/) {
                        return without_beginning(s, 0.3, kSongRate);
                      }},
    MadeAttack<Sound>{
        "first 5 s dropped",
        [](const Sound& s, std::uint64_t /*seed*/) { return without_beginning(s, 5, kSongRate); }},
    MadeAttack<Sound>{"telephone", [](const Sound& s,
                                      std::uint64_t /*seed*/) { return telephone(s, kSongRate); }},
    MadeAttack<Sound>{
        "speed +1 %",
        [](const Sound& s, std::uint64_t /*seed*/) { return sped_up(s, 1.01, kSongRate); }},
    MadeAttack<Sound>{
        "speed +6 %",
        [](const Sound& s, std::uint64_t /*seed*/) { return sped_up(s, 1.06, kSongRate); }},
};

constexpr std::array kFilmAttacks = {
    MadeAttack<Film>{"codec, light",
                     [](const Film& f, std::uint64_t /*seed*/) { return recoded(f, 4); }},
    MadeAttack<Film>{"codec, middling",
                     [](const Film& f, std::uint64_t /*seed*/) { return recoded(f, 12); }},
    MadeAttack<Film>{"codec, strong",
                     [](const Film& f, std::uint64_t /*seed*/) { return recoded(f, 30); }},
    MadeAttack<Film>{"5 % brighter",
                     [](const Film& f, std::uint64_t /*seed*/) { return brighter(f, 1.05, 0); }},
    MadeAttack<Film>{"20 % brighter",
                     [](const Film& f, std::uint64_t /*seed*/) { return brighter(f, 1.2, 15); }},
    MadeAttack<Film>{"black bars over 20 %",
                     [](const Film& f, std::uint64_t /*seed*/) { return barred(f, 0.2); }},
    MadeAttack<Film>{"middle half",
                     [](const Film& f, std::uint64_t /*seed*/) {
                       return part_of(f, f.seconds() / 4, f.seconds() * 3 / 4);
                     }},
};

template <class Made>
std::vector<Attack> names_of(const Made& attacks) {
  std::vector<Attack> names;
  for (const auto& attack : attacks) {
    names.push_back({std::string(attack.name), attack.name.starts_with("codec")});
  }
  return names;
}

Part part_of_film(const Film& film, double begin) {
  return {.seen = see(film), .begin = begin, .end = begin + film.seconds()};
}

}  // namespace

std::vector<Sound> make_songs(const EvalOptions& options, const Sizes& sizes) {
  std::vector<Sound> songs;
  for (std::uint32_t i = 0; i < sizes.songs; ++i) {
    songs.push_back(make_music(sizes.song_seconds, kSongRate, seed_key(options.seed, i)));
  }
  return songs;
}

std::vector<Film> make_films(const EvalOptions& options, const Sizes& sizes) {
  std::vector<Film> films;
  for (std::uint32_t i = 0; i < sizes.films; ++i) {
    films.push_back(make_film(sizes.film_seconds, seed_key(options.seed, i)));
  }
  return films;
}

Result<std::vector<Programme>> make_programmes(const EvalOptions& options, const Sizes& sizes) {
  std::vector<Programme> programmes;
  for (const double length : sizes.lengths) {
    for (std::uint32_t i = 0; i < sizes.programmes; ++i) {
      TWINSIFT_TRY([[maybe_unused]] const auto begun, begin(options, "programmes"));
      const std::uint64_t number = 1000 + programmes.size();
      programmes.push_back(make_programme(make_film(length, seed_key(options.seed, number))));
    }
  }
  return programmes;
}

Result<Trial<Heard>> trial_of(const std::vector<Sound>& songs) {
  Trial<Heard> trial;
  for (const Sound& song : songs) {
    TWINSIFT_TRY(Heard heard, hear(song));
    trial.originals.push_back(std::move(heard));
  }
  trial.attacks = names_of(kSoundAttacks);
  trial.copies = [&songs](std::size_t attack) -> Result<std::vector<std::optional<Heard>>> {
    std::vector<std::optional<Heard>> copies;
    for (std::size_t i = 0; i < songs.size(); ++i) {
      TWINSIFT_TRY(Heard heard, hear(kSoundAttacks[attack].apply(songs[i], i)));
      copies.emplace_back(std::move(heard));
    }
    return copies;
  };
  return trial;
}

Trial<Seen> trial_of(const std::vector<Film>& films) {
  Trial<Seen> trial;
  for (const Film& film : films) trial.originals.push_back(see(film));
  trial.attacks = names_of(kFilmAttacks);
  trial.copies = [&films](std::size_t attack) -> Result<std::vector<std::optional<Seen>>> {
    std::vector<std::optional<Seen>> copies;
    for (const Film& film : films) copies.emplace_back(see(kFilmAttacks[attack].apply(film, 0)));
    return copies;
  };
  return trial;
}

Programme make_programme(const Film& whole) {
  Programme programme{.whole = see(whole), .splits = {}};
  for (const std::size_t parts : {2U, 3U, 4U}) {
    std::vector<Part>& split = programme.splits.emplace_back();
    const double length = whole.seconds() / static_cast<double>(parts);
    for (std::size_t i = 0; i < parts; ++i) {
      const double from = length * static_cast<double>(i);
      split.push_back(part_of_film(recoded(part_of(whole, from, from + length), kCodec), from));
    }
  }
  return programme;
}

Programme programme_of(const Film& whole, const std::vector<Film>& parts) {
  Programme programme{.whole = see(whole), .splits = {{}}};
  double from = 0;
  for (const Film& part : parts) {
    programme.splits[0].push_back(part_of_film(part, from));
    from += part.seconds();
  }
  return programme;
}

}  // namespace twinsift::paper_004
