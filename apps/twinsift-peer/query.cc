// SPDX-License-Identifier: Apache-2.0
// twinsift peer query ITEM
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/escape.h"
#include "base/json_object.h"
#include "commands.h"
#include "control_client.h"
#include "json.h"
#include "output.h"
#include "peer_commands.h"
#include "peer_settings.h"
#include "question.h"
#include "report/facts.h"
#include "signals.h"

namespace twinsift::cli {
namespace {

using Sets = std::vector<net::ContentSet>;

// What the running peer says of itself.
struct Told {
  std::vector<std::string> media;  // how its collection was seen
  std::uint64_t waiting = 0;       // labels that it has not published yet
};

Result<Told> read_status(const std::string& status) {
  simdjson::dom::parser parser;
  simdjson::dom::element element;
  if (parser.parse(status).get(element) != simdjson::SUCCESS) {
    return Error{ErrorCode::kCorrupt, "the peer's status is no JSON"};
  }
  TWINSIFT_TRY(const ::twinsift::JsonObject object,
               ::twinsift::JsonObject::make(element, "status"));
  Told told;
  TWINSIFT_TRY(told.waiting, object.count("labels_waiting"));
  TWINSIFT_TRY(const auto array, object.array("media"));
  for (const simdjson::dom::element spec : array) {
    std::string_view text;
    if (spec.get(text) == simdjson::SUCCESS) told.media.emplace_back(text);
  }
  return told;
}

// Shots may be shorter than a second.
std::string stretch(double begin, double end) {
  const auto tenths = [](double seconds) {
    const auto minutes = static_cast<unsigned>(seconds / 60);
    return fmt::format("{}:{:04.1f}", minutes, seconds - 60.0 * minutes);
  };
  return fmt::format("{}-{}", tenths(begin), tenths(end));
}

// Prints answers as they come.
class Teller {
 public:
  Teller(const Arguments& args, const Sets& sets, Output& output)
      : format_(args.text("format", "text")),
        item_(args.operands()[1]),
        sets_(sets),
        output_(output) {}

  void answer(const AnswerLine& line) {
    ++answers_;
    if (format_ == "json") {
      all_.add(json_of(line).str());
      return;
    }
    output_.write(format_ == "text" ? text_of(line)
                                    : JsonObject()
                                              .number("v", 1)
                                              .text("type", "answer")
                                              .raw("answer", json_of(line).str())
                                              .str() +
                                          "\n");
    output_.flush();
  }

  void end(const ReportLine& line) {
    const net::QuestionReport& one = line.report;
    sum_.lookups += one.lookups;
    sum_.entries += one.entries;
    sum_.rejected += one.rejected;
    sum_.candidates += one.candidates;
    sum_.strangers += one.strangers;
    sum_.asked += one.asked;
    sum_.exchanges += one.exchanges;
    sum_.unshown += one.unshown;
    sum_.seconds = std::max(sum_.seconds, one.seconds);
    kept_ = kept_ && one.kept;
    if (!one.kept && sum_.why.empty()) sum_.why = one.why;
  }

  void finish() {
    if (format_ == "text") return;
    JsonObject out;
    out.number("v", 1).text("type", "end").path("item", item_);
    if (format_ == "json") out.raw("answers", all_.str());
    output_.write(out.number("questions", sets_.size())
                      .number("lookups", sum_.lookups)
                      .number("entries", sum_.entries)
                      .number("rejected", sum_.rejected)
                      .number("candidates", sum_.candidates)
                      .number("strangers", sum_.strangers)
                      .number("asked", sum_.asked)
                      .number("exchanges", sum_.exchanges)
                      .number("unshown", sum_.unshown)
                      .raw("seconds", fmt::format("{:.3f}", sum_.seconds))
                      .flag("kept", kept_)
                      .text("why", sum_.why)
                      .str() +
                  "\n");
  }

  [[nodiscard]] bool found() const { return answers_ > 0; }
  [[nodiscard]] bool kept() const { return kept_; }
  [[nodiscard]] const net::QuestionReport& sum() const { return sum_; }

 private:
  [[nodiscard]] const net::ContentSet& asked(const AnswerLine& line) const {
    return sets_[std::min<std::size_t>(line.number, sets_.size() - 1)];
  }

