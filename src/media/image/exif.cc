// SPDX-License-Identifier: Apache-2.0
#include "media/image/exif.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "media/tiff_head.h"

namespace twinsift {
namespace {

// "2019:05:03 12:33:01" with dashes; cameras without a clock write blanks or noughts.
std::string date_of(std::string text) {
  constexpr std::string_view kShape = "0000:00:00 00:00:00";
  const auto fits = [](char c, char shape) {
    return shape == '0' ? c >= '0' && c <= '9' : c == shape;
  };
  if (!std::ranges::equal(text, kShape, fits) || text.starts_with("0000")) return "";
  text[4] = text[7] = '-';
  return text;
}

// Makers repeat their name in the model: "Canon" and "Canon EOS 5D".
std::string camera_of(const std::string& make, const std::string& model) {
  const std::string word = make.substr(0, make.find(' '));
  if (make.empty() || (!word.empty() && model.starts_with(word))) return model;
  return model.empty() ? make : make + " " + model;
}

struct Coordinate {
  std::vector<double> parts;  // degrees, minutes, seconds
  std::string reference;      // N, S, E, W

  // NaN if it makes no sense.
  [[nodiscard]] double degrees(double most) const {
    if (parts.size() < 3 || reference.empty()) return std::nan("");
    const double value = parts[0] + parts[1] / 60 + parts[2] / 3600;
    if (!(value <= most)) return std::nan("");
    return reference == "S" || reference == "W" ? -value : value;
  }
};

std::string gps_of(const TiffReader& tiff, std::uint32_t directory) {
  Coordinate latitude;
  Coordinate longitude;
  for (const auto& entry : tiff.entries(directory)) {
    if (entry.tag == 1) latitude.reference = tiff.text(entry);
    if (entry.tag == 2) latitude.parts = tiff.rationals(entry);
    if (entry.tag == 3) longitude.reference = tiff.text(entry);
    if (entry.tag == 4) longitude.parts = tiff.rationals(entry);
  }
  const double north = latitude.degrees(90);
  const double east = longitude.degrees(180);
  if (std::isnan(north) || std::isnan(east)) return "";
  return fmt::format("{:.6f},{:.6f}", north, east);
}

void read_details(const TiffReader& tiff, std::uint32_t directory, Exif& exif) {
  for (const auto& entry : tiff.entries(directory)) {
    if (entry.tag == 0x9003) {  // when it was taken, which beats when it was written
      if (std::string date = date_of(tiff.text(entry)); !date.empty()) exif.date = std::move(date);
    }
    if (entry.tag == 0xA434) exif.lens = tiff.text(entry);
  }
}

}  // namespace

Exif read_exif(std::span<const std::byte> bytes) {
  constexpr std::size_t kPrefix = 6;
  const std::string_view head(reinterpret_cast<const char*>(bytes.data()),
                              std::min(bytes.size(), kPrefix));
  if (head.starts_with("Exif")) bytes = bytes.subspan(head.size());
  const TiffReader tiff(bytes);
  Exif exif;
  if (!tiff.first_directory()) return exif;
  std::string make;
  std::string model;
  std::uint32_t details = 0;
  for (const auto& entry : tiff.entries(*tiff.first_directory())) {
    const std::uint32_t value = tiff.integer(entry).value_or(0);
    if (entry.tag == 0x0112 && value >= 1 && value <= 8) exif.orientation = value;
    if (entry.tag == 0x010F) make = tiff.text(entry);
    if (entry.tag == 0x0110) model = tiff.text(entry);
    if (entry.tag == 0x0132) exif.date = date_of(tiff.text(entry));
    if (entry.tag == 0x8769) details = value;
    if (entry.tag == 0x8825) exif.gps = gps_of(tiff, value);
  }
  if (details != 0) read_details(tiff, details, exif);
  exif.camera = camera_of(make, model);
  return exif;
}

void add_facts(const Exif& exif, PictureBuilder& builder) {
  builder.fact("exif_date", exif.date);
  builder.fact("camera", exif.camera);
  builder.fact("lens", exif.lens);
  builder.fact("gps", exif.gps);
}

}  // namespace twinsift
