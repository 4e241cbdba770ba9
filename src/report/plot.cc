// SPDX-License-Identifier: Apache-2.0
#include "report/plot.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "base/escape.h"
#include "base/utf8.h"
#include "report/plot_axis.h"

namespace twinsift {

// The colours differ in lightness, too, and have a contrast of 4.5 to their ground.
const std::string_view kPlotStyle = R"css(
.plot { --ground:#fff; --ink:#1b1f24; --dim:#555d66; --grid:#e3e7eb; --band:#0b57b018;
  --s0:#0b57b0; --s1:#b3400a; --s2:#14692f; --s3:#7a2e9e; --s4:#0b6b75; --s5:#3a424b;
  max-width: 100%; height: auto; font: 13px system-ui, sans-serif; }
@media screen and (prefers-color-scheme: dark) { .plot { --ground:#15181c; --ink:#e4e8ec; --dim:#a3adb8; --grid:#2b3138;
  --band:#7db8ff22; --s0:#7db8ff; --s1:#ff9d66; --s2:#7fd79a; --s3:#d9a5ff; --s4:#5fd6cb; --s5:#c9d1d9; } }
.plot text { fill: var(--ink); stroke: none; } .plot .dim { fill: var(--dim); }
.plot .title { font-size: 16px; font-weight: 600; }
.plot .mid { text-anchor: middle; } .plot .end { text-anchor: end; }
.plot .ground { fill: var(--ground); } .plot .band { fill: var(--band); }
.plot path { fill: none; } .plot .grid { stroke: var(--grid); } .plot .frame { stroke: var(--dim); }
.plot .rule { stroke: var(--ink); stroke-width: 1.5; stroke-dasharray: 2 3; }
.plot .line { stroke: currentColor; stroke-width: 2; stroke-linejoin: round; }
.plot .mark { stroke: currentColor; stroke-width: 1.75; fill: var(--ground); }
.plot .s0 { color: var(--s0); } .plot .s1 { color: var(--s1); } .plot .s2 { color: var(--s2); }
.plot .s3 { color: var(--s3); } .plot .s4 { color: var(--s4); } .plot .s5 { color: var(--s5); }
.plot .d1 .line { stroke-dasharray: 8 4; } .plot .d2 .line { stroke-dasharray: 2 3; }
.plot .d3 .line { stroke-dasharray: 10 3 2 3; } .plot .d4 .line { stroke-dasharray: 14 3 2 3 2 3; }
)css";

namespace {

constexpr double kWidth = 640;
constexpr double kAreaHeight = 280;
constexpr double kLine = 20;      // from one line of text to the next
constexpr double kCharacter = 8;  // the width of one, in a wide font
constexpr std::size_t kMostCharacters = 60;
constexpr std::size_t kColours = 6;
constexpr std::size_t kDashes = 5;

// Any bytes as the text of an XML document, cut to what a chart has room for.
std::string xml_text(std::string_view bytes) {
  std::size_t at = 0;
  for (std::size_t n = 0; n < kMostCharacters && at < bytes.size(); ++n) {
    at += decode_utf8(bytes, at).length;
  }
  std::string text = html_escape(bytes.substr(0, at)) + (at < bytes.size() ? "..." : "");
  // XML, unlike HTML, has no U+FFFE and U+FFFF.
  for (const std::string_view never : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"}) {
    for (std::size_t i = 0; (i = text.find(never, i)) != std::string::npos;) {
      text.replace(i, never.size(), "\xEF\xBF\xBD");
    }
  }
  return text;
}

double text_width(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size() && count < kMostCharacters; ++count) {
    at += decode_utf8(text, at).length;
  }
  return kCharacter * static_cast<double>(count);
}

std::string text_at(double x, double y, std::string_view classes, std::string_view bytes) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\">{}</text>\n", x, y, classes,
                     xml_text(bytes));
}

// The outline of marker number i around a point.
std::string marker(std::size_t i, double x, double y) {
  constexpr std::array<std::string_view, 6> kShapes = {
      "m-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z",  // circle
      "m-3.5,-3.5h7v7h-7z",                   // square
      "m0,-4.5l4.5,8h-9z",                    // triangle
      "m0,-5l5,5l-5,5l-5,-5z",                // diamond
      "m-4,-4l8,8m0,-8l-8,8",                 // cross
      "m0,4.5l4.5,-8h-9z",                    // triangle, upside down
  };
  return fmt::format("M{:.1f},{:.1f}{}", x, y, kShapes[i % kShapes.size()]);
}

