// SPDX-License-Identifier: Apache-2.0
// The promise in a network of virtual peers: the code of real ones, OpenDHT with all of its
// messages, and nothing but clocks and wires made up.
//
// A promise is one about a pair and the hashes that a network draws once for all.  Texts come in
// families, which a label finds or misses as a whole, so that networks with the same promise
// differ: there are several, and their mean counts.
#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>
#include <simdjson.h>

#include "base/json_object.h"
#include "base/run_program.h"
#include "base/sibling_program.h"
#include "eval/data.h"
#include "eval/paper_004.h"

namespace twinsift::paper_004 {
namespace {

constexpr const char* kProgram = "twinsift-virtual-peers";

// What one network has done.
struct PeersRun {
  double recall = 0;
  double precision = 0;
  double publish = 0;  // messages for a resource
  double search = 0;   // messages for a question
  double seconds = 0;  // median of questions
};

struct Network {
  double similarity = kMinSim;
  double recall = 0.8;
  std::uint64_t seed = 1;
  double loss = 0;
  double killed = 0;
  double wait = 0;  // periods
};

class VirtualPeersProgram {
 public:
  static Result<VirtualPeersProgram> make(const EvalOptions& options, const Sizes& sizes) {
    std::string path = find_sibling_program(kProgram, "TWINSIFT_VIRTUAL_PEERS");
    if (path.empty()) {
      return Error{ErrorCode::kNotFound,
                   "twinsift-virtual-peers was not found: this build may have been made without "
                   "peers, or TWINSIFT_VIRTUAL_PEERS leads nowhere"};
    }
    TWINSIFT_TRY(EvalSets loaded, load_sets(options, sizes.virtual_texts));
    TWINSIFT_TRY(Fd file, open_unnamed_file(temp_directory("")));
    for (std::size_t i = 0; i < loaded.sets.size(); ++i) {
      TWINSIFT_TRY([[maybe_unused]] const auto written,
                   write_all(file.get(),
                             fmt::format("{}\t{:x}\n", i, fmt::join(loaded.sets[i], " ")), "sets"));
    }
    return VirtualPeersProgram(options, sizes, std::move(path), std::move(file),
                               std::move(loaded.description));
  }

  [[nodiscard]] const std::string& texts() const { return texts_; }

  [[nodiscard]] Result<PeersRun> run(const Network& network) const {
    TWINSIFT_TRY([[maybe_unused]] const auto begun,
                 begin(options_, fmt::format("virtual peers, minSim = {}, pr_min = {}, seed {}",
                                             network.similarity, network.recall, network.seed)));
    const auto text = [](const auto& number) { return fmt::format("{}", number); };
    TWINSIFT_TRY(const std::string said,
                 run_program(path_,
                             {"--peers", text(sizes_.virtual_peers), "--questions",
                              text(sizes_.virtual_questions), "--similarity",
                              text(network.similarity), "--recall", text(network.recall), "--seed",
                              text(network.seed), "--loss", text(network.loss), "--killed",
                              text(network.killed), "--wait", text(network.wait), "/dev/stdin"},
                             sets_, options_.stop));
    simdjson::dom::parser parser;
    simdjson::dom::element root;
    if (const auto error = parser.parse(said).get(root)) {
      return Error{ErrorCode::kCorrupt, fmt::format("{}: {}", kProgram, json_error_reason(error))};
    }
    return read(root);
  }

 private:
  VirtualPeersProgram(const EvalOptions& options, const Sizes& sizes, std::string path, Fd sets,
                      std::string texts)
      : options_(options),
        sizes_(sizes),
        path_(std::move(path)),
        sets_(std::move(sets)),
        texts_(std::move(texts)) {}

  static Result<PeersRun> read(simdjson::dom::element root) {
    PeersRun run;
    TWINSIFT_TRY(const JsonObject said, JsonObject::make(root, kProgram));
    TWINSIFT_TRY(run.recall, said.share("recall"));
    TWINSIFT_TRY(run.precision, said.share("precision"));
    TWINSIFT_TRY(const JsonObject resource, said.object("resource"));
    TWINSIFT_TRY(run.publish, resource.number("messages"));
    TWINSIFT_TRY(const JsonObject question, said.object("question"));
    TWINSIFT_TRY(run.search, question.number("messages"));
    TWINSIFT_TRY(const JsonObject seconds, said.object("seconds"));
    TWINSIFT_TRY(run.seconds, seconds.number("p50"));
    return run;
  }

