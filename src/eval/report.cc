// SPDX-License-Identifier: Apache-2.0
#include "eval/report.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/escape.h"
#include "report/html_page.h"

namespace twinsift {
namespace {

constexpr std::size_t kOpenRows = 10;  // a table that is as short is shown at once

void append_cells(const std::vector<std::string>& cells, std::string& out) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    std::string cell = cells[i];
    std::ranges::replace_if(
        cell, [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
    if (i > 0) out += '\t';
    out += cell;
  }
  out += '\n';
}

void append_row(std::string_view tag, const std::vector<std::string>& cells, std::string& out) {
  out += "<tr>";
  for (const std::string& cell : cells) {
    out += fmt::format("<{0} class=\"num\">{1}</{0}>", tag, html_escape(cell));
  }
  out += "</tr>\n";
}

void append_section(const EvalSection& section, std::string& out) {
  const EvalClaim& claim = section.claim;
  out += fmt::format(
      "<h2 id=\"{}\">{}</h2>\n<p><b>The paper:</b> {}</p>\n<p><b class=\"{}\">{}:</b> {}</p>\n",
      html_escape(claim.id), html_escape(claim.title), html_escape(claim.claim),
      claim.holds ? "keep" : "broken", claim.holds ? "It holds" : "It does not hold",
      html_escape(claim.verdict));
  out += "<div class=\"plots\">\n";
  for (const Plot& plot : section.plots) out += plot_element(plot) + "\n";
  out += "</div>\n";
  out += fmt::format(
      "<details{}><summary>{} rows, also in {}.tsv</summary><div class=\"scroll\"><table>\n",
      section.table.rows.size() <= kOpenRows ? " open" : "", section.table.rows.size(),
      html_escape(claim.id));
  append_row("th", section.table.columns, out);
  for (const auto& row : section.table.rows) append_row("td", row, out);
  out += "</table></div></details>\n";
}

}  // namespace

std::string eval_tsv(const EvalTable& table) {
  std::string out;
  append_cells(table.columns, out);
  for (const auto& row : table.rows) append_cells(row, out);
  return out;
}

std::string eval_page(const EvalReport& report) {
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">\n<title>{}</title>\n<style>{}{}.broken {{ color: #b3261e; }}\n"
      "@media (prefers-color-scheme: dark) {{ .broken {{ color: #ff9d93; }} }}\n"
      "svg {{ max-width: 100%; }}\n"
      ".plots {{ display: grid; grid-template-columns: "
      "repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); }}</style></head><body>\n",
      html_escape(report.paper), kPageStyle, kPlotStyle);
  out += fmt::format("<h1>{}</h1>\n<p class=\"dim\">{}</p>\n<ul>\n", html_escape(report.paper),
                     html_escape(report.data));
  for (const EvalSection& section : report.sections) {
    const EvalClaim& claim = section.claim;
    out += fmt::format("<li><a href=\"#{}\">{}</a>: {}</li>\n", html_escape(claim.id),
                       html_escape(claim.title), claim.holds ? "holds" : "does not hold");
  }
  out += "</ul>\n";
  for (const EvalSection& section : report.sections) append_section(section, out);
  return out + "</body></html>\n";
}

}  // namespace twinsift
