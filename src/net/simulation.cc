// SPDX-License-Identifier: Apache-2.0
#include "net/simulation.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "net/configurations.h"
#include "verify/similarity.h"

namespace twinsift::net {
namespace {

constexpr double kJoinSeconds = 0.05;    // between two peers
constexpr double kSettleSeconds = 400;   // until all know their neighbours
constexpr double kIdleSeconds = 600;     // to see what they send when nothing happens
constexpr double kAskSeconds = 0.2;      // between two questions
constexpr double kLastSeconds = 90;      // for the last answers
constexpr double kMostPublish = 20'000;  // seconds

struct Wanted {
  std::size_t item = 0;  // of the question
  std::set<std::pair<PublicKey, ResourceId>> similar{};
};

// The parts of one simulation.
class Run {
 public:
  Run(const SimulationOptions& options, const std::vector<SimulatedItem>& items)
      : options_(options), items_(items), rng_(options.seed), all_(virtual_options(options)) {}

  SimulationResult operator()() {
    build();
    measure_idle();
    publish();
    kill();
    ask();
    return result_;
  }

 private:
  static VirtualPeersOptions virtual_options(const SimulationOptions& options) {
    VirtualPeersOptions out;
    out.network.name = fmt::format("simulation {}", options.seed);  // other hashes for each
    out.network.goal = options.goal;
    out.network.period = std::chrono::seconds(options.period);
    out.network.lifetime = 3 * out.network.period;
    out.virtual_network.seed = options.seed;
    out.virtual_network.loss = options.loss;
    out.peer.one_bit = options.one_bit;
    out.peer.tunes = options.tunes;
    out.peer.publishing = {options.publish_per_second, options.publish_per_second};
    return out;
  }

  void build() {
    for (std::uint32_t i = 0; i < options_.peers; ++i) {
      all_.add({});
      all_.hosts().run(kJoinSeconds);
    }
    all_.hosts().run(kSettleSeconds);
    result_.peers = options_.peers;
  }

  void measure_idle() {
    const Traffic before = all_.hosts().traffic();
    all_.hosts().run(kIdleSeconds);
    const Traffic idle = all_.hosts().traffic() - before;
    const double hours = kIdleSeconds / 3600 * options_.peers;
    result_.idle = {static_cast<double>(idle.total()) / hours,
                    static_cast<double>(idle.bytes) / hours};
  }

  // Messages beyond those that are sent anyway.
  MessageCount beyond_idle(const Traffic& traffic, double seconds, std::size_t things) const {
    const double hours = seconds / 3600 * static_cast<double>(all_.living().size());
    const double count = static_cast<double>(std::max<std::size_t>(things, 1));
    return {(static_cast<double>(traffic.total()) - result_.idle.messages * hours) / count,
            (static_cast<double>(traffic.bytes) - result_.idle.bytes * hours) / count};
  }

  void publish() {
    owners_.resize(items_.size());
    ids_.resize(items_.size());
    for (std::size_t i = 0; i < items_.size(); ++i) {
      owners_[i] = rng_.below(options_.peers);
      ids_[i] =
          all_.shelf(owners_[i])
              .put({.detector = options_.detector, .set = items_[i].set, .title = items_[i].id});
    }
    const Traffic before = all_.hosts().traffic();
    const double begin = all_.hosts().seconds();
    for (const auto host : all_.living()) {
      all_.peer(host).shelf_changed();
      all_.hosts().stir(host);
    }
    all_.run_until_published(kMostPublish);
    for (const auto host : all_.living()) {
      result_.resources += all_.shelf(host).size();
      result_.labels_published += all_.peer(host).status().labels_published;
    }
    result_.publishing = all_.hosts().traffic() - before;
    result_.resource =
        beyond_idle(result_.publishing, all_.hosts().seconds() - begin, result_.resources);
    if (options_.tunes) {
      all_.hosts().run(static_cast<double>((kAskAfter + 2) * options_.period));
    }
  }

  void kill() {
    std::vector<VirtualPeers::HostId> living = all_.living();
    const auto victims =
        static_cast<std::size_t>(options_.killed * static_cast<double>(living.size()));
    for (std::size_t i = 0; i < victims; ++i) {
      const std::size_t luck = i + rng_.below(static_cast<std::uint32_t>(living.size() - i));
      std::swap(living[i], living[luck]);
      all_.hosts().kill(living[i]);
    }
    all_.hosts().run(options_.wait_periods * static_cast<double>(options_.period));
  }

  // All that is similar to an item and belongs to another living peer.
  Wanted wanted_for(std::size_t item) {
    Wanted wanted{.item = item};
    for (std::size_t other = 0; other < items_.size(); ++other) {
      if (owners_[other] == owners_[item] || !all_.hosts().is_alive(owners_[other])) continue;
      if (jaccard_at_least(items_[item].set, items_[other].set, options_.goal.similarity) >=
          options_.goal.similarity) {
        wanted.similar.insert({all_.identity(owners_[other]).public_key(), ids_[other]});
      }
    }
    return wanted;
  }

