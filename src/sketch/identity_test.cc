// SPDX-License-Identifier: Apache-2.0
// GOLDEN: sketches are the same numbers on every machine, with every compiler, at every level of
// optimisation, with SIMD and without.  The constants are digests of the sketches of one family
// of sets; who changes one changes what every stored sketch means, and must change the name of the
// sketch as well.  tools/check-identity builds this test in several ways and runs each.
#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/hash.h"
#include "base/random.h"
#include "feature/weights.h"
#include "sketch/bbit.h"
#include "sketch/redgreen.h"
#include "sketch/set_sketch.h"
#include "twinsift/sketch.h"

namespace twinsift {
namespace {

constexpr std::array<std::uint64_t, 6> kSizes = {1, 2, 10, 100, 1000, 5000};

TokenSet tokens_of(std::uint64_t size) {
  Rng rng(size);
  TokenSet set(size);
  for (std::uint64_t& id : set) id = rng.next();
  return set;
}

// Weights that binary fractions hold exactly, 1/1024 to 1920, and such that they do not, as TF-IDF
// makes: thirds, sevenths and their like, over the whole range of doubles.
enum class Weights : std::uint8_t { kDyadic, kOther };

WeightedSet weighted(std::uint64_t size, Weights kind) {
  const TokenSet ids = tokens_of(size);
  Rng rng(size + 77);
  std::vector<double> weights;
  for (std::uint64_t i = 0; i < size; ++i) {
    const double eighths = 8 + rng.below(8);
    const int exponent = static_cast<int>(rng.below(21)) - 13;
    const double above = 1 + rng.below(1000);
    const double below = 3 + 2 * rng.below(50);
    // One in sixteen is of another magnitude; the heaviest would else be all that is sampled.
    const double scale = rng.below(16) == 0 ? 1e-30 : 1;
    weights.push_back(kind == Weights::kDyadic ? std::ldexp(eighths, exponent)
                                               : above / below * scale);
  }
  return *make_weighted_set(ids, weights);
}

std::uint64_t digest(const Sketch& sketch) {
  std::uint64_t hash = sketch.size();
  for (const std::uint64_t component : sketch) hash = permute64(component, hash);
  return hash;
}

// The digests of some sketches as one, and, for whoever must find out where machines differ, each.
class Digest {
 public:
  void add(std::uint64_t part) {
    hash_ = permute64(part, hash_);
    parts_ << std::hex << " " << part;
  }
  [[nodiscard]] std::uint64_t value() const { return hash_; }
  [[nodiscard]] std::string parts() const { return "by size:" + parts_.str(); }

