// SPDX-License-Identifier: Apache-2.0
#include "run/train.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/parallel.h"
#include "feature/sift.h"
#include "ingest/reader.h"
#include "ingest/walk.h"
#include "learn/vocabulary_fit.h"
#include "media/picture.h"

namespace twinsift {
namespace {

constexpr std::uint32_t kShorterSide = 480;  // decoded to at least this, at most twice as much
constexpr int kSizes = 3;                    // each half of the one before
constexpr std::uint32_t kLeastSide = 120;    // smaller ones are left out
constexpr std::uint64_t kMostKeyPoints = 1 << 21;  // of all pictures: 256 MB
constexpr std::uint64_t kMostBytes = 1ULL << 30U;  // of a picture file
constexpr unsigned kRounds = 8;

// Each pixel is the mean of four.
GreyImage halved(const GreyImage& image) {
  GreyImage half{.pixels = {}, .width = image.width / 2, .height = image.height / 2};
  half.pixels.reserve(std::size_t{half.width} * half.height);
  for (std::uint32_t y = 0; y < half.height; ++y) {
    const auto upper = image.view().row(2 * y);
    const auto lower = image.view().row(2 * y + 1);
    for (std::size_t x = 0; x + 1 < image.width; x += 2) {
      const int sum = upper[x] + upper[x + 1] + lower[x] + lower[x + 1];
      half.pixels.push_back(static_cast<std::uint8_t>((sum + 2) / 4));
    }
  }
  return half;
}

// Nothing if the file is no picture.
Result<std::optional<GreyImage>> read_grey(const FileEntry& entry, PictureDecoder& decoder) {
  TWINSIFT_TRY(auto reader, FileReader::open(entry));
  const PictureKind kind = recognise_picture(reader.head());
  if (kind == PictureKind::kNone) return std::optional<GreyImage>();
  TWINSIFT_TRY(const auto bytes, reader.read_all(kMostBytes));
  PictureRequest request;
  request.min_side = kShorterSide;
  request.grey = true;
  TWINSIFT_TRY(const Picture picture, decoder.decode({entry.path, bytes}, kind, request));
  GreyImage image{.pixels = {}, .width = picture.columns, .height = picture.rows};
  image.pixels.assign(picture.bytes.begin(), picture.bytes.end());
  return std::optional(std::move(image));
}

std::vector<SiftDescriptor> describe(GreyImage image, std::uint32_t most) {
  std::vector<SiftDescriptor> all;
  for (int i = 0; i < kSizes && std::min(image.width, image.height) >= kLeastSide; ++i) {
    const auto found = find_key_points(image.view(), {.max_points = most >> i});
    all.insert(all.end(), found.descriptors.begin(), found.descriptors.end());
    image = halved(image);
  }
  return all;
}

// Gathers what the threads find.
class Gatherer {
 public:
  Gatherer(std::uint64_t total, const Callbacks& callbacks)
      : total_(total), callbacks_(callbacks) {}

  void add(const FileEntry& entry, Result<std::vector<SiftDescriptor>> found) {
    const std::lock_guard lock(mutex_);
    ++items_;
    if (!found) {
      ++skipped;
      if (callbacks_.skipped) {
        const std::string& message = found.error().message;
        callbacks_.skipped({entry.path, message.substr(0, message.find(':')), message});
      }
    } else if (!found->empty()) {
      ++pictures;
      descriptors.insert(descriptors.end(), found->begin(), found->end());
    }
    if (callbacks_.progress) {
      callbacks_.progress(
          {.stage = "key points", .items = items_, .total_items = total_, .current = entry.path});
    }
  }

  std::vector<SiftDescriptor> descriptors;
  std::uint64_t pictures = 0;
  std::uint64_t skipped = 0;

 private:
  std::mutex mutex_;
  std::uint64_t items_ = 0;
  std::uint64_t total_;
  const Callbacks& callbacks_;
};

}  // namespace

Result<TrainedModel> train_vocabulary(const std::vector<std::string>& folders,
                                      const TrainOptions& options) {
  const unsigned threads =
      options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
  TWINSIFT_TRY(const WalkResult walked, walk(folders, {}, options.callbacks, threads));
  Gatherer gatherer(walked.files.size(), options.callbacks);
  for (const Skipped& skipped : walked.skipped) {
    ++gatherer.skipped;
    if (options.callbacks.skipped) options.callbacks.skipped(skipped);
  }
  const auto most = static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(kMostKeyPoints / (walked.files.size() + 1), 100, 1500));
  PictureDecoder decoder;
  parallel_for(walked.files.size(), threads, options.callbacks.stop, [&](std::size_t i, unsigned) {
    const FileEntry& entry = walked.files[i];
    auto image = read_grey(entry, decoder);
    if (!image) return gatherer.add(entry, image.error());
    gatherer.add(entry,
                 *image ? describe(**std::move(image), most) : std::vector<SiftDescriptor>());
  });
  KMeansOptions fit{.clusters = options.words, .rounds = kRounds, .seed = options.seed};
  fit.threads = threads;
  fit.stop = options.callbacks.stop;
  fit.progress = [&](unsigned round) {
    if (options.callbacks.progress) {
      options.callbacks.progress(
          {.stage = "words", .items = round, .total_items = kRounds, .current = {}});
    }
  };
  if (fit.stop.stop_requested()) return Error{ErrorCode::kCancelled, "stopped by the user"};
  TWINSIFT_TRY(const Vocabulary vocabulary, fit_vocabulary(gatherer.descriptors, fit));
  return TrainedModel{.bytes = vocabulary.serialise(),
                      .spec = vocabulary.spec(),
                      .pictures = gatherer.pictures,
                      .key_points = gatherer.descriptors.size(),
                      .skipped = gatherer.skipped};
}

}  // namespace twinsift