  // Items of living peers, each once, to which others have something similar.
  std::vector<Wanted> draw_questions() {
    std::vector<std::size_t> order(items_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<Wanted> questions;
    for (std::size_t i = 0; i < order.size() && questions.size() < options_.questions; ++i) {
      const std::size_t luck = i + rng_.below(static_cast<std::uint32_t>(order.size() - i));
      std::swap(order[i], order[luck]);
      if (!all_.hosts().is_alive(owners_[order[i]])) continue;
      Wanted wanted = wanted_for(order[i]);
      if (!wanted.similar.empty()) questions.push_back(std::move(wanted));
    }
    return questions;
  }

  void ask() {
    const std::vector<Wanted> questions = draw_questions();
    const std::uint64_t fetches = all_.fetches();
    const Traffic before = all_.hosts().traffic();
    const double begin = all_.hosts().seconds();
    std::vector<std::shared_ptr<Asked>> asked;
    for (const Wanted& wanted : questions) {
      asked.push_back(all_.start(owners_[wanted.item],
                                 {.detector = options_.detector, .set = items_[wanted.item].set}));
      all_.hosts().run(kAskSeconds);
    }
    all_.hosts().run(kLastSeconds);
    result_.asking = all_.hosts().traffic() - before;
    result_.questions = questions.size();
    result_.question =
        beyond_idle(result_.asking, all_.hosts().seconds() - begin, questions.size());
    const double count = static_cast<double>(std::max<std::size_t>(questions.size(), 1));
    result_.fetches = static_cast<double>(all_.fetches() - fetches) / count;
    score(questions, asked, count);
    const PeerStatus status = all_.peer(all_.living().front()).status();
    result_.peers_estimated = status.peers;
    result_.configuration = status.configuration;
  }

  void score(const std::vector<Wanted>& questions, const std::vector<std::shared_ptr<Asked>>& asked,
             double count) {
    std::vector<double> seconds;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      result_.wanted += questions[i].similar.size();
      for (const Answer& answer : asked[i]->answers) {
        if (questions[i].similar.contains({answer.entry.owner, answer.entry.resource})) {
          ++result_.found;
        } else {
          ++result_.wrong;
        }
      }
      const QuestionReport& report = asked[i]->report;
      result_.kept += report.kept ? 1U : 0U;
      result_.lookups += static_cast<double>(report.lookups) / count;
      result_.strangers += static_cast<double>(report.strangers) / count;
      seconds.push_back(report.seconds);
    }
    std::ranges::sort(seconds);
    if (seconds.empty()) return;
    result_.latency_p50 = seconds[seconds.size() / 2];
    result_.latency_p95 = seconds[seconds.size() * 95 / 100];
  }

  const SimulationOptions& options_;
  const std::vector<SimulatedItem>& items_;
  Rng rng_;
  VirtualPeers all_;
  std::vector<VirtualPeers::HostId> owners_;
  std::vector<ResourceId> ids_;
  SimulationResult result_{};
};

Result<TokenSet> read_set(std::string_view text) {
  TokenSet set;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    if (*at == ' ' || *at == '\r') {
      ++at;
      continue;
    }
    std::uint64_t id = 0;
    const auto [stop, error] = std::from_chars(at, end, id, 16);
    if (error != std::errc{}) return Error{ErrorCode::kCorrupt, "has what is no number"};
    set.push_back(id);
    at = stop;
  }
  std::ranges::sort(set);
  set.erase(std::unique(set.begin(), set.end()), set.end());
  if (set.empty()) return Error{ErrorCode::kCorrupt, "has an empty set"};
  return set;
}

}  // namespace

double SimulationResult::recall() const {
  return wanted == 0 ? 1 : static_cast<double>(found) / static_cast<double>(wanted);
}

double SimulationResult::precision() const {
  const std::size_t answers = found + wrong;
  return answers == 0 ? 1 : static_cast<double>(found) / static_cast<double>(answers);
}

Result<SimulationResult> simulate(const SimulationOptions& options,
                                  const std::vector<SimulatedItem>& items) {
  if (options.peers < 2) {
    return Error{ErrorCode::kInvalidArgument, "a network has two peers at least"};
  }
  if (items.empty()) return Error{ErrorCode::kInvalidArgument, "there are no items"};
  TWINSIFT_TRY([[maybe_unused]] const Configuration first,
               first_configuration(options.goal, options.one_bit));
  return Run(options, items)();
}

Result<std::vector<SimulatedItem>> read_items(const std::string& path) {
  std::ifstream file(path);
  if (!file) return Error{ErrorCode::kNotFound, fmt::format("{}: cannot be read", path)};
  std::vector<SimulatedItem> items;
  std::string line;
  for (std::size_t number = 1; std::getline(file, line); ++number) {
    if (line.empty()) continue;
    const auto wrong = [&](std::string_view what) {
      return Error{ErrorCode::kCorrupt, fmt::format("{}: line {} {}", path, number, what)};
    };
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos) return wrong("has no tab after its id");
    Result<TokenSet> set = read_set(std::string_view(line).substr(tab + 1));
    if (!set) return wrong(set.error().message);
    items.push_back({line.substr(0, tab), *std::move(set)});
  }
  return items;
}

}  // namespace twinsift::net
