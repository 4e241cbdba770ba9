// SPDX-License-Identifier: Apache-2.0
// Children that decode files of complicated formats, so that a hostile file can end such a
// child and nothing else, and so that their libraries cost nothing until one is needed.
//
// Which program is started, what it is asked and what its answer means is the business of
// document.h, picture.h and recording.h; here the bytes go over, limits are kept and the dead are
// buried.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "media/decoder_wire.h"
#include "twinsift/result.h"

namespace twinsift {

struct DecoderProgram {
  std::string_view name;     // "twinsift-decoder"
  const char* variable;      // of the environment: says where it is
  std::string_view subject;  // "documents": what cannot be read without it
};

// What one item may cost.
struct DecodeLimits {
  std::chrono::milliseconds time{20000};  // of a processor; three times that by the clock
  std::chrono::seconds stall{0};          // of it at most so much without progress; 0: all
  std::uint64_t memory = 1ULL << 30;      // bytes above the input and the decoder's own code
  std::uint64_t output = 256ULL << 20;    // bytes of text or pixels
};

// The children of one program.  Each works on one item at a time; they are started when first
// needed, kept for the next item, and replaced when they die.  Thread-safe: as many children
// run as threads are inside ask().
class DecoderPool {
 public:
  DecoderPool(const DecoderProgram& program, const DecodeLimits& limits);
  ~DecoderPool();
  DecoderPool(const DecoderPool&) = delete;
  DecoderPool& operator=(const DecoderPool&) = delete;

  // The parts of the child's answer, or its error.  Besides: kCorrupt if it crashed, kLimit if
  // it took too long, kNotFound if there is no such program.
  [[nodiscard]] Result<Parts> ask(std::span<const std::byte> item, const Question& question);
  // With limits of its own, for items of which some may cost more than others.
  [[nodiscard]] Result<Parts> ask(std::span<const std::byte> item, const Question& question,
                                  const DecodeLimits& limits);

  // The same about an open file, which may be larger than memory: nothing of it is copied, and
  // its position stays where it is.  kCancelled soon after a stop, whatever the child is doing.
  [[nodiscard]] Result<Parts> ask_about_file(int file, const Question& question,
                                             const DecodeLimits& limits,
                                             const std::stop_token& stop = {});

  [[nodiscard]] const DecodeLimits& limits() const { return limits_; }

 private:
  class Child;
  Result<std::unique_ptr<Child>> take();
  [[nodiscard]] Error missing() const;

  const DecoderProgram program_;
  const DecodeLimits limits_;
  const std::string path_;  // empty: not found
  std::mutex mutex_;
  std::vector<std::unique_ptr<Child>> idle_;  // guarded by mutex_
};

}  // namespace twinsift
