// SPDX-License-Identifier: Apache-2.0
// Where the decoder meets the features: what is kept of a recording's sound and film, made while it
// is decoded.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "media/av/sinks.h"
#include "media/recording.h"

namespace twinsift {

class SoundWords {
 public:
  virtual ~SoundWords() = default;
  [[nodiscard]] virtual unsigned rate() const = 0;            // Hz; 0: that of the recording
  [[nodiscard]] virtual bool hasty() const { return false; }  // as in RecordingSinks
  virtual void add(std::span<const float> mono) = 0;
  virtual std::vector<std::uint64_t> finish(double seconds) = 0;
};

class FilmWords {
 public:
  virtual ~FilmWords() = default;
  // Which frames are wanted, and how.
  virtual void ask_for(RecordingSinks& sinks) const = 0;
  [[nodiscard]] virtual bool wants(double seconds) const = 0;
  virtual void add(double seconds, const Frame& frame) = 0;
  virtual std::vector<std::uint64_t> finish(double seconds) = 0;
};

// `rate` is that of the recording.
std::unique_ptr<SoundWords> make_sound_words(SoundBy by, unsigned rate);
std::unique_ptr<FilmWords> make_film_words(FilmBy by);

}  // namespace twinsift
