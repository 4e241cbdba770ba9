// SPDX-License-Identifier: Apache-2.0
#include "run/training_pictures.h"

#include <mutex>
#include <optional>
#include <utility>

#include "base/cancel.h"
#include "base/parallel.h"
#include "feature/square.h"
#include "ingest/file_system.h"
#include "ingest/reader.h"
#include "ingest/walk.h"

namespace twinsift {
namespace {

constexpr std::uint64_t kMostBytes = 1ULL << 30U;  // of a picture file

// Nothing if the file is no picture.
Result<std::optional<Picture>> read_picture(const FileEntry& entry, PictureDecoder& decoder,
                                            const PictureRequest& request) {
  TWINSIFT_TRY(auto reader, FileReader::open(entry));
  const PictureKind kind = recognise_picture(reader.head());
  if (kind == PictureKind::kNone) return std::optional<Picture>();
  TWINSIFT_TRY(const auto bytes, reader.read_all(kMostBytes));
  TWINSIFT_TRY(Picture picture, decoder.decode({entry.path, bytes}, kind, request));
  return std::optional(std::move(picture));
}

}  // namespace

Result<TrainingPictures> for_each_picture(
    const std::vector<std::string>& folders, const TrainOptions& options,
    const PictureRequest& request, const std::function<void(std::uint64_t files)>& begin,
    const std::function<void(TrainingPicture picture)>& take) {
  const Callbacks& callbacks = options.callbacks;
  Callbacks quiet = callbacks;
  quiet.skipped = nullptr;
  TWINSIFT_TRY(const WalkResult walked, walk(folders, {}, quiet, options.threads));
  TrainingPictures seen{.files = walked.files.size()};
  std::mutex mutex;
  std::uint64_t done = 0;
  const auto skip = [&](const Skipped& skipped) {
    ++seen.skipped;
    if (callbacks.skipped) callbacks.skipped(skipped);
  };
  for (const Skipped& skipped : walked.skipped) skip(skipped);
  begin(seen.files);
  PictureDecoder decoder;
  parallel_for(walked.files.size(), options.threads, callbacks.stop, [&](std::size_t i, unsigned) {
    const FileEntry& entry = walked.files[i];
    auto picture = read_picture(entry, decoder, request);
    const bool taken = picture && *picture;
    if (taken) take({.number = i, .path = entry.path, .picture = **std::move(picture)});
    const std::scoped_lock lock(mutex);
    if (taken) ++seen.pictures;
    if (!picture) skip(to_skipped(entry.path, picture.error()));
    if (callbacks.progress) {
      callbacks.progress(
          {.stage = "pictures", .items = ++done, .total_items = seen.files, .current = entry.path});
    }
  });
  if (callbacks.stop.stop_requested()) return cancelled_error();
  return seen;
}

Result<SquarePictures> read_square_pictures(const std::vector<std::string>& folders,
                                            const TrainOptions& options, std::size_t side,
                                            std::size_t colours) {
  SquarePictures squares;
  auto& pictures = squares.pictures;  // by number at first: no pixels where there is no picture
  const PictureRequest request{.min_side = static_cast<std::uint32_t>(side), .grey = colours == 1};
  TWINSIFT_TRY(
      squares.seen,
      for_each_picture(
          folders, options, request, [&](std::uint64_t files) { pictures.resize(files); },
          [&](const TrainingPicture& one) {
            pictures[one.number] = {
                .path = one.path,
                .pixels = square_of(
                    {.bytes = {reinterpret_cast<const std::uint8_t*>(one.picture.bytes.data()),
                               one.picture.bytes.size()},
                     .width = one.picture.columns,
                     .height = one.picture.rows,
                     .channels = one.picture.channels},
                    side)};
          }));
  std::erase_if(pictures, [](const SquarePicture& one) { return one.pixels.empty(); });
  return squares;
}

GreyImage grey_image(const Picture& picture) {
  return {.pixels = {picture.bytes.begin(), picture.bytes.end()},
          .width = picture.columns,
          .height = picture.rows};
}

}  // namespace twinsift
