// SPDX-License-Identifier: Apache-2.0
#include "eval/photos.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <tuple>

#include <fmt/format.h>

namespace twinsift {
namespace {

constexpr std::uint64_t kMaxRead = std::uint64_t{1} << 30U;
constexpr std::uint32_t kLeastSide = 400;

// kNone if it is no picture or cannot be read.
Photo read_photo(const FileEntry& file, ImageRun& run) {
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
bool is_suitable(const Photo& photo, CopyMaker& maker, ImageRun& run) {
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

// Sets of numbers that are equal.
class Classes {
 public:
  explicit Classes(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }
  std::uint32_t find(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::uint32_t a, std::uint32_t b) { parent_[find(a)] = find(b); }

 private:
  std::vector<std::uint32_t> parent_;
};

// A photo by its path from the folder or from the working directory.
class PhotosByPath {
 public:
  PhotosByPath(const std::vector<Photo>& photos, const std::string& folder) : folder_(folder) {
    for (std::uint32_t i = 0; i < photos.size(); ++i) {
      places_.emplace(canonical(photos[i].file.path), i);
      for (const std::string& link : photos[i].file.links) places_.emplace(canonical(link), i);
    }
  }
  [[nodiscard]] const std::uint32_t* find(const std::string& name) const {
    for (const auto& path : {folder_ / name, std::filesystem::path(name)}) {
      if (const auto found = places_.find(canonical(path)); found != places_.end()) {
        return &found->second;
      }
    }
    return nullptr;
  }

 private:
  static std::string canonical(const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::weakly_canonical(path, ignored).string();
  }
  std::filesystem::path folder_;
  std::map<std::string, std::uint32_t> places_;
};

Status join_listed(const std::string& list, const PhotosByPath& photos, Classes& classes) {
  std::ifstream file(list, std::ios::binary);
  if (!file) return Error{ErrorCode::kNotFound, fmt::format("{} cannot be read", list)};
  std::size_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty() || line[0] == '#') continue;
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos) {
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("{}:{} is not two paths with a tab between them", list, number)};
    }
    const std::string first = line.substr(0, tab);
    const std::string second = line.substr(tab + 1, line.find('\t', tab + 1) - tab - 1);
    const std::uint32_t* a = photos.find(first);
    const std::uint32_t* b = photos.find(second);
    if (a == nullptr || b == nullptr) {
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("{}:{} names {}, which is no photo here", list, number,
                               a == nullptr ? first : second)};
    }
    classes.join(*a, *b);
  }
  return ok();
}

}  // namespace

Result<std::vector<Photo>> read_photos(const std::string& folder, ImageRun& run) {
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
                                                    ImageRun& run) {
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

Result<std::map<std::string, std::uint32_t, std::less<>>> number_photos(
    const std::vector<Photo>& photos, const std::string& folder, const std::string& same) {
  Classes classes(photos.size());
  for (std::uint32_t i = 1; i < photos.size(); ++i) {
    if (photos[i].digest == photos[i - 1].digest) classes.join(i, i - 1);
  }
  if (!same.empty()) {
    TWINSIFT_TRY([[maybe_unused]] auto done,
                 join_listed(same, PhotosByPath(photos, folder), classes));
  }
  std::map<std::string, std::uint32_t, std::less<>> numbers;
  for (std::uint32_t i = 0; i < photos.size(); ++i) {
    numbers.emplace(photos[i].file.path, classes.find(i));
    for (const std::string& link : photos[i].file.links) numbers.emplace(link, classes.find(i));
  }
  return numbers;
}

}  // namespace twinsift
