// SPDX-License-Identifier: Apache-2.0
// Real peers on loopback: recall, latency, kill -9, and hostile callers.
//
//     bench_peers PROGRAM [PEERS ITEMS QUESTIONS PERIOD RATE [churn]]
//
// PROGRAM is twinsift, with twinsift-peer beside it.  Questions are versions of published texts,
// half of them just above the threshold of 0.8, and are asked of a peer that is not the owner. With
// "churn" a third of the peers is killed, and the run goes on for three periods.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include <unistd.h>

#include "base/test_dir.h"
#include "bench/peer_fleet.h"
#include "net/deadline_socket.h"
#include "net/peer_identity.h"

namespace {

using namespace twinsift;
using namespace twinsift::bench;
using std::chrono::steady_clock;

struct Asked {
  std::uint64_t item = 0;
  TokenSet set;
  double similarity = 0;
};

double jaccard(const TokenSet& a, const TokenSet& b) {
  TokenSet both;
  std::ranges::set_intersection(a, b, std::back_inserter(both));
  return static_cast<double>(both.size()) / static_cast<double>(a.size() + b.size() - both.size());
}

std::vector<Asked> make_questions(std::size_t count, std::uint64_t items) {
  Rng random(77);
  std::vector<Asked> questions;
  while (questions.size() < count) {
    const std::uint64_t item = random.below(static_cast<std::uint32_t>(items));
    const std::uint32_t changes = random.below(6);
    Asked asked{.item = item, .set = set_of(made_text(item, changes, questions.size() + 1))};
    asked.similarity = jaccard(asked.set, set_of(made_text(item, 0, 0)));
    if (asked.similarity >= 0.8) questions.push_back(std::move(asked));
  }
  return questions;
}

struct Outcome {
  bool found = false;
  bool wrong = false;  // an answer whose similarity is not the true one
  double first = 0;    // seconds until the owner's answer
  double all = 0;
  net::QuestionReport report{};
};

Outcome ask(const Fleet& fleet, std::size_t by, const Asked& question) {
  Outcome outcome;
  const auto begin = steady_clock::now();
  const auto passed = [&] {
    return std::chrono::duration<double>(steady_clock::now() - begin).count();
  };
  auto client = cli::ControlClient::connect(fleet.peers()[by].folder + "/state/control");
  const net::Question asked{.detector = "text1:words:5", .set = question.set};
  if (!client || !client->send(cli::AskCommand{0, asked})) return outcome;
  for (;;) {
    const auto reply = client->receive({});
    if (!reply) return outcome;
    if (const auto* answer = std::get_if<cli::AnswerLine>(&*reply)) {
      if (answer->owner != fleet.peers()[fleet.owner_of(question.item)].key) continue;
      outcome.found = true;
      outcome.first = passed();
      outcome.wrong = std::abs(answer->similarity - question.similarity) > 1e-9;
    }
    if (const auto* end = std::get_if<cli::ReportLine>(&*reply)) {
      outcome.all = passed();
      outcome.report = end->report;
      return outcome;
    }
  }
}

// What became of a question without the owner's answer.
void tell_missed(const Asked& question, const net::QuestionReport& report) {
  std::fprintf(stderr,
               "missed: similarity %.3f, %zu labels, %zu unreachable, %zu entries, %zu candidates, "
               "%zu strangers, %zu asked, %zu unshown\n",
               question.similarity, report.labels, report.unreachable, report.entries,
               report.candidates, report.strangers, report.asked, report.unshown);
}

struct Round {
  std::size_t asked = 0;
  std::size_t found = 0;
  std::size_t wrong = 0;
  std::size_t kept = 0;
  std::size_t unshown = 0;
  std::size_t labels = 0;  // of all questions: changes if the network has moved to others
  std::vector<double> first;
  std::vector<double> all;
  std::vector<bool> which;
};

// Each question, but those of which `skip` says so, by some living peer that is not the owner.
template <class Skip>
Round ask_all(const Fleet& fleet, const std::vector<Asked>& questions, Skip skip) {
  Round round;
  Rng random(5);
  for (const Asked& question : questions) {
    const std::size_t owner = fleet.owner_of(question.item);
    std::size_t by = owner;
    while (by == owner || !fleet.peers()[by].alive) {
      by = random.below(static_cast<std::uint32_t>(fleet.peers().size()));
    }
    round.which.push_back(false);
    if (skip(round.which.size() - 1, owner)) continue;
    const Outcome outcome = ask(fleet, by, question);
    ++round.asked;
    round.found += outcome.found ? 1 : 0;
    round.wrong += outcome.wrong ? 1 : 0;
    round.kept += outcome.report.kept ? 1 : 0;
    round.unshown += outcome.report.unshown;
    round.labels += outcome.report.labels;
    if (!outcome.found) tell_missed(question, outcome.report);
    round.which.back() = outcome.found;
    if (outcome.found) round.first.push_back(outcome.first);
    round.all.push_back(outcome.all);
  }
  return round;
}

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

void print(const char* name, const Round& round) {
  const auto share = [&](std::size_t count) {
    return round.asked == 0 ? 0 : static_cast<double>(count) / static_cast<double>(round.asked);
  };
  std::printf("| %s | %zu | %.4f | %zu | %zu | %zu | %.1f | %.0f | %.0f | %.0f | %.0f |\n", name,
              round.asked, share(round.found), round.wrong, round.kept, round.unshown,
              share(round.labels), 1e3 * quantile(round.first, 0.5),
              1e3 * quantile(round.first, 0.95), 1e3 * quantile(round.all, 0.5),
              1e3 * quantile(round.all, 0.95));
  std::fflush(stdout);
}

void sleep_until(steady_clock::time_point time) { std::this_thread::sleep_until(time); }

// A third dies; the living are asked for at once and after a period, the dead after an expiry.
void churn(Fleet& fleet, const std::vector<Asked>& questions, const Round& before,
           std::uint64_t period) {
  for (std::size_t i = 1; i < fleet.peers().size(); i += 3) fleet.kill(i);
  const auto killed = steady_clock::now();
  const auto alive = [&](std::size_t owner) { return fleet.peers()[owner].alive; };
  const auto living = [&](std::size_t i, std::size_t owner) {
    return !before.which[i] || !alive(owner);
  };
  const auto dead = [&](std::size_t i, std::size_t owner) {
    return !before.which[i] || alive(owner);
  };
  print("a third killed, at once: living owners", ask_all(fleet, questions, living));
  print("at once: dead owners", ask_all(fleet, questions, dead));
  sleep_until(killed + std::chrono::seconds(period));
  print("a period later: living owners", ask_all(fleet, questions, living));
  sleep_until(killed + std::chrono::seconds(3 * period + period / 10 + 5));
  print("an expiry later: living owners", ask_all(fleet, questions, living));
  print("an expiry later: dead owners", ask_all(fleet, questions, dead));
}

// Callers that send a byte now and then, and megabytes, at every peer, while questions go on.
void hostile(const Fleet& fleet, const std::vector<Asked>& questions) {
  std::vector<net::Address> addresses;
  for (const FleetPeer& peer : fleet.peers()) {
    std::ifstream nodes(peer.folder + "/state/nodes");
    std::string line;
    while (std::getline(nodes, line)) {
      if (!peer.alive || !line.starts_with("listened ")) continue;
      if (const auto address = net::parse_address(line.substr(9))) addresses.push_back(*address);
    }
  }
  const auto callers = [&](std::string_view what, std::chrono::milliseconds pause) {
    return [&addresses, what, pause](const std::stop_token& stop) {
      for (std::size_t i = 0; !stop.stop_requested(); ++i) {
        auto socket = net::DeadlineSocket::connect(
            addresses[i % addresses.size()], steady_clock::now() + std::chrono::seconds(4), stop);
        while (socket && socket->write(what)) std::this_thread::sleep_for(pause);
      }
    };
  };
  const std::string large(1 << 20, 'x');
  std::vector<std::jthread> threads;
  for (int i = 0; i < 64; ++i) threads.emplace_back(callers("G", std::chrono::milliseconds(500)));
  for (int i = 0; i < 4; ++i) threads.emplace_back(callers(large, std::chrono::milliseconds(50)));
  print("64 slow and 4 oversized callers",
        ask_all(fleet, questions,
                [&](std::size_t, std::size_t owner) { return !fleet.peers()[owner].alive; }));
}

std::uint64_t number(int argc, char** argv, int at, std::uint64_t otherwise) {
  return argc > at ? std::strtoull(argv[at], nullptr, 10) : otherwise;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: bench_peers PROGRAM [PEERS ITEMS QUESTIONS PERIOD RATE [churn]]\n", stderr);
    return 2;
  }
  const FleetOptions options{.program = argv[1],
                             .peers = number(argc, argv, 2, 64),
                             .items = number(argc, argv, 3, 10'000),
                             .period = number(argc, argv, 5, 3600),
                             .rate = static_cast<double>(number(argc, argv, 6, 3))};
  const TestDir folder;
  const auto begin = steady_clock::now();
  const auto passed = [&] {
    return std::chrono::duration<double>(steady_clock::now() - begin).count();
  };
  auto fleet = Fleet::start(options, folder.path().string());
  if (!fleet) {
    std::fprintf(stderr, "bench_peers: %s\n", fleet.error().message.c_str());
    return 1;
  }
  std::fprintf(stderr, "bench_peers: %zu peers run after %.0f s\n", options.peers, passed());
  fleet->wait_published();
  std::printf("%zu peers, %zu items, published after %.0f s; period %lu s\n\n", options.peers,
              options.items, passed(), static_cast<unsigned long>(options.period));
  std::puts(
      "| | asked | found | wrong | promise kept | unshown | labels | first p50 ms | p95 "
      "| all p50 | p95 |");
  std::puts("|---|---|---|---|---|---|---|---|---|---|---|");
  const auto questions = make_questions(number(argc, argv, 4, 200), options.items);
  const Round all = ask_all(*fleet, questions, [](std::size_t, std::size_t) { return false; });
  print("all alive", all);
  hostile(*fleet, questions);
  if (argc > 7) churn(*fleet, questions, all, options.period);
  return all.wrong == 0 ? 0 : 1;
}
