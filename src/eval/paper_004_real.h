// SPDX-License-Identifier: Apache-2.0
// The recordings of a folder, and copies of them: what twinsift-av-copies makes of songs and films
// (eval/av_copies/attacks.h), and the parts of films that bench/make_linkage has made.
//
// The paper's methods see what they see of made-up recordings: samples at kSongRate and small
// frames.  Ours get the prints that find() would make of the files.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "eval/paper_004.h"

namespace twinsift::paper_004 {

class RealRecordings {
 public:
  // Looks through options.recordings.  The options must outlive it.  kNotFound if that is no
  // folder, or if the programs that decode are missing.
  static Result<std::unique_ptr<RealRecordings>> open(const EvalOptions& options);
  virtual ~RealRecordings() = default;

  // kNotFound if there are less than two that are suitable.  The trial must not outlive this.
  virtual Result<Trial<Heard>> songs(std::uint32_t most) = 0;
  virtual Result<Trial<Seen>> films(std::uint32_t most) = 0;

  // Whether the folder is one that bench/make_linkage has made.
  [[nodiscard]] virtual bool has_parts() const = 0;
  // kNotFound if it is not, or has less than two films with parts.
  virtual Result<std::vector<Programme>> programmes() = 0;
  // What find() makes of them, after programmes().
  virtual Result<Answers> find_parts() = 0;
};

}  // namespace twinsift::paper_004
