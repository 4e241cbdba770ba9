// SPDX-License-Identifier: Apache-2.0
// Networks of pictures: products of matrices as convolutions have them, and whole pictures, beside
// the plain loop in the same run.  One thread, processor time.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/matrix.h"
#include "base/random.h"
#include "bench/timing.h"
#include "feature/hash_model.h"
#include "learn/convolution.h"

namespace twinsift::bench {
namespace {

constexpr int kRuns = 5;

struct Layer {
  std::size_t side, in, out;
};
constexpr std::array kLayers = {Layer{32, 32, 64}, Layer{16, 64, 64}, Layer{16, 64, 128},
                                Layer{8, 128, 256}, Layer{4, 256, 256}};

// One row of the kernel for one panel of 32 channels: the product that multiply() is called with.
double seconds_of(const Layer& layer, MatrixKernel kernel) {
  const std::size_t pitch = layer.side + 2;
  const std::vector<float> a(pitch * pitch * layer.in, 0.5F);
  const std::vector<float> b(3 * layer.in * 32, 0.25F);
  std::vector<float> c(layer.side * layer.side * layer.out);
  std::vector<std::int64_t> a_rows, c_rows;
  for (std::size_t y = 0; y < layer.side; ++y) {
    for (std::size_t x = 0; x < layer.side; ++x) {
      a_rows.push_back(static_cast<std::int64_t>((y * pitch + x) * layer.in));
      c_rows.push_back(static_cast<std::int64_t>((y * layer.side + x) * layer.out));
    }
  }
  return best_seconds(kRuns, [&] {
    multiply_by(kernel, {.a = a.data(),
                         .a_rows = a_rows,
                         .b = b.data(),
                         .b_row = 32,
                         .c = c.data(),
                         .c_rows = c_rows,
                         .inner = 3 * layer.in,
                         .columns = 32});
    keep(static_cast<std::uint64_t>(c[0]));
  });
}

void bench_products() {
  fmt::print("| Convolution | plain: GFLOPS | AVX2: GFLOPS | ratio | AVX-512: GFLOPS | ratio |\n");
  fmt::print("|---|---|---|---|---|---|\n");
  for (const Layer& layer : kLayers) {
    const double operations = 2e-9 * double(layer.side * layer.side * 3 * layer.in * 32);
    const double plain = seconds_of(layer, MatrixKernel::kScalar);
    fmt::print("| {0} x {0}, {1} to {2} | {3:.1f} ", layer.side, layer.in, layer.out,
               operations / plain);
    for (const MatrixKernel kernel : {MatrixKernel::kAvx2, MatrixKernel::kAvx512}) {
      if (!can_multiply_by(kernel)) {
        fmt::print("| | ");
        continue;
      }
      const double took = seconds_of(layer, kernel);
      fmt::print("| {:.1f} | {:.1f}x ", operations / took, plain / took);
    }
    fmt::print("|\n");
  }
}

// A layer as training computes it (learn/winograd.h) beside the sum as a trained network does, in
// multiplications and additions of the definition.
void bench_training() {
  constexpr std::size_t kImages = 32;
  fmt::print("\n| Training | plain sum: GFLOPS | by tiles | ratio | backwards |\n");
  fmt::print("|---|---|---|---|---|\n");
  for (const Layer& layer : kLayers) {
    const ConvolutionShape shape{.side = layer.side, .in = layer.in, .out = layer.out};
    Convolution<float> convolution(shape);
    Rng rng(1);
    for (float& weight : convolution.weights().values) {
      weight = static_cast<float>(rng.uniform() - .5);
    }
    convolution.prepare();
    const ConvolutionPlan plan(shape);
    const auto panels = panels_of<float>(convolution.weights().values, layer.out);
    Maps<float> in(kImages, layer.side, layer.in, 1);
    Maps<float> out(kImages, layer.side, layer.out, 1);
    for (float& value : in.values) value = static_cast<float>(rng.uniform() - .5);
    Maps<float> d_in = in;
    std::vector<float> middle(layer.side * layer.side * layer.out);
    const double plain = best_seconds(kRuns, [&] {
      for (std::size_t i = 0; i < kImages; ++i) plan.convolve(in.image(i), panels, middle.data());
      keep(static_cast<std::uint64_t>(middle[0]));
    });
    const double tiles = best_seconds(kRuns, [&] { convolution.forward(in, out, 1); });
    const double back = best_seconds(kRuns, [&] { convolution.backward(in, out, &d_in, 1); });
    const double operations =
        2e-9 * double(kImages * layer.side * layer.side) * double(shape.weights());
    fmt::print("| {0} x {0}, {1} to {2} | {3:.1f} | {4:.1f} | {5:.2f}x | {6:.1f} |\n", layer.side,
               layer.in, layer.out, operations / plain, operations / tiles, plain / tiles,
               2 * operations / back);
  }
}

void bench_pictures() {
  constexpr HashNetShape kClasses{};
  constexpr HashNetShape kCopies{.side = 64,
                                 .colours = 1,
                                 .stem_kernel = 5,
                                 .stem_stride = 2,
                                 .widths = {32, 64, 128},
                                 .cells = 2,
                                 .bits = 256};
  fmt::print("\n| Network | million multiplications | bytes | pictures a second | target |\n");
  fmt::print("|---|---|---|---|---|\n");
  for (const auto& [name, shape] : {std::pair{"32 x 32 in colour, 64, 128, 256", kClasses},
                                    std::pair{"64 x 64 in grey, 32, 64, 128", kCopies}}) {
    Rng rng(1);
    HashWeights weights;
    for (const auto& part : weights.parts(shape)) {
      for (std::size_t i = 0; i < part.size; ++i) {
        part.numbers->push_back(static_cast<float>(rng.uniform() - .5));
      }
    }
    const std::string bytes = HashModel::write(shape, weights);
    const auto model = HashModel::parse(std::as_bytes(std::span(bytes)));
    if (!model) continue;
    const std::vector<std::uint8_t> square(shape.side * shape.side * shape.colours, 100);
    const double took = best_seconds(kRuns, [&] { keep(model->describe(square).code[0]); });
    fmt::print("| {} | {:.1f} | {} | {:.0f} | >= 100: {} |\n", name,
               1e-6 * double(model->multiplications()), bytes.size(), 1 / took,
               1 / took >= 100 ? "met" : "MISSED");
  }
}

}  // namespace
}  // namespace twinsift::bench

int main() {
  twinsift::bench::bench_products();
  twinsift::bench::bench_training();
  twinsift::bench::bench_pictures();
}
