// SPDX-License-Identifier: Apache-2.0
// What the commands of 'twinsift peer' and the running peer say to each other: one JSON object a
// line, over a socket that only their person can open (docs/peers.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "net/peer.h"
#include "twinsift/result.h"

namespace twinsift::cli {

inline constexpr std::size_t kLongestLine = std::size_t{64} << 20U;

struct AskCommand {
  std::uint64_t number = 0;  // of the question, chosen by who asks
  net::Question question{};
};
struct StatusCommand {};
struct PublishCommand {};
struct StopCommand {};
using ControlCommand = std::variant<AskCommand, StatusCommand, PublishCommand, StopCommand>;

// Without the end of the line.
std::string line_of(const ControlCommand& command);
// kCorrupt: this is no command.
Result<ControlCommand> parse_command(std::string_view line);

// What comes back.
std::string answer_line(std::uint64_t number, const net::Answer& answer);
std::string report_line(std::uint64_t number, const net::QuestionReport& report);
std::string done_line();
std::string error_line(std::string_view message);

// An answer as the asking side reads it.
struct AnswerLine {
  std::uint64_t number = 0;
  double similarity = 0;
  std::string owner;  // public key
  std::string address;
  std::string resource;
  std::string title;
  std::string detector;
  double begin_seconds = 0;
  double end_seconds = 0;
};
struct ReportLine {
  std::uint64_t number = 0;
  net::QuestionReport report{};
};
struct StatusLine {
  std::string json;
};
struct DoneLine {};
using ControlReply = std::variant<AnswerLine, ReportLine, StatusLine, DoneLine>;
// kCorrupt: this is no reply; kIo: it is an error, with the sentence that was sent.
Result<ControlReply> parse_reply(std::string_view line);

}  // namespace twinsift::cli