// Colours, dashes and markers come round at different times, so that 30 series all differ.
std::string series_classes(std::size_t i) {
  return fmt::format("s{} d{}", i % kColours, i % kDashes);
}

// The range of an axis: its points, what it must show at least, and the marks on it.
class Range {
 public:
  explicit Range(const PlotAxis& axis) : log_(axis.log) {
    if (axis.low) include(*axis.low);
    if (axis.high) include(*axis.high);
  }
  void include(double value) {
    if (!can_be_plotted(value, log_)) return;
    low_ = std::min(low_, value);
    high_ = std::max(high_, value);
  }
  [[nodiscard]] PlotScale scale() const {
    if (low_ > high_) return log_ ? PlotScale(1, 10, true) : PlotScale(0, 1, false);
    return {low_, high_, log_};
  }

 private:
  bool log_;
  double low_ = std::numeric_limits<double>::infinity();  // of nothing yet
  double high_ = -std::numeric_limits<double>::infinity();
};

class Drawing {
 public:
  explicit Drawing(const Plot& plot) : plot_(plot), x_(x_scale(plot)), y_(y_scale(plot)) {
    double widest = 0;
    for (const Tick& tick : y_.ticks()) widest = std::max(widest, text_width(tick.label));
    left_ = 16 + widest + (plot.y.label.empty() ? 0 : kLine);
    right_ = kWidth - 24;
    top_ = 16 + (plot.title.empty() ? 0 : kLine + 4);
    body_ = heading();
    body_ += draw_legend();
    body_ += draw_notes();
    top_ += 14;
    bottom_ = top_ + kAreaHeight;
    body_ += bands() + grid() + rules();
    for (std::size_t i = 0; i < plot.series.size(); ++i) body_ += series(i);
  }

