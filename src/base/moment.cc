// SPDX-License-Identifier: Apache-2.0
#include "base/moment.h"

#include <charconv>
#include <ctime>
#include <optional>

namespace twinsift {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

// The number that `text` begins with, which must have so many digits.
std::optional<int> take_number(std::string_view& text, std::size_t digits) {
  int value = 0;
  if (text.size() < digits) return std::nullopt;
  for (const char c : text.substr(0, digits)) {
    if (c < '0' || c > '9') return std::nullopt;
    value = 10 * value + (c - '0');
  }
  text.remove_prefix(digits);
  return value;
}

bool take(std::string_view& text, char wanted) {
  if (!text.starts_with(wanted)) return false;
  text.remove_prefix(1);
  return true;
}

// The fields as they are written; false if anything else is there.
bool read_fields(std::string_view text, std::tm& time, bool& utc) {
  const auto field = [&](std::size_t digits, int& out) {
    const auto number = take_number(text, digits);
    out = number.value_or(0);
    return number.has_value();
  };
  if (!field(4, time.tm_year) || !take(text, '-') || !field(2, time.tm_mon) || !take(text, '-') ||
      !field(2, time.tm_mday)) {
    return false;
  }
  if (take(text, 'T')) {
    if (!field(2, time.tm_hour) || !take(text, ':') || !field(2, time.tm_min)) return false;
    if (take(text, ':') && !field(2, time.tm_sec)) return false;
    utc = take(text, 'Z');
  }
  return text.empty();
}

std::optional<std::int64_t> parse_date(std::string_view text) {
  std::tm time = {};
  bool utc = false;
  if (!read_fields(text, time, utc)) return std::nullopt;
  if (time.tm_year < 1970 || time.tm_year > 2200) return std::nullopt;
  time.tm_year -= 1900;
  time.tm_mon -= 1;
  time.tm_isdst = -1;  // whatever holds at that place on that day
  const std::tm written = time;
  const std::time_t seconds = utc ? ::timegm(&time) : ::mktime(&time);
  // Both turn the 31st of February into a day of March; a day or an hour that comes out otherwise
  // is none.  (An hour that a change of the clock leaves out moves, which only shows in tm_hour.)
  if (time.tm_mday != written.tm_mday || time.tm_mon != written.tm_mon || written.tm_hour > 23 ||
      written.tm_min > 59 || written.tm_sec > 59) {
    return std::nullopt;
  }
  return std::int64_t{seconds} * kSecond;
}

}  // namespace

Result<std::int64_t> parse_age(std::string_view text) {
  constexpr std::string_view kUnits = "smhdw";
  constexpr std::int64_t kSeconds[] = {1, 60, 3600, 86400, 604800};
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  const std::size_t unit = stop + 1 == end ? kUnits.find(*stop) : std::string_view::npos;
  constexpr std::int64_t kMost = 1'000'000;
  if (error != std::errc{} || unit == std::string_view::npos || number < 0 || number > kMost) {
    return Error{ErrorCode::kInvalidArgument,
                 "allowed are whole numbers with s, m, h, d or w, as in 30d"};
  }
  return number * kSeconds[unit];
}

Result<std::int64_t> parse_moment(std::string_view text, std::int64_t now_ns) {
  if (const auto age = parse_age(text)) {
    // Before 1678 there are no nanoseconds left, and no files either.
    return now_ns / kSecond < *age ? 0 : now_ns - *age * kSecond;
  }
  if (const auto date = parse_date(text)) return *date;
  return Error{ErrorCode::kInvalidArgument,
               "allowed are a date, as in 2026-01-31 or 2026-01-31T12:00, and an age, as in 7d or "
               "12h"};
}

}  // namespace twinsift
