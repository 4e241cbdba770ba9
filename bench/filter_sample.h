// SPDX-License-Identifier: Apache-2.0
// What bench_filter compares, and on which pairs.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sketch/table.h"
#include "tune/similarity_law.h"
#include "twinsift/result.h"
#include "verify/early_stop.h"
#include "verify/filter_parts.h"

namespace twinsift::bench {

constexpr std::uint32_t kPaperComponents = 1000;  // 64-bit ones, of the filters of the papers
constexpr std::uint32_t kOurComponents = 1024;    // byte codes in planes
constexpr double kError = 1e-4;                   // of all filters

enum class Way : std::uint8_t { kFull, kGoph, kHoph, kCws, kSequential, kPlanes };

struct Contestant {
  Way way = Way::kFull;
  std::string name;
  FilterTask task;
  EarlyStopTable table;
};
Result<std::vector<Contestant>> contestants(std::uint32_t threshold_permille);

// Items with their sketches, each twice, and which of them meet.
struct Sample {
  struct Row {
    ItemId item = 0;
    std::vector<ItemId> others;
  };
  std::vector<std::uint64_t> sketches;  // kPaperComponents for each item
  SketchTable codes{{64, 128, 256, 512, kOurComponents}};
  std::vector<Row> rows;

  [[nodiscard]] std::span<const std::uint64_t> sketch(ItemId item) const {
    return std::span(sketches).subspan(std::size_t{item} * kPaperComponents, kPaperComponents);
  }
};

// One item meets 1500 others whose similarities to it follow the law: components are equal with
// that probability.
Result<Sample> draw_sample(SimilarityLaw law);

// All pairs of about 1500 documents.  They are taken in runs of neighbours at equal distances,
// because near-duplicates are neighbours in most corpora and a random sample would have none.
struct TextSample {
  Sample sample;                    // sketches are fss1
  std::vector<TokenSet> documents;  // their shingles, words:5
};
Result<TextSample> text_sample(const std::string& corpus);

// Processor time of one verdict, the best of some runs, on every `step`-th row of the sample.
double ns_per_pair(const Contestant& contestant, const Sample& sample, std::size_t step);
// The baseline: all components, one by one.
double scalar_ns_per_pair(const Sample& sample, std::size_t step);

}  // namespace twinsift::bench
