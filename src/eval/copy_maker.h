// SPDX-License-Identifier: Apache-2.0
// Copies of photos, made by twinsift-copy-set in child processes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string>

#include "eval/copies/copy_wire.h"
#include "eval/copies/versions.h"
#include "media/decoder_pool.h"
#include "twinsift/result.h"

namespace twinsift {

// Thread-safe.
class CopyMaker {
 public:
  using Files = std::array<std::string, kCopyVersions.size()>;

  CopyMaker();
  // kNotFound, with what to do about it, if the program is missing.
  static Status check();

  // Decodes the photo, so that a damaged one is found out before it gets a number.
  Result<PhotoSize> size(std::span<const std::byte> photo, PictureKind kind);
  // Empty: this build cannot write the format.  kCancelled soon after a stop.
  Result<Files> versions(std::span<const std::byte> photo, PictureKind kind, std::uint64_t seed,
                         const std::stop_token& stop);

 private:
  DecoderPool pool_;
};

}  // namespace twinsift
