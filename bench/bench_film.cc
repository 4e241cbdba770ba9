// SPDX-License-Identifier: Apache-2.0
// What films cost: printing a picture, comparing two films, and asking an index of many hours.
//
// The hours are a synthetic extension of real films: shots of three seconds of the given ones, each
// with 100 of the 256 bits of its codes flipped at random, so that bits stay as dependent on each
// other as they are in real codes.  A question is 60 s of one of these films with so many further
// bits flipped in each code.  Films are given as grey pictures: a line "WIDTH HEIGHT
// FRAMES/SECONDS" and their bytes, as ffmpeg -f rawvideo -pix_fmt gray writes them.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/random.h"
#include "bench/timing.h"
#include "feature/film_printer.h"
#include "index/film_index.h"
#include "verify/film_match.h"

namespace twinsift::bench {
namespace {

constexpr std::uint32_t kShot = 3;       // seconds
constexpr std::uint32_t kFilm = 3600;    // seconds
constexpr std::uint32_t kQuestion = 60;  // seconds
constexpr int kQuestions = 40;

FilmPrint read_film(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  std::getline(file, line);
  std::istringstream head(line);
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  double frames = 0;
  double seconds = 1;
  char slash = 0;
  head >> width >> height >> frames >> slash >> seconds;
  std::vector<std::uint8_t> pixels(std::size_t{width} * height);
  if (pixels.empty() || frames <= 0) return {};
  FilmPrinter printer;
  double t = 0;
  std::string bytes(pixels.size(), '\0');
  for (std::uint32_t i = 0; file.read(bytes.data(), std::ssize(bytes)); ++i) {
    t = i * seconds / frames;
    if (!printer.wants(t)) continue;
    std::ranges::transform(bytes, pixels.begin(),
                           [](char c) { return static_cast<std::uint8_t>(c); });
    printer.add(t, {pixels, width, height});
  }
  const auto print = unpack_film_print(printer.finish(t));
  return print ? *print : FilmPrint{};
}

ImageCode flipped(std::span<const std::uint64_t> code, std::uint32_t bits, Rng& rng) {
  ImageCode out{};
  std::ranges::copy(code, out.begin());
  ImageCode flips{};
  for (std::uint32_t done = 0; done < bits;) {
    const std::uint32_t bit = rng.below(256);
    const std::uint64_t mask = std::uint64_t{1} << bit % 64;
    if ((flips[bit / 64] & mask) != 0) continue;
    flips[bit / 64] |= mask;
    ++done;
  }
  for (std::size_t word = 0; word < out.size(); ++word) out[word] ^= flips[word];
  return out;
}

// One code a second, which is what the index takes of a long film.
FilmPrint made_film(const std::vector<FilmPrint>& real, std::uint64_t seed) {
  Rng rng(seed);
  FilmPrint film;
  film.seconds = kFilm;
  for (std::uint32_t second = 0; second < kFilm;) {
    const FilmPrint& from = real[rng.below(static_cast<std::uint32_t>(real.size()))];
    const ImageCode mask = flipped(ImageCode{}, 100, rng);
    const std::uint32_t first = rng.below(static_cast<std::uint32_t>(from.frames.size()));
    for (std::uint32_t i = 0; i < kShot && second < kFilm; ++i, ++second) {
      const auto code = from.frames.code((first + 8 * i) % from.frames.size());
      ImageCode made{};
      for (std::size_t word = 0; word < 4; ++word) made[word] = code[word] ^ mask[word];
      film.frames.add(made, 1000 * second, 1000 * second);
    }
  }
  return film;
}

// A minute of it, eight codes a second; of these one is of the same moment as that in the index.
// The first five seconds have codes of their parts, too, which look like nothing that is there.
FilmPrint question_of(const FilmPrint& film, std::uint32_t start, std::uint32_t bits, Rng& rng) {
  FilmPrint question;
  question.seconds = kQuestion;
  for (std::uint32_t tick = 0; tick < 8 * kQuestion; ++tick) {
    const std::uint32_t more = tick % 8 == 0 ? 0 : 10 + rng.below(30);
    const auto code = film.frames.code(start + tick / 8);
    question.frames.add(flipped(code, bits + more, rng), 125 * tick, 125 * tick);
    if (tick % 2 == 0) question.mirrored.add(flipped(code, 128, rng), 125 * tick, 125 * tick);
    if (tick >= kCloseFrames) continue;
    for (FilmCodes& part : question.cropped) {
      part.add(flipped(code, 100 + rng.below(40), rng), 125 * tick, 125 * tick);
    }
  }
  return question;
}

void ask_index(const std::vector<FilmPrint>& real, std::uint32_t hours, double recall) {
  FilmIndex index;
  for (ItemId film = 0; film < hours; ++film) index.add(film, made_film(real, film));
  const Stopwatch building;
  index.build(recall, 0);
  fmt::print("{} h, recall {}: {} tables of {} bits, {:.0f} MB, built in {:.1f} s\n", hours, recall,
             index.plan().tables, index.plan().width, 1e-6 * static_cast<double>(index.bytes()),
             building.elapsed().cpu);
  for (const std::uint32_t bits : {20U, 45U, 64U, 70U, 80U}) {
    Rng rng(bits);
    double spent = 0;
    int found = 0;
    std::size_t candidates = 0;
    for (int i = 0; i < kQuestions; ++i) {
      const ItemId film = rng.below(hours);
      const auto question =
          question_of(made_film(real, film), rng.below(kFilm - kQuestion), bits, rng);
      const Stopwatch watch;
      const auto answers = index.ask(question, 512);
      spent += watch.elapsed().cpu;
      candidates += answers.size();
      found += std::ranges::find(answers, film, &FilmCandidate::film) != answers.end() ? 1 : 0;
    }
    fmt::print("  {:>2} bits: {:>6.1f} ms a question, found {:>2} of {}, {:.1f} candidates\n", bits,
               1e3 * spent / kQuestions, found, kQuestions,
               static_cast<double>(candidates) / kQuestions);
  }
}

void print_pictures(std::uint32_t width, std::uint32_t height) {
  std::vector<std::uint8_t> pixels(std::size_t{width} * height);
  Rng rng(1);
  for (std::uint8_t& pixel : pixels) pixel = static_cast<std::uint8_t>(rng.below(256));
  FilmPrinter printer;
  std::uint32_t tick = 0;
  const double spent = best_seconds(5, [&] { printer.add(tick++ / 8.0, {pixels, width, height}); });
  fmt::print("a picture of {} x {}: {:.3f} ms\n", width, height, 1e3 * spent);
}

int run(std::uint32_t hours, const std::vector<std::string>& paths) {
  print_pictures(640, 360);
  print_pictures(1920, 1080);
  std::vector<FilmPrint> real;
  for (const std::string& path : paths) {
    FilmPrint film = read_film(path);
    if (film.frames.size() > 0) real.push_back(std::move(film));
  }
  if (real.empty()) return 0;
  const FilmPrint first = made_film(real, 1);
  const FilmPrint second = made_film(real, 2);
  const double spent = best_seconds(3, [&] { keep(match_film(first, second) ? 1 : 0); });
  fmt::print("two films of an hour: {:.1f} ms\n", 1e3 * spent);
  ask_index(real, hours, 0.95);
  return 0;
}

}  // namespace
}  // namespace twinsift::bench

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: bench_film HOURS [FILM.grey...]\n", stderr);
    return 2;
  }
  return twinsift::bench::run(static_cast<std::uint32_t>(std::atoi(argv[1])),
                              {argv + 2, argv + argc});
}
