// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cassert>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/parallel.h"
#include "base/random.h"
#include "learn/training_set.h"

namespace twinsift {
namespace {

class LabelledSet final : public TrainingSet {
 public:
  LabelledSet(const HashNetShape& shape, std::vector<std::uint8_t> squares,
              std::vector<std::uint32_t> labels, const TrainingSetOptions& options)
      : shape_(shape), squares_(std::move(squares)), labels_(std::move(labels)), options_(options) {
    std::map<std::uint32_t, std::vector<std::uint32_t>> by_label;
    for (std::uint32_t i = 0; i < labels_.size(); ++i) by_label[labels_[i]].push_back(i);
    classes_ = by_label.rbegin()->first + 1;
    Rng rng(mix64(options.seed ^ 0x5641U));
    for (auto& [label, items] : by_label) {
      shuffle(items, rng);
      // A pair of each label stays for training, whatever the share.
      const auto share = static_cast<std::size_t>(options.validation * double(items.size()));
      const std::size_t apart = items.size() > 3 ? std::min(share, items.size() - 2) : 0;
      const auto cut = items.end() - static_cast<std::ptrdiff_t>(apart);
      training_.emplace_back(items.begin(), cut);
      validation_.insert(validation_.end(), cut, items.end());
      all_.insert(all_.end(), items.begin(), cut);
    }
    shuffle(validation_, rng);
  }

  [[nodiscard]] std::uint32_t classes() const override { return classes_; }
  [[nodiscard]] std::size_t batches() const override {
    return std::max<std::size_t>(1, all_.size() / options_.batch);
  }
  [[nodiscard]] std::size_t validation_batches() const override {
    return validation_.size() / options_.batch + (validation_.size() % options_.batch > 1 ? 1 : 0);
  }

  [[nodiscard]] TrainingBatch batch(std::uint64_t step, unsigned threads) const override {
    Rng rng(mix64(options_.seed + mix64(step + 1)));
    const auto items = training_.size() * 4 <= options_.batch ? shuffled(step) : paired(rng);
    return load(items, rng.next(), step / batches(), threads);
  }
  [[nodiscard]] TrainingBatch validation_batch(std::size_t i, unsigned threads) const override {
    const std::size_t begin = i * options_.batch;
    const std::size_t end = std::min(begin + options_.batch, validation_.size());
    return load({validation_.begin() + static_cast<std::ptrdiff_t>(begin),
                 validation_.begin() + static_cast<std::ptrdiff_t>(end)},
                0, 0, threads);
  }
  [[nodiscard]] std::string kind() const override {
    return options_.cutout > 0 ? fmt::format(" cutout={}", options_.cutout) : "";
  }

 private:
  static void shuffle(std::vector<std::uint32_t>& items, Rng& rng) {
    for (std::size_t i = items.size(); i-- > 1;) {
      std::swap(items[i], items[rng.below(static_cast<std::uint32_t>(i + 1))]);
    }
  }

  // Few classes: each batch has many of all, and each picture comes once in an epoch.
  [[nodiscard]] std::vector<std::uint32_t> shuffled(std::uint64_t step) const {
    std::vector<std::uint32_t> order = all_;
    Rng rng(mix64(options_.seed + 0x45504F43U + step / batches()));
    shuffle(order, rng);
    const std::size_t begin = step % batches() * options_.batch;
    const std::size_t end = std::min(begin + options_.batch, order.size());
    return {order.begin() + static_cast<std::ptrdiff_t>(begin),
            order.begin() + static_cast<std::ptrdiff_t>(end)};
  }

