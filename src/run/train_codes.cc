// SPDX-License-Identifier: Apache-2.0
#include "run/train_codes.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/file.h"
#include "ingest/reader.h"
#include "ingest/walk.h"
#include "learn/code_fit.h"
#include "media/picture.h"

namespace twinsift {
namespace {

constexpr std::uint64_t kLargestFile = 1U << 30U;
constexpr std::uint32_t kReadSide = 512;   // enough for parts of a sixth of the side
constexpr std::uint32_t kLeastSide = 128;  // smaller ones are icons

// Nothing if the file is no picture, or too small to take photos from.
Result<std::optional<GreyImage>> read_picture(const FileEntry& entry, PictureDecoder& decoder) {
  TWINSIFT_TRY(FileReader reader, FileReader::open(entry));
  const PictureKind kind = recognise_picture(reader.head());
  if (kind == PictureKind::kNone) return std::optional<GreyImage>();
  TWINSIFT_TRY(const std::vector<std::byte> bytes, reader.read_all(kLargestFile));
  const PictureRequest request{.min_side = kReadSide, .grey = true};
  TWINSIFT_TRY(const Picture picture,
               decoder.decode({.uri = entry.path, .bytes = bytes}, kind, request));
  if (std::min(picture.columns, picture.rows) < kLeastSide) return std::optional<GreyImage>();
  return std::optional(GreyImage{.pixels = {picture.bytes.begin(), picture.bytes.end()},
                                 .width = picture.columns,
                                 .height = picture.rows});
}

}  // namespace

Result<TrainedCodes> train_codes(const TrainCodesOptions& options, const std::stop_token& stop) {
  Callbacks callbacks;
  callbacks.stop = stop;
  TWINSIFT_TRY(WalkResult walked, walk(options.images, {}, callbacks));
  TrainedCodes trained;
  trained.skipped = std::move(walked.skipped);
  PictureDecoder decoder;
  std::vector<GreyImage> pictures;
  for (const FileEntry& entry : walked.files) {
    if (stop.stop_requested()) return Error{ErrorCode::kCancelled, "The training was stopped."};
    Result<std::optional<GreyImage>> picture = read_picture(entry, decoder);
    if (!picture) {
      trained.skipped.push_back({entry.path, "not decoded", picture.error().message});
    } else if (picture->has_value()) {
      pictures.push_back(*std::move(*picture));
    }
  }
  trained.pictures = pictures.size();
  CodeFit fit;
  if (!pictures.empty()) fit = fit_codes(pictures, {.seed = options.seed});
  trained.photos = fit.photos;
  if (trained.photos == 0) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("There is nothing to fit codes to: of {} files, {} are pictures of "
                             "{} pixels a side or more, and those are blank.",
                             walked.files.size(), trained.pictures, kLeastSide)};
  }
  TWINSIFT_TRY(const auto file, AtomicFile::create(options.out));
  TWINSIFT_TRY([[maybe_unused]] auto written, file->write(CodeModel::write(fit.planes)));
  TWINSIFT_TRY([[maybe_unused]] auto committed, file->commit());
  return trained;
}

}  // namespace twinsift
