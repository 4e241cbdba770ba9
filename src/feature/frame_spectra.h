// SPDX-License-Identifier: Apache-2.0
// Power spectra of a sound, frame after frame: what audio fingerprints begin with.
//
// A frame is as many samples as the window has numbers, times these; the next one begins `hop`
// samples later.  Several frames are transformed side by side, which is what base/fft.h is quick
// at.  Frames that the sound does not fill are left out.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "base/fft.h"

namespace twinsift {

// Takes the sound in pieces of any size; the spectra do not depend on how it was cut.
class FrameSpectra {
 public:
  // Gets window / 2 powers, that of frequency 0 first; the frames come in their order.
  using Sink = std::function<void(std::span<const float> power)>;

  // Requires: the size of the window is a power of two, 0 < hop <= size.
  FrameSpectra(std::vector<float> window, std::size_t hop);

  void add(std::span<const float> samples, const Sink& sink);
  void finish(const Sink& sink);  // gives what is left of the whole frames

 private:
  void transform(std::size_t frames, const Sink& sink);

  Fft fft_;
  std::vector<float> window_;
  std::size_t hop_;
  std::vector<float> waiting_;
  std::vector<float> re_;
  std::vector<float> im_;
  std::vector<float> power_;
};

}  // namespace twinsift
