// SPDX-License-Identifier: Apache-2.0
// Compression of output, piece by piece.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "twinsift/result.h"

namespace twinsift {

// Not thread-safe.
class Encoder {
 public:
  virtual ~Encoder() = default;
  // Appends what is ready of the compressed data to `out`; all of it if `last`.
  virtual Status encode(std::string_view in, bool last, std::string& out) = 0;
};

// gzip for names that end in .gz, zstd (level 3, with checksum) for .zst, else none (null).
std::unique_ptr<Encoder> make_encoder_for(std::string_view file_name);

}  // namespace twinsift