  // Many classes: two pictures of each of some, or one picture twice if the class has no other.
  [[nodiscard]] std::vector<std::uint32_t> paired(Rng& rng) const {
    std::vector<std::uint32_t> order(training_.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    shuffle(order, rng);
    order.resize(std::min(order.size(), std::max<std::size_t>(options_.batch / 2, 2)));
    std::vector<std::uint32_t> items;
    for (const std::uint32_t c : order) {
      const auto& members = training_[c];
      const auto count = static_cast<std::uint32_t>(members.size());
      const std::uint32_t first = rng.below(count);
      const std::uint32_t second = count > 1 ? (first + 1 + rng.below(count - 1)) % count : first;
      items.push_back(members[first]);
      items.push_back(members[second]);
    }
    return items;
  }

  // seed 0: as they are.  Otherwise shifted, and mirrored every other epoch.
  [[nodiscard]] TrainingBatch load(const std::vector<std::uint32_t>& items, std::uint64_t seed,
                                   std::uint64_t epoch, unsigned threads) const {
    TrainingBatch batch{
        .pictures = {items.size(), shape_.side, shape_.colours, shape_.stem_kernel / 2},
        .labels = {}};
    for (const std::uint32_t item : items) batch.labels.push_back(labels_[item]);
    parallel_for(items.size(), threads, {}, [&](std::size_t i, unsigned) {
      Rng rng(mix64(seed + i));
      const int most = seed == 0 ? 0 : static_cast<int>(shape_.side / 8);
      const auto shift = [&] {
        return static_cast<int>(rng.below(static_cast<std::uint32_t>(2 * most + 1))) - most;
      };
      const int dx = shift();
      const int dy = shift();
      const bool mirror = seed != 0 && ((mix64(items[i] + options_.seed) + epoch) & 1U) != 0;
      copy(items[i], dx, dy, mirror, batch.pictures, i);
      if (seed != 0 && options_.cutout > 0) cut_out(rng, batch.pictures, i);
    });
    return batch;
  }

  // A square around any pixel becomes grey, as far as it lies inside.
  void cut_out(Rng& rng, Maps<float>& out, std::size_t at) const {
    const std::size_t side = shape_.side;
    const auto range = [&] {
      const std::size_t end = rng.below(static_cast<std::uint32_t>(side)) + options_.cutout / 2 + 1;
      return std::pair{end - std::min(end, options_.cutout), std::min(end, side)};
    };
    const auto [top, bottom] = range();
    const auto [left, right] = range();
    for (std::size_t y = top; y < bottom; ++y) {
      std::fill_n(out.pixel(at, y, left), (right - left) * shape_.colours, 0.0F);
    }
  }

  void copy(std::uint32_t item, int dx, int dy, bool mirror, Maps<float>& out,
            std::size_t at) const {
    const int side = static_cast<int>(shape_.side);
    // What lies outside is what lies as far inside.
    const auto inside = [side](int x) { return x < 0 ? -x : x >= side ? 2 * side - 2 - x : x; };
    const std::uint8_t* square = &squares_[item * shape_.side * shape_.side * shape_.colours];
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        const int column = inside(x + dx);
        const int from = inside(y + dy) * side + (mirror ? side - 1 - column : column);
        float* to = out.pixel(at, static_cast<std::size_t>(y), static_cast<std::size_t>(x));
        for (std::size_t c = 0; c < shape_.colours; ++c) {
          to[c] = to_input(square[static_cast<std::size_t>(from) * shape_.colours + c]);
        }
      }
    }
  }

  HashNetShape shape_;
  std::vector<std::uint8_t> squares_;
  std::vector<std::uint32_t> labels_;
  TrainingSetOptions options_;
  std::uint32_t classes_ = 0;
  std::vector<std::vector<std::uint32_t>> training_;  // by label
  std::vector<std::uint32_t> all_, validation_;
};

}  // namespace

std::unique_ptr<TrainingSet> make_labelled_set(const HashNetShape& shape,
                                               std::vector<std::uint8_t> squares,
                                               std::vector<std::uint32_t> labels,
                                               const TrainingSetOptions& options) {
  assert(labels.size() >= 2);
  return std::make_unique<LabelledSet>(shape, std::move(squares), std::move(labels), options);
}

}  // namespace twinsift