  const EvalOptions& options_;
  const Sizes& sizes_;
  std::string path_;
  Fd sets_;
  std::string texts_;
};

// Networks that differ in their seeds alone.
struct Several {
  PeersRun mean{};
  double least = 1;  // recall
  double most = 0;
};

Result<Several> run_several(const VirtualPeersProgram& program, Network network,
                            std::uint32_t seeds) {
  Several all{.mean = {.precision = 1}};
  for (std::uint32_t i = 0; i < seeds; ++i) {
    network.seed = i + 1;
    TWINSIFT_TRY(const PeersRun run, program.run(network));
    all.mean.recall += run.recall / seeds;
    all.mean.publish += run.publish / seeds;
    all.mean.search += run.search / seeds;
    all.mean.seconds += run.seconds / seeds;
    all.mean.precision = std::min(all.mean.precision, run.precision);
    all.least = std::min(all.least, run.recall);
    all.most = std::max(all.most, run.recall);
  }
  return all;
}

Result<EvalSection> promises(const VirtualPeersProgram& program, const Sizes& sizes) {
  EvalSection section;
  section.claim = {.id = "virtual-peers",
                   .title = "Fig. 4 with virtual peers: recall by the promised recall",
                   .claim =
                       "Recall is at least pr_min, for minSim of 0.8 and 0.9 and pr_min of 0.5 to "
                       "0.95, and every answer is right.",
                   .verdict = {}};
  section.table.columns = {"minSim",    "pr_min",        "recall",       "least",   "most",
                           "precision", "publish, msg.", "search, msg.", "median s"};
  section.plots.push_back({.title = "Recall by promised recall",
                           .x = {.label = "pr_min", .low = 0.5, .high = 1},
                           .y = {.label = "recall", .low = 0, .high = 1},
                           .series = {}});
  bool right = true;
  double margin = 1;
  for (const double similarity : {kMinSim, kNearMinSim}) {
    PlotSeries series{.name = fmt::format("minSim = {}", similarity)};
    for (const double promised : {0.5, 0.8, 0.9, 0.95}) {
      TWINSIFT_TRY(const Several all,
                   run_several(program, {.similarity = similarity, .recall = promised},
                               sizes.virtual_seeds));
      const PeersRun& mean = all.mean;
      section.table.rows.push_back(
          {fmt::format("{}", similarity), fmt::format("{}", promised),
           fmt::format("{:.4f}", mean.recall), fmt::format("{:.4f}", all.least),
           fmt::format("{:.4f}", all.most), fmt::format("{:.4f}", mean.precision),
           fmt::format("{:.1f}", mean.publish), fmt::format("{:.1f}", mean.search),
           fmt::format("{:.3f}", mean.seconds)});
      series.points.push_back({promised, mean.recall});
      margin = std::min(margin, mean.recall - promised);
      right = right && mean.precision == 1;
    }
    section.plots.front().series.push_back(std::move(series));
  }
  section.claim.holds = right && margin >= 0;
  section.claim.verdict = fmt::format(
      "{} peers with {}, up to {} questions, mean of {} networks with hashes of their own: the "
      "least margin above a promise is {:.3f}; {}. Messages are datagrams of OpenDHT beyond those "
      "of idle peers, with requests, answers and all that a lookup asks on its way.",
      sizes.virtual_peers, program.texts(), sizes.virtual_questions, sizes.virtual_seeds, margin,
      right ? "all answers are right" : "some answers are wrong");
  return section;
}

struct Trouble {
  const char* name;
  double loss, killed, wait;
  double least;  // share of the recall without trouble
};
constexpr std::array kTroubles = {
    Trouble{"none", 0, 0, 0, 1},
    Trouble{"5 % of the datagrams are lost", .05, 0, 0, .95},
    Trouble{"a third of the peers killed, at once", 0, 1.0 / 3, 0, .97},
    Trouble{"a third of the peers killed, a period later", 0, 1.0 / 3, 1, .99},
};

Result<EvalSection> troubles(const VirtualPeersProgram& program, const Sizes& sizes) {
  constexpr double kPromised = 0.95;
  EvalSection section;
  section.claim = {.id = "virtual-trouble",
                   .title = "Losses and deaths among virtual peers",
                   .claim =
                       "With 5 % of the datagrams lost, recall is at least 0.95 of that without "
                       "losses. With a third of the peers killed, what the living have is found "
                       "with at least 0.97 of that at once, and 0.99 a period later.",
                   .verdict = {}};
  section.table.columns = {"trouble", "recall", "share", "wanted share", "precision", "median s"};
  double without = 1;
  bool holds = true;
  for (const Trouble& trouble : kTroubles) {
    TWINSIFT_TRY(const Several all, run_several(program,
                                                {.similarity = kNearMinSim,
                                                 .recall = kPromised,
                                                 .loss = trouble.loss,
                                                 .killed = trouble.killed,
                                                 .wait = trouble.wait},
                                                sizes.virtual_seeds));
    if (trouble.loss == 0 && trouble.killed == 0) without = all.mean.recall;
    const double share = without > 0 ? all.mean.recall / without : 0;
    holds = holds && share >= trouble.least && all.mean.precision == 1;
    section.table.rows.push_back({trouble.name, fmt::format("{:.4f}", all.mean.recall),
                                  fmt::format("{:.4f}", share), fmt::format("{}", trouble.least),
                                  fmt::format("{:.4f}", all.mean.precision),
                                  fmt::format("{:.3f}", all.mean.seconds)});
  }
  section.claim.holds = holds;
  section.claim.verdict = fmt::format(
      "minSim = {}, pr_min = {}, {} peers, mean of {} networks. Questions are about what a living "
      "peer has, and only what other living peers have is wanted.",
      kNearMinSim, kPromised, sizes.virtual_peers, sizes.virtual_seeds);
  return section;
}

}  // namespace

Result<std::vector<EvalSection>> virtual_peers(const EvalOptions& options, const Sizes& sizes) {
  TWINSIFT_TRY(const VirtualPeersProgram program, VirtualPeersProgram::make(options, sizes));
  std::vector<EvalSection> sections;
  TWINSIFT_TRY(EvalSection kept, promises(program, sizes));
  sections.push_back(std::move(kept));
  TWINSIFT_TRY(EvalSection troubled, troubles(program, sizes));
  sections.push_back(std::move(troubled));
  return sections;
}

}  // namespace twinsift::paper_004
