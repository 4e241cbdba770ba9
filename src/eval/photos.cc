// SPDX-License-Identifier: Apache-2.0
#include "eval/photos.h"

#include <algorithm>
#include <tuple>

namespace twinsift {
namespace {

constexpr std::uint64_t kMaxRead = std::uint64_t{1} << 30U;
constexpr std::uint32_t kLeastSide = 400;

// kNone if it is no picture or cannot be read.
Photo read_photo(const FileEntry& file, CopyRun& run) {
  Photo photo{.file = file, .kind = PictureKind::kNone, .digest = {}};
  auto reader = FileReader::open(photo.file);
  if (!reader) return photo;  // find() will say so
  const PictureKind kind = recognise_picture(reader->head());
  if (kind == PictureKind::kNone) return photo;
  const auto digest =
      reader->digest([&](std::uint64_t) { return !run.callbacks().stop.stop_requested(); });
  if (!digest) return photo;
  photo.kind = kind;
  photo.digest = *digest;
  return photo;
}

// Whether a photo can get copies.
bool is_suitable(const Photo& photo, CopyMaker& maker, CopyRun& run) {
  auto reader = FileReader::open(photo.file);
  const auto bytes =
      reader ? reader->read_all(kMaxRead) : Result<std::vector<std::byte>>(reader.error());
  if (!bytes) {
    run.skip(photo.file.path, bytes.error());
    return false;
  }
  const auto size = maker.size(*bytes, photo.kind);
  if (!size) {
    run.skip(photo.file.path, size.error());
    return false;
  }
  return std::max(size->width, size->height) >= kLeastSide;
}

}  // namespace

Result<std::vector<Photo>> read_photos(const std::string& folder, CopyRun& run) {
  Callbacks callbacks;
  callbacks.stop = run.callbacks().stop;
  TWINSIFT_TRY(const WalkResult walked, walk({folder}, {}, callbacks, run.threads()));
  std::vector<Photo> photos(walked.files.size());
  TWINSIFT_TRY([[maybe_unused]] auto done,
               run.for_each("photos", photos.size(), [&](std::size_t i) {
                 photos[i] = read_photo(walked.files[i], run);
                 return ok();
               }));
  std::erase_if(photos, [](const Photo& photo) { return photo.kind == PictureKind::kNone; });
  std::ranges::sort(photos, {}, [](const Photo& photo) {
    return std::tuple(photo.digest, std::string_view(photo.file.path));
  });
  return photos;
}

Result<std::vector<std::uint32_t>> choose_originals(const std::vector<Photo>& photos,
                                                    std::uint32_t most, CopyMaker& maker,
                                                    CopyRun& run) {
  std::vector<std::uint32_t> originals;
  std::uint32_t next = 0;
  while (originals.size() < most && next < photos.size()) {
    std::vector<std::uint32_t> batch;
    for (; next < photos.size() && batch.size() + originals.size() < most; ++next) {
      if (next == 0 || photos[next].digest != photos[next - 1].digest) batch.push_back(next);
    }
    std::vector<std::uint8_t> suitable(batch.size());
    TWINSIFT_TRY([[maybe_unused]] auto done,
                 run.for_each("originals", batch.size(), [&](std::size_t i) {
                   suitable[i] = is_suitable(photos[batch[i]], maker, run) ? 1 : 0;
                   return ok();
                 }));
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (suitable[i] != 0) originals.push_back(batch[i]);
    }
  }
  return originals;
}

}  // namespace twinsift