 private:
  std::uint64_t hash_ = 0;
  std::ostringstream parts_;
};

Digest digest_sets(const Sketcher& sketcher) {
  Digest result;
  for (const std::uint64_t size : kSizes) {
    result.add(digest(*sketcher.sketch(Feature{.value = tokens_of(size)})));
  }
  return result;
}

Digest digest_weighted(const Sketcher& sketcher, Weights kind) {
  Digest result;
  for (const std::uint64_t size : kSizes) {
    result.add(digest(*sketcher.sketch(Feature{.value = weighted(size, kind)})));
  }
  return result;
}

struct SetRow {
  std::string_view spec;
  std::uint64_t sets;
};

constexpr SetRow kSets[] = {
    {"fss1:k=1,seed=0", 0xb8eabe83cb79c152U},
    {"fss1:k=64,seed=42", 0xc21fa6b428aba304U},
    {"fss1:k=256,seed=7", 0x52e2ed5dd5f09b8dU},
    {"fss1:k=1000,seed=18446744073709551615", 0x217ced73299e4ac1U},
    {"minhash1:k=1,seed=0", 0x2ddd98278a6bd8bdU},
    {"minhash1:k=64,seed=42", 0x92913ef57c9d031dU},
    {"minhash1:k=300,seed=7", 0x34319ec7c8954b69U},
    {"oph1:k=1,seed=0", 0x2ddd98278a6bd8bdU},
    {"oph1:k=256,seed=42", 0x55ca00e574876526U},
    {"oph1:k=65536,seed=7", 0x9a046c92d2669e48U},
    {"doph1:k=1,seed=0", 0x2ddd98278a6bd8bdU},
    {"doph1:k=256,seed=42", 0x64270a5a8d21597cU},
    {"doph1:k=1000,seed=7", 0x9386187f1aad3b04U},
    {"hoph1:ratio=1:1,groups=8,k=256,seed=7", 0x01073ca081bab777U},
    {"hoph1:ratio=1:2,groups=8,k=256,seed=7", 0x039b73827159e704U},
    {"hoph1:ratio=2:1,groups=8,k=256,seed=7", 0xc2bd6e08c892f8eeU},
    {"hoph1:ratio=3:5,groups=10,estimate=pooled,k=1000,seed=42", 0x7a551ce681c21bd6U},
    {"superminhash1:k=1,seed=0", 0x3a300d52c06b8998U},
    {"superminhash1:k=256,seed=42", 0xb2ec0f802c3b9616U},
    {"superminhash1:k=1000,seed=7", 0x782b66014d3806b3U},
    {"lecture1:k=64,seed=7", 0xa3483cfd5401a747U},
    {"lecture1:rows=1000,prime=1009,k=256,seed=42", 0x42967fb52f3aa8ebU},
    {"lecture1:rows=4294967290,prime=4294967291,k=64,seed=1", 0xf782f1679f9f64d4U},
};

struct WeightedRow {
  std::string_view spec;
  std::uint64_t sets;
  std::uint64_t dyadic;
  std::uint64_t other;
};

constexpr WeightedRow kWeighted[] = {
    {"cws1:k=1,seed=0", 0x504f6479b6abad8dU, 0x6f0e9034b409a2f6U, 0x4608367262c3b4baU},
    {"cws1:k=16,seed=42", 0xda16e9d045767cffU, 0x3f4e65cc37f14dabU, 0xfe2c3f7e102e4124U},
    {"cws1:k=50,seed=7", 0x822f2dcfc9e64dd9U, 0x4bb3926087ab9f5aU, 0x9563a89dcc714343U},
    {"icws1:k=1,seed=0", 0x4787fcb763d1965fU, 0x2693f6a418e8b3fbU, 0x0048f6a38186cc77U},
    {"icws1:k=16,seed=42", 0xa86cfb8ef95a0291U, 0x87f4be072d031fdcU, 0xb373491948b395d5U},
    {"icws1:k=100,seed=7", 0xc66adc5f4f26aeabU, 0x20bc83c24e3e3f98U, 0xa582124a48e86a6cU},
    {"dart1:k=1,seed=0", 0xb5e053f1abf2e3d1U, 0xd572b47192547e11U, 0x3bc464ccafe615d1U},
    {"dart1:k=256,seed=42", 0x7de80c356114be9dU, 0x49006709e9a459c9U, 0xc181383d0e57fe22U},
    {"dart1:k=1000,seed=7", 0x72a691717f429560U, 0xb8ca5d413e8f7c0eU, 0x1cda55366f4369c2U},
};

TEST(Identity, SketchesOfSetsAreFixedForEver) {
  for (const SetRow& row : kSets) {
    const Digest found = digest_sets(**make_sketcher(row.spec));
    EXPECT_EQ(found.value(), row.sets) << row.spec << " " << found.parts();
  }
}

TEST(Identity, SketchesOfWeightedSetsAreFixedForEver) {
  for (const WeightedRow& row : kWeighted) {
    const auto sketcher = *make_sketcher(row.spec);
    const Digest sets = digest_sets(*sketcher);
    const Digest dyadic = digest_weighted(*sketcher, Weights::kDyadic);
    const Digest other = digest_weighted(*sketcher, Weights::kOther);
    EXPECT_EQ(sets.value(), row.sets) << row.spec << " " << sets.parts();
    EXPECT_EQ(dyadic.value(), row.dyadic) << row.spec << " " << dyadic.parts();
    EXPECT_EQ(other.value(), row.other) << row.spec << " " << other.parts();
  }
}

// The names as the registry itself tells them.
TEST(Identity, EverySketchOfTheRegistryIsInTheTables) {
  const std::string message = make_sketcher("?").error().message;
  const std::string_view before = "the known ones are";
  const std::size_t begin = message.find(before) + before.size();
  std::istringstream names(message.substr(begin, message.find(';', begin) - begin));
  std::size_t count = 0;
  for (std::string name; names >> name; ++count) {
    const auto is_of = [&](const auto& row) { return row.spec.starts_with(name + ":"); };
    EXPECT_TRUE(std::ranges::any_of(kSets, is_of) || std::ranges::any_of(kWeighted, is_of)) << name;
  }
  EXPECT_GE(count, 10U);
}

// Red-green has a vocabulary in place of a spec: here the ids of the set, each with a bound of
// its own above its weight.
TEST(Identity, RedGreenSketchesAreFixedForEver) {
  struct Row {
    Weights kind;
    std::uint32_t k;
    std::uint64_t seed;
    std::uint64_t expected;
  };
  for (const Row& row : {Row{Weights::kDyadic, 64, 7, 0xa9b972d4d211c1b0U},
                         Row{Weights::kDyadic, 1000, 42, 0x5b15b6356da28ebbU},
                         Row{Weights::kOther, 64, 7, 0x05375bd9c096a868U},
                         Row{Weights::kOther, 1000, 42, 0xc8f5eed4d022a796U}}) {
    Digest found;
    for (const std::uint64_t size : kSizes) {
      const WeightedSet set = weighted(size, row.kind);
      WeightedSet bounds = set;
      Rng rng(size);
      for (double& bound : bounds.weights) bound *= 1 + 9 * rng.uniform();
      const auto sketcher = RedGreenSketcher::make(row.k, row.seed, bounds);
      found.add(digest(*sketcher->sketch(Feature{.value = set})));
    }
    EXPECT_EQ(found.value(), row.expected) << row.k << " " << found.parts();
  }
}

TEST(Identity, CodesAreFixedForEver) {
  struct Row {
    unsigned bits;
    std::uint64_t expected;
  };
  const auto fss = *make_sketcher("fss1:k=300,seed=7");
  for (const Row& row :
       {Row{1, 0xeeef2c87395bdda4U}, Row{2, 0x2041d658496a9814U}, Row{4, 0xde356f98807d1355U},
        Row{8, 0x29e97e6d27b4fadbU}, Row{16, 0x40cf406edd1ea2a0U}}) {
    Digest found;
    for (const std::uint64_t size : kSizes) {
      const Sketch sketch = *fss->sketch(Feature{.value = tokens_of(size)});
      found.add(digest(pack_codes(sketch, row.bits)));
    }
    EXPECT_EQ(found.value(), row.expected) << row.bits << " bits " << found.parts();
  }
}

TEST(Identity, BytesOfTheHotPathAreFixedForEver) {
  Digest found;
  const auto fss = *make_sketcher("fss1:k=256,seed=7");
  for (const std::uint64_t size : kSizes) {
    std::vector<std::uint8_t> codes(256);
    make_codes(*fss->sketch(Feature{.value = tokens_of(size)}), codes);
    found.add(digest(Sketch(codes.begin(), codes.end())));
  }
  EXPECT_EQ(found.value(), 0xed607b6fd1eea316U) << found.parts();
}

}  // namespace
}  // namespace twinsift
