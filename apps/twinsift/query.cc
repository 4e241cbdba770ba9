// SPDX-License-Identifier: Apache-2.0
// twinsift query ITEM
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/escape.h"
#include "commands.h"
#include "input.h"
#include "json.h"
#include "output.h"
#include "report/facts.h"
#include "signals.h"
#include "twinsift/store.h"

namespace twinsift::cli {
namespace {

Error usage_error(std::string message) { return {ErrorCode::kInvalidArgument, std::move(message)}; }

std::string place_name(const QueryPlace& place) {
  std::string name = escape_for_terminal(place.path);
  if (place.part != 0) name += fmt::format(":{}", place.part);
  return place.offline ? name + " (offline)" : name;
}

std::string as_text(const QueryAnswer& answer, bool show_signature) {
  std::string out;
  for (const QueryMatch& match : answer.matches) {
    const std::string error =
        match.std_error > 0 ? fmt::format(" +- {:.4f}", match.std_error) : std::string();
    const auto frame = std::ranges::find(match.facts, "frame", &Fact::first);
    const std::string moment =
        frame == match.facts.end() ? std::string() : "  (its frame at " + frame->second + ")";
    for (const QueryPlace& place : match.places) {
      out += fmt::format("{:.4f}{}  {}{}{}\n", match.score, error, place_name(place),
                         match.identical ? "  (identical)" : "", moment);
    }
  }
  if (show_signature) out += fmt::format("signature  {}\n", answer.signature);
  return out;
}

std::string as_json(const QueryAnswer& answer) {
  JsonArray matches;
  for (const QueryMatch& match : answer.matches) {
    JsonArray places;
    for (const QueryPlace& place : match.places) {
      JsonObject entry;
      entry.path("path", place.path);
      if (place.part != 0) entry.number("part", place.part);
      entry.number("size", place.size).flag("offline", place.offline);
      places.add(entry.str());
    }
    JsonObject facts;
    for (const Fact& fact : match.facts) facts.text(fact.first, fact.second);
    JsonObject entry;
    entry.share("score", match.score);
    if (match.std_error > 0) entry.share("standard_error", match.std_error);
    entry.flag("identical", match.identical)
        .text("digest", match.digest)
        .raw("facts", facts.str())
        .raw("places", places.str());
    matches.add(entry.str());
  }
  JsonObject out;
  out.number("v", 1)
      .text("version", version())
      .path("item", answer.item.path)
      .text("digest", answer.item.digest)
      .text("medium", answer.medium)
      .text("guarantee", answer.guarantee)
      .number("candidates", answer.candidates)
      .number("survivors", answer.survivors)
      .raw("seconds", fmt::format("{:.6f}", answer.seconds))
      .raw("matches", matches.str());
  if (!answer.signature.empty()) out.text("signature", answer.signature);
  if (!answer.removed_path.empty()) out.path("removed", answer.removed_path);
  return out.str() + "\n";
}

Result<QueryAnswer> ask(const Arguments& args, const QueryOptions& options,
                        const std::stop_token& stop) {
  const std::string signature = args.text("signature", "");
  if (!signature.empty() != args.operands().empty()) {
    return usage_error("query needs an ITEM or --signature, and not both");
  }
  if (!signature.empty()) return query_signature(signature, options);
  const std::string& name = args.operands().front();
  std::error_code error;
  if (std::filesystem::is_regular_file(name, error)) return query_file(name, options);
  constexpr std::uint64_t kMost = std::uint64_t{1} << 30U;  // as find reads of a file
  TWINSIFT_TRY(const std::string bytes, read_input(name, stop, kMost));
  return query({.uri = name, .bytes = std::as_bytes(std::span(bytes))}, options);
}

}  // namespace

int run_query(const Arguments& args) {
  Console console(false, args.flag("quiet"));
  const SignalWatch signals([&] { console.status(); });
  QueryOptions options{.collection = collection_of(args),
                       .match = match_options(args),
                       .limit = args.count("limit", 20)};
  if (options.collection.empty()) {
    return fail(console, usage_error("there is no home folder: name the collection with --index"));
  }
  const Result<QueryAnswer> answer = ask(args, options, signals.token());
  if (!answer) return fail_collection(console, answer.error(), options.collection);
  auto output = Output::open("-");
  if (!output) return fail(console, output.error());
  const bool json = args.text("format", "text") == "json";
  output->write(json ? as_json(*answer) : as_text(*answer, args.flag("show-signature")));
  if (const Status written = output->finish(); !written) return fail(console, written.error());
  if (!json && !answer->removed_path.empty()) {
    console.note("seen before and removed: " + answer->removed_path);
  }
  if (!json && answer->matches.empty()) console.note("nothing in the collection resembles it");
  if (args.flag("verbose")) {
    console.note(fmt::format("{}; {} candidates, {} survivors, {:.3f} ms", answer->guarantee,
                             human_count(answer->candidates), human_count(answer->survivors),
                             answer->seconds * 1e3));
  }
  return finished(args, !answer->matches.empty(), false);
}

}  // namespace twinsift::cli
