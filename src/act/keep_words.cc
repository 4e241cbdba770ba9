// SPDX-License-Identifier: Apache-2.0
#include "act/keep_words.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "ingest/file_system.h"

namespace twinsift {
namespace {

// Facts that somebody wrote down or a camera saw, as opposed to what the content itself says.
constexpr std::array<std::string_view, 20> kDescriptive = {
    "title",  "track_title", "artist", "track_artist", "album",       "genre",  "year",
    "date",   "exif_date",   "camera", "lens",         "gps",         "author", "creator",
    "rating", "keywords",    "tags",   "copyright",    "description", "comment"};

std::optional<double> number_of(const KeepCandidate& candidate, std::string_view fact) {
  const std::string* text = find_fact(candidate.facts, fact);
  if (text == nullptr) return std::nullopt;
  double value = 0;
  const auto [end, code] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (code != std::errc{} || !std::isfinite(value)) return std::nullopt;
  return value;
}

// In bits a second or any other unit; recordings say it as "192 kbit/s".
std::optional<double> bit_rate(const KeepCandidate& candidate) {
  const auto rate = number_of(candidate, "bitrate");
  return rate ? rate : number_of(candidate, "bit_rate");
}

// Seconds, or as on a clock: 3:05, 1:02:30.
std::optional<double> duration(const KeepCandidate& candidate) {
  const std::string* text = find_fact(candidate.facts, "duration");
  if (text == nullptr) return std::nullopt;
  double sum = 0;
  for (const char* at = text->data();;) {
    double value = 0;
    const char* last = text->data() + text->size();
    const auto [end, code] = std::from_chars(at, last, value);
    if (code != std::errc{} || !std::isfinite(value)) return std::nullopt;
    sum = 60 * sum + value;
    if (end == last || *end != ':') return sum;
    at = end + 1;
  }
}

// Without those of a border, and, as nobody knows to the pixel where it begins, a little more: what
// has none must win if it shows as much.
std::optional<double> pixels(const KeepCandidate& candidate) {
  constexpr double kUncertain = 5;  // per cent
  const auto width = number_of(candidate, "width");
  const auto height = number_of(candidate, "height");
  if (!width || !height) return std::nullopt;
  const auto border = number_of(candidate, "border");
  const double shown = border ? std::clamp(100 - *border - kUncertain, 0.0, 100.0) / 100 : 1;
  return *width * *height * shown;
}

std::optional<double> lossless(const KeepCandidate& candidate) {
  const std::string* text = find_fact(candidate.facts, "lossless");
  if (text == nullptr) return std::nullopt;
  if (*text == "yes" || *text == "true" || *text == "1") return 1;
  if (*text == "no" || *text == "false" || *text == "0") return 0;
  return std::nullopt;
}

std::optional<double> text_length(const KeepCandidate& candidate) {
  const auto tokens = number_of(candidate, "tokens");
  return tokens ? tokens : number_of(candidate, "words");
}

std::optional<double> description(const KeepCandidate& candidate) {
  return static_cast<double>(std::ranges::count_if(candidate.facts, [](const Fact& fact) {
    return std::ranges::find(kDescriptive, fact.first) != kDescriptive.end();
  }));
}

// IMG_1234.JPG, DSC01234.ARW, P1010001.JPG, PXL_20230131_120000.jpg, 20230131_120000.mp4: eight
// characters of the DCF standard that end in four digits, or a date and a time, and no more.
std::optional<double> camera_name(const KeepCandidate& candidate) {
  std::string_view name = name_of(candidate.path);
  name = name.substr(0, name.find('.'));
  const auto digits_at_end = [&] {
    const std::size_t other = name.find_last_not_of("0123456789");
    return other == std::string_view::npos ? name.size() : name.size() - other - 1;
  };
  const bool plain = std::ranges::all_of(
      name, [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; });
  const bool dcf = name.size() == 8 && digits_at_end() >= 4 && digits_at_end() < 8;
  const bool dated =
      name.size() >= 15 && digits_at_end() >= 6 && name.find("_20") != std::string_view::npos;
  return plain && (dcf || dated || (name.starts_with("20") && name.size() == 15)) ? 1 : 0;
}

// Sizes and times are not among them: they have more bits than a double.
constexpr std::array kWords = {
    KeepWord{"protected",
             [](const KeepCandidate& c) -> std::optional<double> { return c.is_protected; }},
    KeepWord{"original", camera_name},
    KeepWord{"lossless", lossless},
    KeepWord{"resolution", pixels},
    KeepWord{"bitrate", bit_rate},
    KeepWord{"duration", duration},
    KeepWord{"quality", [](const KeepCandidate& c) { return number_of(c, "quality"); }},
    KeepWord{"subtitles", [](const KeepCandidate& c) { return number_of(c, "subtitles"); }},
    KeepWord{"metadata", description},
    KeepWord{"tags", description},
    KeepWord{"longest-text", text_length},
    KeepWord{"shortest-path",
             [](const KeepCandidate& c) -> std::optional<double> {
               return -static_cast<double>(c.path.size());
             }},
    KeepWord{"longest-path",
             [](const KeepCandidate& c) -> std::optional<double> {
               return static_cast<double>(c.path.size());
             }},
    KeepWord{"depth-min",
             [](const KeepCandidate& c) -> std::optional<double> {
               return -static_cast<double>(std::ranges::count(c.path, '/'));
             }},
    KeepWord{"links-max",
             [](const KeepCandidate& c) -> std::optional<double> {
               return static_cast<double>(c.links);
             }},
};

}  // namespace

std::span<const KeepWord> keep_words() { return kWords; }

}  // namespace twinsift