  [[nodiscard]] std::string text_of(const AnswerLine& line) const {
    const net::ContentSet& set = asked(line);
    const std::string linked =
        line.end_seconds > 0
            ? fmt::format("  {} is their {}", stretch(set.begin_seconds, set.end_seconds),
                          stretch(line.begin_seconds, line.end_seconds))
            : "";
    return fmt::format("{:.4f}  {}  {}  {}{}\n", line.similarity, escape_for_terminal(line.title),
                       line.owner.substr(0, 16), line.address, linked);
  }

  [[nodiscard]] JsonObject json_of(const AnswerLine& line) const {
    JsonObject out;
    out.share("similarity", line.similarity)
        .text("title", line.title)
        .text("owner", line.owner)
        .text("address", line.address)
        .text("resource", line.resource)
        .text("detector", line.detector);
    if (line.end_seconds <= 0) return out;
    const net::ContentSet& set = asked(line);
    const auto part = [](double begin, double end) {
      return fmt::format("{{\"begin\":{:.3f},\"end\":{:.3f}}}", begin, end);
    };
    out.raw("here", part(set.begin_seconds, set.end_seconds))
        .raw("there", part(line.begin_seconds, line.end_seconds));
    return out;
  }

  std::string format_;
  std::string item_;
  const Sets& sets_;
  Output& output_;
  JsonArray all_;
  std::size_t answers_ = 0;
  net::QuestionReport sum_;
  bool kept_ = true;
};

Result<Told> ask_status(ControlClient& client, const std::stop_token& stop) {
  TWINSIFT_TRY([[maybe_unused]] const auto asked, client.send(StatusCommand{}));
  TWINSIFT_TRY(const ControlReply reply, client.receive(stop));
  const auto* status = std::get_if<StatusLine>(&reply);
  if (status == nullptr) return Error{ErrorCode::kCorrupt, "the peer told no status"};
  return read_status(status->json);
}

Status ask_all(const Arguments& args, ControlClient& client, const Sets& sets, Teller& teller,
               const std::stop_token& stop) {
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const net::Question question{.detector = sets[i].detector,
                                 .set = sets[i].set,
                                 .similarity = args.share("threshold", 0),
                                 .own = args.flag("own")};
    TWINSIFT_TRY([[maybe_unused]] const auto sent, client.send(AskCommand{i, question}));
  }
  for (std::size_t open = sets.size(); open > 0;) {
    TWINSIFT_TRY(const ControlReply reply, client.receive(stop));
    if (const auto* answer = std::get_if<AnswerLine>(&reply)) teller.answer(*answer);
    if (const auto* report = std::get_if<ReportLine>(&reply)) {
      teller.end(*report);
      --open;
    }
  }
  return ok();
}

}  // namespace

int peer_query(const Arguments& args, Console& console) {
  const SignalWatch signals([] {});
  auto client = ControlClient::connect(state_path(args) + "/control");
  if (!client) return fail(console, client.error());
  const auto told = ask_status(*client, signals.token());
  if (!told) return fail(console, told.error());
  const auto sets = question_sets(args.operands()[1], told->media, signals.token());
  if (!sets) return fail(console, sets.error());
  auto output = Output::open("-");
  if (!output) return fail(console, output.error());
  Teller teller(args, *sets, *output);
  const Status asked = ask_all(args, *client, *sets, teller, signals.token());
  if (!asked) return fail(console, asked.error());
  teller.finish();
  if (const Status written = output->finish(); !written) return fail(console, written.error());
  if (sets->empty()) console.note("there is nothing in it that could be compared");
  if (!sets->empty() && !teller.found()) {
    console.note(told->waiting == 0
                     ? "no peer has anything that resembles it"
                     : "no peer has published anything that resembles it; this one has yet to "
                       "publish what it shares, and others may, too: ask again in a while");
  }
  if (teller.sum().unshown > 0) {
    console.note(fmt::format("{} did not show what they have published",
                             counted(teller.sum().unshown, "owner")));
  }
  if (!teller.kept()) console.note("there may be more: " + teller.sum().why);
  if (args.flag("verbose")) {
    const net::QuestionReport& sum = teller.sum();
    console.note(
        fmt::format("{} lookups, {} entries, {} rejected, {} candidates, {} strangers, "
                    "{} asked in {} exchanges, {} unshown, {:.0f} ms",
                    sum.lookups, sum.entries, sum.rejected, sum.candidates, sum.strangers,
                    sum.asked, sum.exchanges, sum.unshown, sum.seconds * 1000));
  }
  return finished(args, teller.found(), !teller.kept());
}

}  // namespace twinsift::cli
