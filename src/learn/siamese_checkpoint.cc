// SPDX-License-Identifier: Apache-2.0
// What a training leaves behind when it is interrupted.
//
// Little-endian: "TSTRAIN1", the identity of the training (u32 length, bytes), the progress
// and the points, each list of numbers with its u64 length, and the CRC-32C of all before.
#include <array>
#include <cstring>
#include <type_traits>

#include <fmt/format.h>

#include "base/crc32c.h"
#include "learn/siamese.h"

namespace twinsift {
namespace {

constexpr std::string_view kMagic = "TSTRAIN1";

struct ProgressNumbers {
  std::uint64_t step = 0;
  std::uint64_t steps = 0;
  double epoch_loss = 0;
  double best_loss = 0;
  std::uint64_t has_best = 0;
  std::uint64_t points = 0;
};

template <class T>
void append(std::string& bytes, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

void append_list(std::string& bytes, const std::vector<float>& numbers) {
  append(bytes, std::uint64_t{numbers.size()});
  bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float));
}

// Takes things from the front of bytes whose CRC has been checked.
class Taker {
 public:
  explicit Taker(std::string_view bytes) : bytes_(bytes) {}
  template <class T>
  bool take(T& value) {
    if (bytes_.size() < sizeof(value)) return false;
    std::memcpy(&value, bytes_.data(), sizeof(value));
    bytes_.remove_prefix(sizeof(value));
    return true;
  }
  // A list that must have the length it had.
  bool take_list(std::vector<float>& numbers) {
    std::uint64_t count = 0;
    if (!take(count) || count != numbers.size()) return false;
    const std::size_t length = numbers.size() * sizeof(float);
    if (bytes_.size() < length) return false;
    std::memcpy(numbers.data(), bytes_.data(), length);
    bytes_.remove_prefix(length);
    return true;
  }
  bool take_text(std::string& text) {
    std::uint32_t length = 0;
    if (!take(length) || bytes_.size() < length) return false;
    text = bytes_.substr(0, length);
    bytes_.remove_prefix(length);
    return true;
  }
  [[nodiscard]] bool at_end() const { return bytes_.empty(); }

 private:
  std::string_view bytes_;
};

using PointNumbers = std::array<double, 6>;

PointNumbers as_numbers(const TrainingPoint& point) {
  return {double(point.epoch), point.pairs ? 1.0 : 0.0, point.loss,
          point.apart_loss,    point.apart_right,       point.binary};
}

TrainingPoint as_point(const PointNumbers& numbers) {
  return {.epoch = static_cast<std::uint32_t>(numbers[0]),
          .pairs = numbers[1] != 0,
          .loss = numbers[2],
          .apart_loss = numbers[3],
          .apart_right = numbers[4],
          .binary = numbers[5]};
}

Error damaged() { return {ErrorCode::kCorrupt, "what an earlier training left behind is damaged"}; }

}  // namespace

std::string SiameseTrainer::identity() const {
  const HashNetShape& s = options_.shape;
  const SiameseLossOptions& loss = options_.loss;
  return fmt::format(
      "side={} colours={} stem={}/{}/{} widths={}/{}/{} cells={} features={} bits={} loss={} "
      "margin={} rho={} temperature={} push={} class_epochs={} epochs={} class_rate={} "
      "smoothing={} "
      "rate={} momentum={} decay={} patience={} latent={} seed={} from={} classes={} batches={} "
      "apart={}{}{}",
      s.side, s.colours, s.stem_kernel, s.stem_stride, s.stem, s.widths[0], s.widths[1],
      s.widths[2], s.cells, s.features, s.bits, static_cast<int>(loss.kind), loss.margin, loss.rho,
      loss.temperature, loss.push, options_.class_epochs, options_.epochs, options_.class_rate,
      options_.smoothing, options_.rate, options_.momentum, options_.decay, options_.patience,
      static_cast<int>(options_.latent), options_.seed, options_.from ? options_.from->spec() : "",
      set_.classes(), set_.batches(), set_.validation_batches(), s.shares ? " shares" : "",
      set_.kind());
}

std::vector<std::vector<float>*> SiameseTrainer::numbers() {
  std::vector<std::vector<float>*> all = net_.state();
  all.push_back(&classifier_.weights().values);
  all.push_back(&classifier_.bias().values);
  for (auto& one : velocity_) all.push_back(&one);
  return all;
}

std::string SiameseTrainer::checkpoint() {
  std::string bytes(kMagic);
  const std::string who = identity();
  append(bytes, static_cast<std::uint32_t>(who.size()));
  bytes += who;
  append(bytes, ProgressNumbers{.step = step_,
                                .steps = steps_,
                                .epoch_loss = epoch_loss_,
                                .best_loss = best_loss_.value_or(0),
                                .has_best = best_loss_ ? 1U : 0U,
                                .points = points_.size()});
  for (const TrainingPoint& point : points_) append(bytes, as_numbers(point));
  for (const std::vector<float>* list : numbers()) append_list(bytes, *list);
  for (const std::vector<float>& list : best_) append_list(bytes, list);
  append(bytes, crc32c(std::as_bytes(std::span(bytes))));
  return bytes;
}

Status SiameseTrainer::restore(std::string_view bytes) {
  std::uint32_t crc = 0;
  if (bytes.size() < kMagic.size() + sizeof(crc) || !bytes.starts_with(kMagic)) return damaged();
  std::memcpy(&crc, bytes.data() + bytes.size() - sizeof(crc), sizeof(crc));
  bytes.remove_suffix(sizeof(crc));
  if (crc != crc32c(std::as_bytes(std::span(bytes)))) return damaged();
  Taker taker(bytes.substr(kMagic.size()));
  std::string who;
  if (!taker.take_text(who)) return damaged();
  if (who != identity()) {
    return Error{ErrorCode::kInvalidArgument,
                 "what an earlier training left behind is of other options or other pictures"};
  }
  ProgressNumbers progress;
  if (!taker.take(progress) || progress.points > progress.step) return damaged();
  std::vector<TrainingPoint> points(progress.points);
  for (TrainingPoint& point : points) {
    PointNumbers numbers{};
    if (!taker.take(numbers)) return damaged();
    point = as_point(numbers);
  }
  for (std::vector<float>* list : numbers()) {
    if (!taker.take_list(*list)) return damaged();
  }
  best_.clear();
  if (progress.has_best != 0) {
    for (const std::vector<float>* list : net_.state()) best_.emplace_back(list->size());
    for (std::vector<float>& list : best_) {
      if (!taker.take_list(list)) return damaged();
    }
    best_loss_ = progress.best_loss;
  }
  if (!taker.at_end()) return damaged();
  step_ = progress.step;
  steps_ = progress.steps;
  epoch_loss_ = progress.epoch_loss;
  points_ = std::move(points);
  net_.prepare();
  return ok();
}

}  // namespace twinsift
