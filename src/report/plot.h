// SPDX-License-Identifier: Apache-2.0
// Charts for people: lines and points as SVG that needs nothing else.
//
// Series differ by colour, dashes and markers, so that they can be told apart without colour.
// Light and dark follow the reader's setting; print is light.  There are no scripts, no ids and
// no style attributes: any number of charts can stand in one page under a strict content
// security policy, which must allow the style kPlotStyle.  Texts may be any bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "twinsift/types.h"

namespace twinsift {

struct PlotPoint {
  double x = 0;
  double y = 0;
};

// Points without a place on the axes (NaN, infinite; not positive on a logarithmic axis) are
// left out and interrupt the line.
struct PlotSeries {
  std::string name;  // for the legend
  std::vector<PlotPoint> points{};
  bool line = true;
  bool markers = true;
};

struct PlotAxis {
  std::string label{};
  bool log = false;
  std::optional<double> low{};  // shown at least; the points may need more
  std::optional<double> high{};
};

struct PlotRule {  // a vertical line
  double x = 0;
  std::string label;
};

struct PlotBand {  // a shaded stretch of the x axis
  double low = 0;
  double high = 0;
  std::string label;
};

struct Plot {
  std::string title;
  PlotAxis x;
  PlotAxis y;
  std::vector<PlotSeries> series;
  std::vector<PlotRule> rules{};
  std::vector<PlotBand> bands{};
};

extern const std::string_view kPlotStyle;  // CSS of everything within class "plot"

// An <svg> element for a page that has kPlotStyle.
std::string plot_element(const Plot& plot);

// A file of its own.
TWINSIFT_EXPORT std::string plot_file(const Plot& plot);

}  // namespace twinsift