  [[nodiscard]] std::string svg(std::string_view style) const {
    const double height = bottom_ + kLine + 8 + (plot_.x.label.empty() ? 0 : kLine);
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" width=\"{0:.0f}\" "
        "height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"img\" aria-label=\"{2}\">\n{3}"
        "<rect class=\"ground\" width=\"{0:.0f}\" height=\"{1:.0f}\"/>\n{4}</svg>\n",
        kWidth, height, xml_text(plot_.title), style, body_);
  }

 private:
  static PlotScale x_scale(const Plot& plot) {
    Range range(plot.x);
    for (const PlotRule& rule : plot.rules) range.include(rule.x);
    for (const PlotSeries& series : plot.series) {
      for (const PlotPoint& point : series.points) range.include(point.x);
    }
    return range.scale();
  }
  static PlotScale y_scale(const Plot& plot) {
    Range range(plot.y);
    for (const PlotSeries& series : plot.series) {
      for (const PlotPoint& point : series.points) range.include(point.y);
    }
    return range.scale();
  }

  [[nodiscard]] double x(double value) const { return left_ + x_.place(value) * (right_ - left_); }
  [[nodiscard]] double y(double value) const {
    return bottom_ - y_.place(value) * (bottom_ - top_);
  }

  [[nodiscard]] std::string heading() const {
    return plot_.title.empty() ? "" : text_at(16, 28, "title", plot_.title);
  }

  // Rows of samples above the chart; moves top_ below them.
  std::string draw_legend() {
    constexpr double kSample = 34;
    std::string out;
    double at = 16;
    for (std::size_t i = 0; i < plot_.series.size(); ++i) {
      const PlotSeries& series = plot_.series[i];
      if (series.name.empty()) continue;
      const double width = kSample + text_width(series.name) + 18;
      if (out.empty() || (at > 16 && at + width > kWidth)) {
        at = 16;
        top_ += kLine;
      }
      const double middle = top_ - 4;
      out += fmt::format("<g class=\"{}\">", series_classes(i));
      if (series.line)
        out += fmt::format("<path class=\"line\" d=\"M{:.1f},{:.1f}h28\"/>", at, middle);
      if (series.markers) {
        out += fmt::format("<path class=\"mark\" d=\"{}\"/>", marker(i, at + 14, middle));
      }
      out += text_at(at + kSample, top_, "", series.name) + "</g>\n";
      at += width;
    }
    return out;
  }

  // The labels of bands and rules, each in a row of its own above its place; moves top_ below.
  std::string draw_notes() {
    std::string out;
    const auto note = [&](double middle, std::string_view label) {
      if (label.empty()) return;
      const double half = std::min(text_width(label), right_ - left_) / 2;
      top_ += kLine;
      out += text_at(std::min(std::max(middle, left_ + half), right_ - half), top_, "mid", label);
    };
    for (const PlotBand& band : plot_.bands) {
      if (const auto ends = ends_of(band)) note((ends->first + ends->second) / 2, band.label);
    }
    for (const PlotRule& rule : plot_.rules) {
      if (can_be_plotted(rule.x, plot_.x.log)) note(x(rule.x), rule.label);
    }
    return out;
  }

  [[nodiscard]] std::string grid() const {
    std::string lines;
    std::string labels;
    for (const Tick& tick : x_.ticks()) {
      lines += fmt::format("M{:.1f},{:.1f}V{:.1f}", x(tick.value), top_, bottom_);
      labels += text_at(x(tick.value), bottom_ + 18, "dim mid", tick.label);
    }
    for (const Tick& tick : y_.ticks()) {
      lines += fmt::format("M{:.1f},{:.1f}H{:.1f}", left_, y(tick.value), right_);
      labels += text_at(left_ - 8, y(tick.value) + 4, "dim end", tick.label);
    }
    std::string out = fmt::format("<path class=\"grid\" d=\"{}\"/>\n", lines);
    out += fmt::format("<path class=\"frame\" d=\"M{:.1f},{:.1f}V{:.1f}H{:.1f}\"/>\n{}", left_,
                       top_, bottom_, right_, labels);
    const double middle = (left_ + right_) / 2;
    if (!plot_.x.label.empty()) out += text_at(middle, bottom_ + 38, "mid", plot_.x.label);
    if (!plot_.y.label.empty()) {
      out += fmt::format("<g transform=\"translate(18,{:.1f}) rotate(-90)\">{}</g>\n",
                         (top_ + bottom_) / 2, text_at(0, 0, "mid", plot_.y.label));
    }
    return out;
  }

  // Where a band begins and ends in the area, if it can be drawn at all.
  [[nodiscard]] std::optional<std::pair<double, double>> ends_of(const PlotBand& band) const {
    if (!can_be_plotted(band.low, plot_.x.log) || !can_be_plotted(band.high, plot_.x.log)) {
      return std::nullopt;
    }
    const double low = std::clamp(x(band.low), left_, right_);
    return std::pair(low, std::clamp(x(band.high), low, right_));
  }

  [[nodiscard]] std::string bands() const {
    std::string out;
    for (const PlotBand& band : plot_.bands) {
      const auto ends = ends_of(band);
      if (!ends) continue;
      out += fmt::format(
          "<rect class=\"band\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
          ends->first, top_, ends->second - ends->first, bottom_ - top_);
    }
    return out;
  }

  [[nodiscard]] std::string rules() const {
    std::string out;
    for (const PlotRule& rule : plot_.rules) {
      if (!can_be_plotted(rule.x, plot_.x.log)) continue;
      out += fmt::format("<path class=\"rule\" d=\"M{:.1f},{:.1f}V{:.1f}\"/>\n", x(rule.x),
                         top_ - 8, bottom_);
    }
    return out;
  }

  [[nodiscard]] std::string series(std::size_t i) const {
    const PlotSeries& series = plot_.series[i];
    std::string line;
    std::string marks;
    bool pen_down = false;
    for (const PlotPoint& point : series.points) {
      if (!can_be_plotted(point.x, plot_.x.log) || !can_be_plotted(point.y, plot_.y.log)) {
        pen_down = false;
        continue;
      }
      line += fmt::format("{}{:.1f},{:.1f}", pen_down ? 'L' : 'M', x(point.x), y(point.y));
      marks += marker(i, x(point.x), y(point.y));
      pen_down = true;
    }
    std::string out = fmt::format("<g class=\"{}\">", series_classes(i));
    if (series.line) out += fmt::format("<path class=\"line\" d=\"{}\"/>", line);
    if (series.markers) out += fmt::format("<path class=\"mark\" d=\"{}\"/>", marks);
    return out + "</g>\n";
  }

  const Plot& plot_;
  PlotScale x_;
  PlotScale y_;
  double left_ = 0, right_ = 0, top_ = 0, bottom_ = 0;  // of the area within the axes
  std::string body_;
};

}  // namespace

std::string plot_element(const Plot& plot) { return Drawing(plot).svg(""); }

std::string plot_file(const Plot& plot) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" +
         Drawing(plot).svg(fmt::format("<style>{}</style>\n", kPlotStyle));
}

}  // namespace twinsift
