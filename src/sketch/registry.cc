// SPDX-License-Identifier: Apache-2.0
// The table of sketch algorithms, and their specs "name:key=value,...".
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "sketch/fss.h"
#include "sketch/minhash.h"
#include "twinsift/sketch.h"

namespace twinsift {
namespace {

struct Parameters {
  std::uint64_t k = 256;
  std::uint64_t seed = 0;
};

struct Entry {
  std::string_view name;
  std::unique_ptr<Sketcher> (*make)(const Parameters&);
};

template <class S>
std::unique_ptr<Sketcher> make(const Parameters& p) {
  return std::make_unique<S>(static_cast<std::uint32_t>(p.k), p.seed);
}

constexpr std::array kSketches = {
    Entry{"fss1", make<FssSketcher>},
    Entry{"minhash1", make<MinHashSketcher>},
};

Error bad_spec(std::string_view spec, std::string_view why) {
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("\"{}\" is not a sketch: {}; try fss1:k=256,seed=7", spec, why)};
}

Result<Parameters> parse_parameters(std::string_view spec, std::string_view list) {
  Parameters parameters;
  while (!list.empty()) {
    const std::string_view item = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), item.size() + 1));
    const std::size_t equals = std::min(item.find('='), item.size());
    const std::string_view key = item.substr(0, equals);
    const std::string_view value = item.substr(std::min(item.size(), equals + 1));
    if (key != "k" && key != "seed") return bad_spec(spec, fmt::format("unknown \"{}\"", key));
    std::uint64_t& slot = key == "k" ? parameters.k : parameters.seed;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), slot);
    if (error != std::errc() || end != value.data() + value.size()) {
      return bad_spec(spec, fmt::format("{} needs a whole number", key));
    }
  }
  if (parameters.k < 1 || parameters.k > 65536) return bad_spec(spec, "k is from 1 to 65536");
  return parameters;
}

}  // namespace

Result<std::unique_ptr<Sketcher>> make_sketcher(std::string_view spec) {
  const std::string_view name = spec.substr(0, spec.find(':'));
  for (const Entry& entry : kSketches) {
    if (entry.name != name) continue;
    const std::string_view rest = spec.substr(std::min(spec.size(), name.size() + 1));
    TWINSIFT_TRY(const Parameters parameters, parse_parameters(spec, rest));
    return entry.make(parameters);
  }
  std::string known;
  for (const Entry& entry : kSketches) known += fmt::format(" {}", entry.name);
  return bad_spec(spec, fmt::format("the known ones are{}", known));
}

}  // namespace twinsift
