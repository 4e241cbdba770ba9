// SPDX-License-Identifier: Apache-2.0
#include "control_wire.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "base/escape.h"
#include "base/json_object.h"
#include "json.h"
#include "net/byte_text.h"
#include "net/hex.h"

namespace twinsift::cli {
namespace {

using Reader = ::twinsift::JsonObject;

constexpr std::string_view kWhere = "a line of the control socket";

std::string real(double value) { return fmt::format("{:.17g}", value); }

std::string set_text(const TokenSet& set) {
  std::string bytes;
  bytes.reserve(8 * set.size());
  for (const std::uint64_t token : set) net::put_number(token, bytes);
  return base64(bytes);
}

Result<TokenSet> read_set(const Reader& object) {
  TWINSIFT_TRY(const std::string digits, object.text("set"));
  const auto bytes = from_base64(digits);
  if (!bytes || bytes->empty() || bytes->size() % 8 != 0) {
    return object.wrong("set", "is no list of numbers");
  }
  net::ByteReader reader(*bytes);
  TokenSet set(bytes->size() / 8);
  for (std::uint64_t& token : set) token = reader.number<std::uint64_t>();
  if (std::ranges::adjacent_find(set, std::greater_equal{}) != set.end()) {
    return object.wrong("set", "is not in order");
  }
  return set;
}

Result<AskCommand> read_ask(const Reader& object) {
  AskCommand command;
  TWINSIFT_TRY(command.number, object.count("number"));
  TWINSIFT_TRY(command.question.detector, object.text("detector"));
  TWINSIFT_TRY(command.question.set, read_set(object));
  TWINSIFT_TRY(command.question.similarity, object.share("similarity"));
  TWINSIFT_TRY(command.question.own, object.flag("own"));
  return command;
}

Result<AnswerLine> read_answer(const Reader& object) {
  AnswerLine line;
  TWINSIFT_TRY(line.number, object.count("number"));
  TWINSIFT_TRY(line.similarity, object.share("similarity"));
  TWINSIFT_TRY(line.owner, object.text("owner"));
  TWINSIFT_TRY(line.address, object.text("address"));
  TWINSIFT_TRY(line.resource, object.text("resource"));
  TWINSIFT_TRY(line.title, object.text("title"));
  TWINSIFT_TRY(line.detector, object.text("detector"));
  TWINSIFT_TRY(line.begin_seconds, object.number("begin"));
  TWINSIFT_TRY(line.end_seconds, object.number("end"));
  return line;
}

Result<ReportLine> read_report(const Reader& object) {
  ReportLine line;
  net::QuestionReport& report = line.report;
  TWINSIFT_TRY(line.number, object.count("number"));
  TWINSIFT_TRY(report.labels, object.count("labels"));
  TWINSIFT_TRY(report.lookups, object.count("lookups"));
  TWINSIFT_TRY(report.unreachable, object.count("unreachable"));
  TWINSIFT_TRY(report.entries, object.count("entries"));
  TWINSIFT_TRY(report.rejected, object.count("rejected"));
  TWINSIFT_TRY(report.candidates, object.count("candidates"));
  TWINSIFT_TRY(report.strangers, object.count("strangers"));
  TWINSIFT_TRY(report.asked, object.count("asked"));
  TWINSIFT_TRY(report.exchanges, object.count("exchanges"));
  TWINSIFT_TRY(report.unshown, object.count("unshown"));
  TWINSIFT_TRY(report.answers, object.count("answers"));
  TWINSIFT_TRY(report.seconds, object.number("seconds"));
  TWINSIFT_TRY(report.kept, object.flag("kept"));
  TWINSIFT_TRY(report.why, object.text("why"));
  return line;
}

Result<Reader> read_object(simdjson::dom::parser& parser, std::string_view line) {
  simdjson::dom::element element;
  const auto error = parser.parse(line.data(), line.size()).get(element);
  if (error != simdjson::SUCCESS) {
    return Error{ErrorCode::kCorrupt, fmt::format("{}: {}", kWhere, json_error_reason(error))};
  }
  return Reader::make(element, std::string(kWhere));
}

}  // namespace

std::string line_of(const ControlCommand& command) {
  JsonObject object;
  if (const auto* ask = std::get_if<AskCommand>(&command)) {
    object.text("do", "ask")
        .number("number", ask->number)
        .text("detector", ask->question.detector)
        .raw("similarity", real(ask->question.similarity))
        .flag("own", ask->question.own)
        .text("set", set_text(ask->question.set));
  } else if (std::holds_alternative<StatusCommand>(command)) {
    object.text("do", "status");
  } else if (std::holds_alternative<PublishCommand>(command)) {
    object.text("do", "publish");
  } else {
    object.text("do", "stop");
  }
  return object.str();
}

Result<ControlCommand> parse_command(std::string_view line) {
  simdjson::dom::parser parser;
  TWINSIFT_TRY(const Reader object, read_object(parser, line));
  TWINSIFT_TRY(const std::string what, object.text("do"));
  if (what == "ask") {
    TWINSIFT_TRY(AskCommand ask, read_ask(object));
    return ControlCommand(std::move(ask));
  }
  if (what == "status") return ControlCommand(StatusCommand{});
  if (what == "publish") return ControlCommand(PublishCommand{});
  if (what == "stop") return ControlCommand(StopCommand{});
  return object.wrong("do", "is nothing that a peer does");
}

std::string answer_line(std::uint64_t number, const net::Answer& answer) {
  return JsonObject()
      .text("type", "answer")
      .number("number", number)
      .raw("similarity", real(answer.similarity))
      .text("owner", net::to_hex(answer.entry.owner))
      .text("address", net::to_text(answer.entry.address))
      .text("resource", net::to_digits(answer.entry.resource))
      .text("title", answer.shown.title)
      .text("detector", answer.shown.detector)
      .raw("begin", real(answer.shown.begin_seconds))
      .raw("end", real(answer.shown.end_seconds))
      .str();
}

std::string report_line(std::uint64_t number, const net::QuestionReport& report) {
  return JsonObject()
      .text("type", "end")
      .number("number", number)
      .number("labels", report.labels)
      .number("lookups", report.lookups)
      .number("unreachable", report.unreachable)
      .number("entries", report.entries)
      .number("rejected", report.rejected)
      .number("candidates", report.candidates)
      .number("strangers", report.strangers)
      .number("asked", report.asked)
      .number("exchanges", report.exchanges)
      .number("unshown", report.unshown)
      .number("answers", report.answers)
      .raw("seconds", real(report.seconds))
      .flag("kept", report.kept)
      .text("why", report.why)
      .str();
}

std::string done_line() { return JsonObject().text("type", "done").str(); }

std::string error_line(std::string_view message) {
  return JsonObject().text("type", "error").text("message", message).str();
}

Result<ControlReply> parse_reply(std::string_view line) {
  simdjson::dom::parser parser;
  TWINSIFT_TRY(const Reader object, read_object(parser, line));
  TWINSIFT_TRY(const std::string type, object.text("type"));
  if (type == "answer") {
    TWINSIFT_TRY(AnswerLine answer, read_answer(object));
    return ControlReply(std::move(answer));
  }
  if (type == "end") {
    TWINSIFT_TRY(ReportLine report, read_report(object));
    return ControlReply(std::move(report));
  }
  if (type == "status") return ControlReply(StatusLine{std::string(line)});
  if (type == "done") return ControlReply(DoneLine{});
  TWINSIFT_TRY(const std::string message, object.text("message"));
  return Error{ErrorCode::kIo, message};
}

}  // namespace twinsift::cli
