// SPDX-License-Identifier: Apache-2.0
#include "eval/vectors.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "base/normal.h"

namespace twinsift {
namespace {

constexpr std::uint32_t kMostComponents = 1U << 20;

Error bad(std::string message) { return {ErrorCode::kInvalidArgument, std::move(message)}; }

bool separates(char c) { return c == ',' || c == '\t' || c == ' ' || c == ';' || c == '\r'; }

// The numbers of a line, added to `values`.
Status parse_line(std::string_view line, std::size_t number, std::vector<float>& values) {
  while (true) {
    while (!line.empty() && separates(line.front())) line.remove_prefix(1);
    if (line.empty()) return ok();
    const auto end = std::ranges::find_if(line, separates);
    const std::string_view word(line.begin(), end);
    float value = 0;
    const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || rest != word.data() + word.size() || !std::isfinite(value)) {
      return bad(fmt::format("line {}: \"{}\" is not a finite number", number, word.substr(0, 40)));
    }
    values.push_back(value);
    line.remove_prefix(word.size());
  }
}

std::vector<double> normals(std::size_t count, Rng& rng) {
  std::vector<double> numbers(count);
  for (double& x : numbers) x = normal(rng);
  return numbers;
}

}  // namespace

Result<VectorSet> parse_text_vectors(std::string_view text) {
  VectorSet set{.name = "vectors of the file"};
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with('#')) continue;
    const std::size_t before = set.values.size();
    TWINSIFT_TRY([[maybe_unused]] const auto parsed, parse_line(line, number, set.values));
    const std::size_t length = set.values.size() - before;
    if (length == 0) continue;
    if (set.dimension == 0) set.dimension = length;
    if (length != set.dimension) {
      return bad(fmt::format("line {} has {} numbers, and those before have {}", number, length,
                             set.dimension));
    }
  }
  return set;
}

Result<VectorSet> parse_fvecs(std::string_view bytes) {
  static_assert(std::endian::native == std::endian::little);
  VectorSet set{.name = "vectors of the file"};
  for (std::size_t number = 0; !bytes.empty(); ++number) {
    std::uint32_t length = 0;
    if (bytes.size() < sizeof length)
      return Error{ErrorCode::kCorrupt, "the last vector is cut off"};
    std::memcpy(&length, bytes.data(), sizeof length);
    bytes.remove_prefix(sizeof length);
    if (length == 0 || length > kMostComponents) {
      return Error{ErrorCode::kCorrupt,
                   fmt::format("vector {} says it has {} numbers", number, length)};
    }
    if (set.dimension == 0) set.dimension = length;
    if (length != set.dimension) {
      return Error{ErrorCode::kCorrupt,
                   fmt::format("vector {} has {} numbers, and those before have {}", number, length,
                               set.dimension)};
    }
    if (bytes.size() < length * sizeof(float)) {
      return Error{ErrorCode::kCorrupt, "the last vector is cut off"};
    }
    const std::size_t before = set.values.size();
    set.values.resize(before + length);
    std::memcpy(&set.values[before], bytes.data(), length * sizeof(float));
    bytes.remove_prefix(length * sizeof(float));
    for (std::size_t i = before; i < set.values.size(); ++i) {
      if (!std::isfinite(set.values[i])) {
        return bad(fmt::format("number {} of vector {} is not finite", i - before, number));
      }
    }
  }
  return set;
}

Result<VectorSet> read_vectors(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  if (!file.good()) return Error{ErrorCode::kIo, fmt::format("cannot read {}", path)};
  auto set = path.ends_with(".fvecs") ? parse_fvecs(bytes) : parse_text_vectors(bytes);
  if (!set) return Error{set.error().code, fmt::format("{}: {}", path, set.error().message)};
  return set;
}

std::size_t usual_hot_spots(std::size_t count) {
  return std::max<std::size_t>(1, count * 14 / 10'200);
}

VectorSet make_clustered(const MadeVectors& made, std::uint64_t seed) {
  Rng rng(seed);
  const bool mixed = made.latent != made.dimension;
  VectorSet set{.name = fmt::format("made-up vectors, groups of {}", made.group),
                .dimension = made.dimension};
  const std::vector<double> mixing = normals(mixed ? made.latent * made.dimension : 0, rng);
  const double scale = 1 / std::sqrt(static_cast<double>(made.latent));
  for (std::uint32_t group = 0; set.groups.size() < made.count; ++group) {
    const std::vector<double> centre = normals(made.latent, rng);
    const std::uint32_t members = group < made.hot_spots ? 50 + rng.below(201) : made.group;
    for (std::uint32_t m = 0; m < members && set.groups.size() < made.count; ++m) {
      std::vector<double> point = centre;
      for (double& x : point) x += made.noise * normal(rng);
      for (std::size_t i = 0; i < made.dimension; ++i) {
        double x = mixed ? 0 : point[i];
        for (std::size_t j = 0; mixed && j < made.latent; ++j) {
          x += scale * mixing[i * made.latent + j] * point[j];
        }
        set.values.push_back(static_cast<float>(x));
      }
      set.groups.push_back(group);
    }
  }
  return set;
}

VectorSet make_bags(std::size_t count, std::uint32_t group, std::uint64_t seed) {
  constexpr std::size_t kWords = 400;
  constexpr std::uint32_t kDrawn = 300;
  constexpr double kShared = 2.0 / 3;
  Rng rng(seed);
  VectorSet set{.name = fmt::format("made-up bags of {} visual words, groups of {}", kWords, group),
                .dimension = kWords};
  // Words of a vocabulary by k-means are nearly equally frequent; a scene prefers some of them.
  std::vector<double> until(kWords);
  const auto draw = [&] {
    const double u = rng.uniform() * until.back();
    return static_cast<std::size_t>(std::ranges::upper_bound(until, u) - until.begin());
  };
  std::vector<std::size_t> shared(kDrawn);
  while (set.groups.size() < count) {
    if (set.groups.size() % group == 0) {
      double sum = 0;
      for (double& end : until) {
        const double gain = normal(rng);
        end = sum += gain * gain;
      }
      for (std::size_t& word : shared) word = draw();
    }
    std::vector<double> bag(kWords);
    for (const std::size_t word : shared) ++bag[rng.uniform() < kShared ? word : draw()];
    double square = 0;
    for (const double x : bag) square += x * x;
    for (const double x : bag) set.values.push_back(static_cast<float>(x / std::sqrt(square)));
    set.groups.push_back(static_cast<std::uint32_t>(set.groups.size() / group));
  }
  return set;
}

}  // namespace twinsift
