// SPDX-License-Identifier: Apache-2.0
// The table of sketch algorithms.  A new one is an entry: its name, the keys that its spec may
// have, and the function that makes it.
#include <array>

#include <fmt/format.h>

#include "sketch/cws.h"
#include "sketch/dart.h"
#include "sketch/doph.h"
#include "sketch/fss.h"
#include "sketch/hoph.h"
#include "sketch/icws.h"
#include "sketch/lecture.h"
#include "sketch/minhash.h"
#include "sketch/oph.h"
#include "sketch/spec.h"
#include "sketch/superminhash.h"
#include "twinsift/sketch.h"

namespace twinsift {
namespace {

using Made = Result<std::unique_ptr<Sketcher>>;

struct Entry {
  std::string_view name;
  std::array<std::string_view, 5> keys;
  Made (*make)(const SketchSpec&);
};

// For sketches that take a number of components and a seed and nothing else.
template <class S, std::uint64_t MaxComponents = kComponents.high>
Made make(const SketchSpec& spec) {
  NumberRange components = kComponents;
  components.high = MaxComponents;
  TWINSIFT_TRY(const std::uint64_t k, spec.number("k", components));
  TWINSIFT_TRY(const std::uint64_t seed, spec.number("seed", {}));
  return std::unique_ptr<Sketcher>(std::make_unique<S>(static_cast<std::uint32_t>(k), seed));
}

constexpr std::array kSketches = {
    Entry{"fss1", {"k", "seed"}, make<FssSketcher>},
    Entry{"minhash1", {"k", "seed"}, make<MinHashSketcher>},
    Entry{"oph1", {"k", "seed"}, make<OphSketcher>},
    Entry{"doph1", {"k", "seed"}, make<DophSketcher, DophSketcher::kMaxComponents>},
    Entry{"hoph1", {"ratio", "groups", "estimate", "k", "seed"}, make_hoph},
    Entry{"superminhash1", {"k", "seed"}, make<SuperMinHashSketcher>},
    Entry{"lecture1", {"rows", "prime", "k", "seed"}, make_lecture},
    Entry{"dart1", {"k", "seed"}, make<DartSketcher>},
    Entry{"cws1", {"k", "seed"}, make<CwsSketcher>},
    Entry{"icws1", {"k", "seed"}, make<IcwsSketcher>},
};

}  // namespace

Result<std::unique_ptr<Sketcher>> make_sketcher(std::string_view spec) {
  const std::string_view name = spec.substr(0, spec.find(':'));
  std::string known;
  for (const Entry& entry : kSketches) {
    known += fmt::format(" {}", entry.name);
    if (entry.name != name) continue;
    TWINSIFT_TRY(const SketchSpec parsed, SketchSpec::parse(spec, entry.keys));
    return entry.make(parsed);
  }
  return bad_sketch_spec(spec, fmt::format("the known ones are{}", known));
}

}  // namespace twinsift
