// SPDX-License-Identifier: Apache-2.0
#include "report/picture_words.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/escape.h"
#include "report/facts.h"

namespace twinsift {
namespace {

constexpr double kWhole = 0.98;         // rounding at the edges costs a placement that much
constexpr std::uint32_t kFewBits = 31;  // up to here PDQ calls two pictures the same
constexpr double kHighCorrelation = 0.9;

std::string_view fact_of(const Member& member, std::string_view name) {
  const auto found = std::ranges::find(member.facts, name, &Fact::first);
  return found == member.facts.end() ? std::string_view() : std::string_view(found->second);
}

std::string lead(const Evidence& e, const PictureNames& names) {
  if (e.same_pixels) return "same pixels";
  if (!e.placement) {
    const bool same =
        e.bits.value_or(kFewBits + 1) <= kFewBits || e.correlation.value_or(0) >= kHighCorrelation;
    return same ? "same picture" : e.learned_bits ? "similar to a network" : "";
  }
  const double part_of_a = e.placement->covered_a;
  const double part_of_b = e.placement->covered_b;
  if (part_of_a >= kWhole && part_of_b >= kWhole) return "same picture";
  if (part_of_b >= kWhole) return fmt::format("shows {} of {}", whole_percent(part_of_a), names.a);
  if (part_of_a >= kWhole) {
    return fmt::format("shows all of {}, which is {} of {}", names.a, whole_percent(part_of_b),
                       names.b);
  }
  return fmt::format("shows {} of {}, which is {} of {}", whole_percent(part_of_a), names.a,
                     whole_percent(part_of_b), names.b);
}

std::string turn(double degrees) {
  const double whole = std::isfinite(degrees) ? std::round(degrees) : 0;
  if (whole == 0) return "";
  if (std::abs(whole) == 180) return "turned upside down";
  return fmt::format("turned by {:.0f} {} {}", std::abs(whole),
                     std::abs(whole) == 1 ? "degree" : "degrees",
                     whole > 0 ? "clockwise" : "anticlockwise");
}

std::string size_of(const Member& member) {
  const std::string_view width = fact_of(member, "width");
  const std::string_view height = fact_of(member, "height");
  return width.empty() || height.empty() ? "" : fmt::format("{}x{}", width, height);
}

std::string format_of(const Member& member) {
  std::string format(fact_of(member, "format"));
  for (char& c : format) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  const std::string_view quality = fact_of(member, "quality");
  if (!format.empty() && !quality.empty()) format += fmt::format(" quality {}", quality);
  return format;
}

}  // namespace

std::size_t matched_points(const Placement& placement) {
  return std::max<std::size_t>(placement.matched, placement.points.size());
}

std::string picture_words(const Evidence& e, const Member& a, const Member& b,
                          const PictureNames& names) {
  if (!e.bits && !e.correlation && !e.same_pixels && !e.placement) return "";
  std::vector<std::string> words = {lead(e, names)};
  if (e.placement && e.placement->mirrored) words.emplace_back("mirrored");
  if (e.placement) words.push_back(turn(e.placement->turned));
  const bool partial = words[0].starts_with("shows");
  if (e.bits && !partial && !e.same_pixels) {
    words.push_back(*e.bits == 0 ? "all 256 bits agree"
                                 : fmt::format("{} of 256 bits differ", *e.bits));
  }
  if (e.learned_bits && !partial && !e.same_pixels) {
    words.push_back(fmt::format("{} of 256 learned bits differ", *e.learned_bits));
  }
  if (e.placement && matched_points(*e.placement) > 0) {
    const std::size_t points = matched_points(*e.placement);
    words.push_back(counted(points, "key point") + (points == 1 ? " agrees" : " agree"));
  }
  if (e.correlation && !e.same_pixels) {
    const double most = *e.correlation < 1 ? 0.99 : 1;  // as of shares: 1.00 would mean equal
    words.push_back(fmt::format("pixels correlate {:.2f}", std::min(*e.correlation, most)));
  }
  if (size_of(a) != size_of(b) && !size_of(b).empty()) {
    words.push_back(fmt::format("{} -> {}", size_of(a).empty() ? "?" : size_of(a), size_of(b)));
  }
  if (format_of(a) != format_of(b)) words.push_back(format_of(b));
  std::erase(words, "");
  return escape_for_terminal(fmt::format("{}", fmt::join(words, ", ")));
}

}  // namespace twinsift
