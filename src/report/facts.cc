// SPDX-License-Identifier: Apache-2.0
#include "report/facts.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include <fmt/compile.h>
#include <fmt/format.h>

#include "report/must_stay.h"

namespace twinsift {
namespace {

constexpr std::array<std::string_view, 7> kUnits = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
constexpr std::int64_t kSecond = 1'000'000'000;

}  // namespace

std::vector<const MemberPair*> pairs_by_member(const Group& group) {
  std::vector<const MemberPair*> found(group.members.size(), nullptr);
  for (const MemberPair& pair : group.pairs) {
    const std::uint32_t member = pair.a == 0 ? pair.b : pair.a;
    if (member != 0 && member < found.size()) found[member] = &pair;
  }
  return found;
}

std::uint64_t bytes_to_gain(const Group& group) {
  const auto pairs = pairs_by_member(group);
  std::uint64_t gain = 0;
  for (std::size_t i = 1; i < group.members.size(); ++i) {
    const bool stays = pairs[i] != nullptr && must_stay(group, *pairs[i]) != MustStay::kNo;
    if (!stays) gain += group.members[i].size;
  }
  return gain;
}

std::string_view role_of(const Group& group, std::size_t place, const MemberPair* pair) {
  if (place == 0) return "keeper";
  const bool stays = pair != nullptr && must_stay(group, *pair) != MustStay::kNo;
  return stays ? "related" : "duplicate";
}

std::string_view relation_name(Relation relation) {
  switch (relation) {
    case Relation::kSame:
      return "same";
    case Relation::kContains:
      return "contains";
    case Relation::kContained:
      return "contained";
    case Relation::kLinked:
      return "linked";
  }
  return "same";
}

std::string human_bytes(std::uint64_t bytes) {
  if (bytes < 1000) return fmt::format("{} B", bytes);
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 999.95) {  // from here on one decimal would print as 1000.0
    value /= 1000;
    ++unit;
  }
  return fmt::format("{:.1f} {}", value, kUnits[unit]);
}

std::string human_count(std::uint64_t n) {
  std::string digits = fmt::format("{}", n);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string human_percent(double share) {
  // 0.9999 is not the same as equal, and a person reads "100.0 %" as equal.
  const double permille = share < 1 ? std::min(std::round(share * 1000), 999.0) : 1000.0;
  return fmt::format("{:.1f} %", permille / 10);
}

std::string whole_percent(double share) {
  const double limited = std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : 0.0;
  if (limited > 0 && limited < 0.01) return "less than 1 %";
  return fmt::format("{:.0f} %", limited < 1 ? std::min(limited * 100, 99.0) : 100.0);
}

std::string utc_time(std::int64_t ns) {
  namespace chrono = std::chrono;
  // By hand, because <chrono> would compute the beginning of the day in nanoseconds, which the
  // earliest times that a file can have do not have room for.
  const std::int64_t rest = (ns % kSecond + kSecond) % kSecond;
  const chrono::sys_seconds time{chrono::seconds(ns / kSecond - (ns % kSecond < 0 ? 1 : 0))};
  const auto day = chrono::floor<chrono::days>(time);
  const chrono::year_month_day date(day);
  const chrono::hh_mm_ss<chrono::seconds> clock(time - day);
  return fmt::format(FMT_COMPILE("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:09}Z"),
                     static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()), clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count(), rest);
}

std::optional<std::int64_t> parse_utc_time(std::string_view text) {
  namespace chrono = std::chrono;
  constexpr std::string_view kForm = "0000-00-00T00:00:00.000000000Z";
  if (text.size() != kForm.size()) return std::nullopt;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (kForm[i] == '0' ? !digit : text[i] != kForm[i]) return std::nullopt;
  }
  const auto digits = [&](std::size_t at, std::size_t length) {
    int value = 0;
    for (const char c : text.substr(at, length)) value = value * 10 + (c - '0');
    return value;
  };
  const chrono::year_month_day date(chrono::year(digits(0, 4)),
                                    chrono::month(static_cast<unsigned>(digits(5, 2))),
                                    chrono::day(static_cast<unsigned>(digits(8, 2))));
  if (!date.ok() || digits(11, 2) > 23 || digits(14, 2) > 59 || digits(17, 2) > 59) {
    return std::nullopt;
  }
  std::int64_t seconds = chrono::sys_seconds(chrono::sys_days(date)).time_since_epoch().count() +
                         digits(11, 2) * 3600 + digits(14, 2) * 60 + digits(17, 2);
  std::int64_t rest = digits(20, 9);
  if (seconds < 0) {  // towards zero from both sides, so that only what does not fit overflows
    ++seconds;
    rest -= kSecond;
  }
  std::int64_t ns = 0;
  if (__builtin_mul_overflow(seconds, kSecond, &ns) || __builtin_add_overflow(ns, rest, &ns)) {
    return std::nullopt;
  }
  return ns;
}

std::string counted(std::uint64_t n, std::string_view noun) {
  return fmt::format("{} {}{}", human_count(n), noun, n == 1 ? "" : "s");
}

}  // namespace twinsift
