// SPDX-License-Identifier: Apache-2.0
#include "net/http_get.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include <fmt/format.h>

namespace twinsift::net {
namespace {

constexpr std::string_view kEnd = "\r\n\r\n";
constexpr std::size_t kPiece = 16384;

template <class Number>
std::optional<Number> number_of(std::string_view digits) {
  Number number = 0;
  const char* end = digits.data() + digits.size();
  const auto read = std::from_chars(digits.data(), end, number);
  if (digits.empty() || read.ec != std::errc{} || read.ptr != end) return std::nullopt;
  return number;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool same_name(std::string_view a, std::string_view lower) {
  return std::ranges::equal(a, lower, {}, [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
}

Error strange() { return {ErrorCode::kCorrupt, "a peer's answer is no HTTP that is understood"}; }

Error closed() { return {ErrorCode::kIo, "a peer has closed the connection"}; }

// "HTTP/1.1 200 OK"
std::optional<int> status_of(std::string_view line) {
  if (!line.starts_with("HTTP/1.1 ") && !line.starts_with("HTTP/1.0 ")) return std::nullopt;
  line.remove_prefix(9);
  if (line.size() < 3 || (line.size() > 3 && line[3] != ' ')) return std::nullopt;
  const auto status = number_of<int>(line.substr(0, 3));
  return status && *status >= 100 ? status : std::nullopt;
}

}  // namespace

Result<HttpHead> parse_http_head(std::string_view head) {
  if (!head.ends_with(kEnd)) return strange();
  head.remove_suffix(2);  // every line ends with \r\n
  std::optional<int> status;
  std::optional<std::uint64_t> length;
  for (bool first = true; !head.empty(); first = false) {
    const std::size_t end = head.find("\r\n");
    if (end == std::string_view::npos) return strange();
    const std::string_view line = head.substr(0, end);
    head.remove_prefix(end + 2);
    if (first) {
      status = status_of(line);
      if (!status) return strange();
      continue;
    }
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return strange();
    const std::string_view name = line.substr(0, colon);
    if (same_name(name, "transfer-encoding") || same_name(name, "content-encoding")) {
      return strange();
    }
    if (!same_name(name, "content-length")) continue;
    if (length) return strange();
    length = number_of<std::uint64_t>(trimmed(line.substr(colon + 1)));
    if (!length) return strange();
  }
  if (!status || !length) return strange();
  return HttpHead{*status, *length};
}

Result<HttpBody> http_ask(DeadlineSocket& socket, const Address& host, std::string_view target,
                          std::uint64_t most) {
  const std::string request =
      fmt::format("GET {} HTTP/1.1\r\nHost: {}\r\n\r\n", target, to_text(host));
  TWINSIFT_TRY([[maybe_unused]] const auto sent, socket.write(request));
  std::string read;
  std::size_t end = std::string::npos;
  while ((end = read.find(kEnd)) == std::string::npos) {
    if (read.size() >= kMostHead) return strange();
    std::array<char, kReadAhead> piece{};
    TWINSIFT_TRY(const std::size_t count, socket.read(piece));
    if (count == 0) return closed();
    read.append(piece.data(), count);
  }
  const std::size_t size = end + kEnd.size();
  TWINSIFT_TRY(const HttpHead head, parse_http_head(std::string_view(read).substr(0, size)));
  if (head.length > most) {
    return Error{ErrorCode::kLimit, "a peer's answer is larger than any it could have published"};
  }
  if (read.size() - size > head.length) return strange();
  return HttpBody(socket, head, read.substr(size));
}

Result<std::string> HttpBody::read(std::uint64_t bytes) {
  if (bytes > left_) return strange();
  std::string out =
      begun_.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(bytes, begun_.size())));
  begun_.erase(0, out.size());
  std::array<char, kPiece> piece{};
  // What is said to come is not believed: memory grows with what has come.
  while (out.size() < bytes) {
    const auto wanted =
        static_cast<std::size_t>(std::min<std::uint64_t>(kPiece, bytes - out.size()));
    TWINSIFT_TRY(const std::size_t count, socket_->read(std::span(piece).first(wanted)));
    if (count == 0) return closed();
    out.append(piece.data(), count);
  }
  left_ -= bytes;
  return out;
}

Result<HttpAnswer> http_get(DeadlineSocket& socket, const Address& host, std::string_view target,
                            std::size_t most) {
  TWINSIFT_TRY(HttpBody body, http_ask(socket, host, target, most));
  TWINSIFT_TRY(std::string bytes, body.read(body.left()));
  return HttpAnswer{body.status(), std::move(bytes)};
}

}  // namespace twinsift::net
