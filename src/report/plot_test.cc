// SPDX-License-Identifier: Apache-2.0
#include "report/plot.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include <gtest/gtest.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <rapidcheck/gtest.h>

#include "report/plot_axis.h"

namespace twinsift {
namespace {

using Document = std::unique_ptr<xmlDoc, decltype(&xmlFreeDoc)>;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Null if it is not well-formed.
Document parsed(const std::string& xml) {
  constexpr int kQuiet = XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING;
  return {xmlReadMemory(xml.data(), static_cast<int>(xml.size()), nullptr, nullptr, kQuiet),
          &xmlFreeDoc};
}

// Calls visit(name, content) for all elements.
template <class Visit>
void walk(const xmlNode* node, const Visit& visit) {
  for (; node != nullptr; node = node->next) {
    if (node->type != XML_ELEMENT_NODE) continue;
    const std::unique_ptr<xmlChar, decltype(xmlFree)> content(xmlNodeGetContent(node), xmlFree);
    visit(std::string(reinterpret_cast<const char*>(node->name)),
          std::string(reinterpret_cast<const char*>(content.get())));
    walk(node->children, visit);
  }
}

// The contents of all <text> elements, in their order; nothing if the XML is broken.
std::vector<std::string> texts(const std::string& xml) {
  const Document document = parsed(xml);
  std::vector<std::string> found;
  EXPECT_NE(document, nullptr) << xml;
  if (document == nullptr) return found;
  walk(xmlDocGetRootElement(document.get()), [&](const std::string& name, const std::string& text) {
    if (name == "text") found.push_back(text);
  });
  return found;
}

bool has(const std::vector<std::string>& all, const std::string& wanted) {
  return std::ranges::find(all, wanted) != all.end();
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string_view::npos; ++at) ++found;
  return found;
}

std::string labels(double low, double high, bool log) {
  const PlotScale scale(low, high, log);
  std::string all;
  for (const Tick& tick : scale.ticks()) {
    all += (all.empty() ? "" : " ") + tick.label;
  }
  return all;
}

Plot some_plot() {
  return {.title = "A title",
          .x = {.label = "size"},
          .y = {.label = "time"},
          .series = {{.name = "one", .points = {{0, 0}, {1, 2}, {2, 3}}},
                     {.name = "two", .points = {{0, 1}, {2, 1}}}},
          .rules = {{1.5, "here"}},
          .bands = {{0.5, 1, "there"}}};
}

TEST(Plot, TicksAreRoundNumbers) {
  EXPECT_EQ(labels(0, 1, false), "0.0 0.2 0.4 0.6 0.8 1.0");
  EXPECT_EQ(labels(0.03, 0.97, false), "0.0 0.2 0.4 0.6 0.8 1.0");
  EXPECT_EQ(labels(-3, 4, false), "-3 -2 -1 0 1 2 3 4");
  EXPECT_EQ(labels(0, 42, false), "0 10 20 30 40 50");
  EXPECT_EQ(labels(0, 80'000, false), "0 10k 20k 30k 40k 50k 60k 70k 80k");
  EXPECT_EQ(labels(0, 3e6, false), "0 500k 1M 1.5M 2M 2.5M 3M");
  EXPECT_EQ(labels(0.97, 0.98, false), "0.970 0.972 0.974 0.976 0.978 0.980");
}

TEST(Plot, LogarithmicTicksAreDecadesOrFewerOrMore) {
  EXPECT_EQ(labels(1, 10'000, true), "1 10 100 1000 10k");
  EXPECT_EQ(labels(300, 700, true), "100 200 500 1000");
  EXPECT_EQ(labels(0.002, 0.5, true), "0.001 0.01 0.1 1");
  EXPECT_EQ(labels(1, 1e16, true), "1 100 10k 1M 100M 10G 1T 100T 1e+16");
  EXPECT_EQ(labels(5, 5, true), "1 2 5 10");
}

TEST(Plot, ASingleValueHasRoomAroundIt) {
  for (const double value : {0.0, 1.0, -7.0, 1e15, 1e100, -1e100, 1e-99, 1e-320}) {
    const PlotScale scale(value, value, false);
    EXPECT_GT(scale.place(value), 0) << value;
    EXPECT_LT(scale.place(value), 1) << value;
    EXPECT_GE(scale.ticks().size(), 2U) << value;
  }
}

// PROPERTY
RC_GTEST_PROP(Plot, EveryValueLiesBetweenTheFirstTickAndTheLast, ()) {
  const auto number = [] {
    return *rc::gen::inRange(-999, 1000) * std::pow(10, *rc::gen::inRange(-90, 90));
  };
  const double a = number();
  const double b = number();
  for (const bool log : {false, true}) {
    if (!can_be_plotted(a, log) || !can_be_plotted(b, log)) continue;
    const PlotScale scale(std::min(a, b), std::max(a, b), log);
    for (const double value : {a, b}) {
      RC_ASSERT(scale.place(value) >= -1e-8);
      RC_ASSERT(scale.place(value) <= 1 + 1e-8);
    }
    RC_ASSERT(scale.ticks().size() >= 2U);
    RC_ASSERT(scale.ticks().size() <= 11U);
    for (std::size_t i = 1; i < scale.ticks().size(); ++i) {
      RC_ASSERT(scale.ticks()[i].value > scale.ticks()[i - 1].value);
      RC_ASSERT(scale.ticks()[i].label != scale.ticks()[i - 1].label);
    }
  }
}

TEST(Plot, EveryTextIsThere) {
  const auto all = texts(plot_file(some_plot()));
  for (const char* text :
       {"A title", "size", "time", "one", "two", "here", "there", "0.5", "3.0"}) {
    EXPECT_TRUE(has(all, text)) << text;
  }
}

TEST(Plot, AFileStandsAloneAndAnElementLeavesTheStyleToItsPage) {
  const std::string file = plot_file(some_plot());
  const std::string element = plot_element(some_plot());
  EXPECT_NE(parsed(file), nullptr);
  EXPECT_NE(parsed(element), nullptr);
  EXPECT_NE(file.find(kPlotStyle), std::string::npos);
  EXPECT_EQ(element.find("<style"), std::string::npos);
  for (const char* never : {"<script", "href", "url(", "@import", " id=", " style=", " on"}) {
    EXPECT_EQ(file.find(never), std::string::npos) << never;
  }
}

TEST(Plot, HostileTextsStayText) {
  const std::string hostile =
      "<script>alert('1')</script> & \"]]>\n\x01\xff\xEF\xBF\xBF\xEF\xBF\xBE";
  Plot plot = some_plot();
  plot.title = plot.x.label = plot.y.label = hostile;
  plot.series[0].name = plot.rules[0].label = plot.bands[0].label = hostile;
  const auto all = texts(plot_file(plot));
  // A control, a byte that is no UTF-8, and two characters that XML does not have.
  const std::string shown =
      "<script>alert('1')</script> & \"]]>\n\xE2\x90\x81\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD";
  EXPECT_EQ(std::ranges::count(all, shown), 6);
}

// PROPERTY
RC_GTEST_PROP(Plot, AnyBytesGiveWellFormedXml, (const std::string& bytes)) {
  Plot plot = some_plot();
  plot.title = plot.series[1].name = bytes;
  RC_ASSERT(parsed(plot_file(plot)) != nullptr);
}

TEST(Plot, LongTextsAreCutBetweenCharacters) {
  Plot plot = some_plot();
  plot.title.clear();
  for (int i = 0; i < 100'000; ++i) plot.title += "\xC3\xA9";
  const std::string file = plot_file(plot);
  EXPECT_LT(file.size(), 20'000U);
  std::string shown;
  for (int i = 0; i < 60; ++i) shown += "\xC3\xA9";
  EXPECT_TRUE(has(texts(file), shown + "..."));
}

TEST(Plot, NothingToShowIsStillAChart) {
  EXPECT_TRUE(has(texts(plot_file({})), "0.0"));
  const Plot plot{.title = "empty", .x = {.log = true}, .y = {}, .series = {{.name = "none"}}};
  const std::string file = plot_file(plot);
  EXPECT_TRUE(has(texts(file), "none"));
  EXPECT_NE(file.find("class=\"line\" d=\"\""), std::string::npos);
}

TEST(Plot, PointsWithoutAPlaceAreLeftOutAndInterruptTheLine) {
  Plot plot;
  plot.y.log = true;
  plot.series = {{.name = "",
                  .points = {{0, 1},
                             {1, 2},
                             {2, kNan},
                             {3, 4},
                             {kInfinity, 4},
                             {4, 0},
                             {5, -1},
                             {1e200, 1},
                             {6, 8}}}};
  const std::string svg = plot_element(plot);
  EXPECT_NE(parsed(svg), nullptr);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  const std::size_t line = svg.find("class=\"line\"");
  const std::string path = svg.substr(line, svg.find("/>", line) - line);
  EXPECT_EQ(count(path, "M"), 3U);  // {0,1}-{1,2}, {3,4}, {6,8}
  EXPECT_EQ(count(path, "L"), 1U);
  EXPECT_EQ(count(svg, "a4,4"), 2 * 4U);  // two arcs for each of four circles
}

TEST(Plot, RulesAndBandsOutsideOfTheAxisAreHarmless) {
  Plot plot = some_plot();
  plot.rules = {{kNan, "nowhere"}, {-kInfinity, "nowhere"}};
  plot.bands = {{5, 9, "beyond"}, {1, 0, "backwards"}, {kNan, 1, "nowhere"}};
  const std::string file = plot_file(plot);
  EXPECT_FALSE(has(texts(file), "nowhere"));
  EXPECT_EQ(count(file, "class=\"rule\""), 0U);
  EXPECT_EQ(count(file, "class=\"band\""), 2U);
  EXPECT_EQ(count(file, "width=\"0.0\""), 2U);
}

TEST(Plot, SeriesDifferByMoreThanColour) {
  Plot plot;
  for (int i = 0; i < 5; ++i) plot.series.push_back({.name = "s", .points = {{0, 0}, {1, 1}}});
  const std::string svg = plot_element(plot);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(count(svg, " d" + std::to_string(i) + "\""), 2U);  // in the legend and in the area
  }
}

TEST(Plot, LinesAndMarkersCanBeLeftOut) {
  Plot plot = some_plot();
  plot.series[0].line = false;
  plot.series[1].markers = false;
  const std::string svg = plot_element(plot);
  EXPECT_EQ(count(svg, "class=\"line\""), 2U);
  EXPECT_EQ(count(svg, "class=\"mark\""), 2U);
}

}  // namespace
}  // namespace twinsift
