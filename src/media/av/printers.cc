// SPDX-License-Identifier: Apache-2.0
#include "media/av/printers.h"

#include <optional>

#include "feature/chroma_print.h"
#include "feature/film_printer.h"
#include "feature/fooid.h"
#include "feature/hsv_frames.h"
#include "feature/sound_print.h"

namespace twinsift {
namespace {

using Words = std::vector<std::uint64_t>;

class OurSound final : public SoundWords {
 public:
  [[nodiscard]] unsigned rate() const override { return kSoundRate; }
  [[nodiscard]] bool hasty() const override { return true; }
  void add(std::span<const float> mono) override { printer_.add(mono); }
  Words finish(double /*seconds*/) override { return printer_.finish(); }

 private:
  SoundPrinter printer_;
};

// A song that is too short for it, or silent, has none.
class Fooid final : public SoundWords {
 public:
  explicit Fooid(unsigned rate) {
    if (auto printer = FooidPrinter::make(rate)) printer_ = std::move(*printer);
  }
  [[nodiscard]] unsigned rate() const override { return 0; }
  void add(std::span<const float> mono) override {
    if (printer_ && !printer_->full()) printer_->add(mono);
  }
  Words finish(double seconds) override {
    if (!printer_) return {};
    const auto print = printer_->finish(seconds);
    return print ? fooid_set(*print) : Words{};
  }

 private:
  std::optional<FooidPrinter> printer_;
};

class Chromaprint final : public SoundWords {
 public:
  [[nodiscard]] unsigned rate() const override { return kChromaRate; }
  void add(std::span<const float> mono) override { printer_.add(mono); }
  Words finish(double /*seconds*/) override { return chroma_set(printer_.finish()); }

 private:
  ChromaPrinter printer_;
};

class OurFilm final : public FilmWords {
 public:
  explicit OurFilm(bool key_frames_only) : key_frames_only_(key_frames_only) {}
  void ask_for(RecordingSinks& sinks) const override {
    sinks.skip_loop_filter = true;
    sinks.key_frames_only = key_frames_only_;
  }
  [[nodiscard]] bool wants(double seconds) const override { return printer_.wants(seconds); }
  void add(double seconds, const Frame& frame) override { printer_.add(seconds, frame.luma); }
  Words finish(double seconds) override { return printer_.finish(seconds); }

 private:
  bool key_frames_only_;
  FilmPrinter printer_;
};

class HsvFilm final : public FilmWords {
 public:
  void ask_for(RecordingSinks& sinks) const override {
    sinks.luma = false;
    sinks.colour_side = kSide;
  }
  [[nodiscard]] bool wants(double /*seconds*/) const override { return true; }
  void add(double seconds, const Frame& frame) override {
    frames_.add(seconds, {frame.colour.pixels, frame.colour.width, frame.colour.height});
  }
  Words finish(double /*seconds*/) override {
    return frames_.indexable() ? frames_.fingerprints() : Words{};
  }

 private:
  static constexpr unsigned kSide = 96;  // a histogram needs no more pixels
  HsvKeyFrames frames_{HsvOptions{}};
};

}  // namespace

std::unique_ptr<SoundWords> make_sound_words(SoundBy by, unsigned rate) {
  if (by == SoundBy::kFooid) return std::make_unique<Fooid>(rate);
  if (by == SoundBy::kChromaprint) return std::make_unique<Chromaprint>();
  return std::make_unique<OurSound>();
}

std::unique_ptr<FilmWords> make_film_words(FilmBy by) {
  if (by == FilmBy::kHsv) return std::make_unique<HsvFilm>();
  return std::make_unique<OurFilm>(by == FilmBy::kKeyFrames);
}

}  // namespace twinsift
