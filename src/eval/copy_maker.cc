// SPDX-License-Identifier: Apache-2.0
#include "eval/copy_maker.h"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "base/cancel.h"
#include "base/sibling_program.h"
#include "media/decoder_parts.h"

namespace twinsift {
namespace {

constexpr DecoderProgram kProgram = {"twinsift-copy-set", "TWINSIFT_COPY_SET", "copies of photos"};
// Larger ones get no copies: 27 of them would take minutes.
constexpr std::uint64_t kMostPixels = std::uint64_t{1} << 26U;
// Of the versions, so that whoever stops the run does not wait for all 27 of a large photo, though
// each question decodes it again.
constexpr std::size_t kAtOnce = 3;
constexpr DecodeLimits kLimits = {.time = std::chrono::minutes(1),
                                  .memory = std::uint64_t{2} << 30U,
                                  .output = std::uint64_t{2} << 30U};

Result<PhotoSize> size_from(const Parts& parts) {
  PhotoSize size;
  if (parts.empty() || parts[0].size() != sizeof(size)) return bad_answer();
  std::memcpy(&size, parts[0].data(), sizeof(size));
  return size;
}

}  // namespace

CopyMaker::CopyMaker() : pool_(kProgram, kLimits) {}

Status CopyMaker::check() {
  if (!find_sibling_program(kProgram.name, kProgram.variable).empty()) return ok();
  return Error{ErrorCode::kNotFound,
               "twinsift-copy-set, which makes the copies, was not found: this build may have been "
               "made without pictures, or TWINSIFT_COPY_SET leads nowhere"};
}

Result<PhotoSize> CopyMaker::size(std::span<const std::byte> photo, PictureKind kind) {
  CopyQuestion question;
  question.kind = kind;
  question.pixels = kMostPixels;
  TWINSIFT_TRY(const Parts parts, pool_.ask(photo, Question(question)));
  return size_from(parts);
}

Result<CopyMaker::Files> CopyMaker::versions(std::span<const std::byte> photo, PictureKind kind,
                                             std::uint64_t seed, const std::stop_token& stop) {
  Files files;
  for (std::size_t first = 0; first < files.size(); first += kAtOnce) {
    if (stop.stop_requested()) return cancelled_error();
    const CopyQuestion question = {
        .kind = kind,
        .first = static_cast<std::uint8_t>(first),
        .last = static_cast<std::uint8_t>(std::min(first + kAtOnce, files.size())),
        .seed = seed,
        .pixels = kMostPixels};
    TWINSIFT_TRY(Parts parts, pool_.ask(photo, Question(question)));
    if (parts.size() != 1U + question.last - question.first) return bad_answer();
    std::move(parts.begin() + 1, parts.end(), files.begin() + question.first);
  }
  return files;
}

}  // namespace twinsift
