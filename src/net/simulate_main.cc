// SPDX-License-Identifier: Apache-2.0
#include "net/simulate_main.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <functional>
#include <string_view>

#include <fmt/format.h>

namespace twinsift::net {
namespace {

struct Flag {
  std::string_view name;
  std::string_view help;
  std::function<bool(SimulationOptions&, std::string_view)> set;
};

template <class T>
bool read_number(std::string_view text, T& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc{} && end == text.data() + text.size();
}

template <class T>
std::function<bool(SimulationOptions&, std::string_view)> number(T SimulationOptions::*member) {
  return [member](SimulationOptions& options, std::string_view text) {
    return read_number(text, options.*member);
  };
}

const std::vector<Flag>& flags() {
  static const std::vector<Flag> all = {
      {"--peers", "N: virtual peers (100)", number(&SimulationOptions::peers)},
      {"--similarity", "S: least similarity that is promised (0.8)",
       [](SimulationOptions& o, std::string_view text) {
         return read_number(text, o.goal.similarity);
       }},
      {"--recall", "P: share of similar resources that is promised (0.9)",
       [](SimulationOptions& o, std::string_view text) {
         return read_number(text, o.goal.recall);
       }},
      {"--labels", "wide or pond1 (wide)",
       [](SimulationOptions& o, std::string_view text) {
         o.one_bit = text == "pond1";
         return text == "pond1" || text == "wide";
       }},
      {"--tune", "yes or no: the network tunes itself (no)",
       [](SimulationOptions& o, std::string_view text) {
         o.tunes = text == "yes";
         return text == "yes" || text == "no";
       }},
      {"--questions", "N: questions that have answers (500)",
       number(&SimulationOptions::questions)},
      {"--seed", "N: of all that is drawn (1)", number(&SimulationOptions::seed)},
      {"--loss", "SHARE: of datagrams (0)", number(&SimulationOptions::loss)},
      {"--killed", "SHARE: of the peers, after all was published (0)",
       number(&SimulationOptions::killed)},
      {"--wait", "PERIODS: between the killing and the questions (0)",
       number(&SimulationOptions::wait_periods)},
      {"--period", "SECONDS: in which everything is published once (3600)",
       number(&SimulationOptions::period)},
      {"--pace", "N: labels that a peer publishes in a second (20)",
       number(&SimulationOptions::publish_per_second)},
  };
  return all;
}

Result<std::string> read_arguments(std::span<const std::string> arguments,
                                   SimulationOptions& options) {
  std::string file;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].starts_with("--")) {
      if (!file.empty()) return Error{ErrorCode::kInvalidArgument, "there is more than one file"};
      file = arguments[i];
      continue;
    }
    const auto flag = std::ranges::find(flags(), arguments[i], &Flag::name);
    if (flag == flags().end()) {
      return Error{ErrorCode::kInvalidArgument, fmt::format("{}: no such option", arguments[i])};
    }
    if (i + 1 == arguments.size() || !flag->set(options, arguments[i + 1])) {
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("{}: needs {}", flag->name, flag->help)};
    }
    ++i;
  }
  if (file.empty()) {
    return Error{ErrorCode::kInvalidArgument,
                 "name a file of items, one a line: an id, a tab, and hexadecimal numbers"};
  }
  return file;
}

std::string to_json(const Traffic& traffic) {
  std::string out = "{";
  for (std::size_t i = 0; i < kMessageKinds; ++i) {
    out += fmt::format("\"{}\": {}, ", to_text(static_cast<MessageKind>(i)), traffic.messages[i]);
  }
  return out + fmt::format("\"bytes\": {}}}", traffic.bytes);
}

std::string to_json(const MessageCount& count) {
  return fmt::format("{{\"messages\": {:.2f}, \"bytes\": {:.0f}}}", count.messages, count.bytes);
}

}  // namespace

std::string to_json(const SimulationOptions& options, const SimulationResult& result) {
  const Configuration& configuration = result.configuration;
  std::string out = "{\n";
  const auto field = [&](std::string_view name, const auto& value) {
    out += fmt::format("  \"{}\": {},\n", name, value);
  };
  field("peers", result.peers);
  field("resources", result.resources);
  field("similarity", options.goal.similarity);
  field("promised", options.goal.recall);
  out += fmt::format(
      "  \"labels\": {{\"width\": {}, \"hashes\": {}, \"labels\": {}, \"least_agreeing\": {}}},\n",
      configuration.shape.width, configuration.shape.hashes, configuration.shape.labels,
      configuration.least_agreeing);
  field("labels_published", result.labels_published);
  field("questions", result.questions);
  field("wanted", result.wanted);
  field("found", result.found);
  out += fmt::format("  \"recall\": {:.4f},\n  \"precision\": {:.4f},\n", result.recall(),
                     result.precision());
  field("kept", result.kept);
  out += fmt::format(
      "  \"per_question\": {{\"lookups\": {:.2f}, \"fetches\": {:.2f}, \"strangers\": {:.2f}}},\n",
      result.lookups, result.fetches, result.strangers);
  out += fmt::format("  \"seconds\": {{\"p50\": {:.3f}, \"p95\": {:.3f}}},\n", result.latency_p50,
                     result.latency_p95);
  out += fmt::format("  \"peers_estimated\": {:.0f},\n", result.peers_estimated);
  field("idle_peer_hour", to_json(result.idle));
  field("resource", to_json(result.resource));
  field("question", to_json(result.question));
  field("publishing", to_json(result.publishing));
  out += fmt::format("  \"asking\": {}\n}}\n", to_json(result.asking));
  return out;
}

int simulate_main(std::span<const std::string> arguments) {
  if (std::ranges::find(arguments, "--help") != arguments.end()) {
    std::string help = "simulate [OPTIONS] FILE\n";
    for (const Flag& flag : flags()) help += fmt::format("  {} {}\n", flag.name, flag.help);
    std::fputs(help.c_str(), stdout);
    return 0;
  }
  SimulationOptions options;
  const auto fail = [](const Error& error) {
    std::fputs(fmt::format("simulate: {}\n", error.message).c_str(), stderr);
    return 2;
  };
  const Result<std::string> file = read_arguments(arguments, options);
  if (!file) return fail(file.error());
  const Result<std::vector<SimulatedItem>> items = read_items(*file);
  if (!items) return fail(items.error());
  const Result<SimulationResult> result = simulate(options, *items);
  if (!result) return fail(result.error());
  std::fputs(to_json(options, *result).c_str(), stdout);
  return 0;
}

}  // namespace twinsift::net
