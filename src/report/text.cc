// SPDX-License-Identifier: Apache-2.0
// text: for people at a terminal.  Groups, then folders, then a summary, because the end is
// what one still sees when a long list has scrolled by.
#include <algorithm>

#include <fmt/format.h>

#include "base/escape.h"
#include "report/coverage.h"
#include "report/facts.h"
#include "report/formats.h"
#include "report/must_stay.h"
#include "report/picture_words.h"
#include "report/recording_words.h"

namespace twinsift {
namespace {

enum class Ink : std::uint8_t { kBold, kGreen, kYellow, kDim };

std::string_view code(Ink ink) {
  switch (ink) {
    case Ink::kBold:
      return "\x1b[1m";
    case Ink::kGreen:
      return "\x1b[32m";
    case Ink::kYellow:
      return "\x1b[33m";
    case Ink::kDim:
      return "\x1b[2m";
  }
  return "";
}

std::string folder_name(std::string_view path) {
  std::string name = escape_for_terminal(path);
  if (!name.ends_with('/')) name += '/';
  return name;
}

std::string inside(std::string_view inner, std::string_view outer, double share) {
  if (share >= 1) return fmt::format("{} is inside {}", inner, outer);
  return fmt::format("{} of {} is inside {}", human_percent(share), inner, outer);
}

std::string folder_sentence(const FolderPair& pair, std::string_view a, std::string_view b) {
  switch (pair.relation) {
    case Relation::kContained:
      return inside(a, b, pair.containment_a);
    case Relation::kContains:
      return inside(b, a, pair.containment_b);
    case Relation::kSame:
    case Relation::kLinked:
      break;
  }
  if (pair.only_a == 0 && pair.only_b == 0) return fmt::format("{} and {} hold the same", a, b);
  return fmt::format("{} and {} are {} alike", a, b, human_percent(pair.jaccard));
}

std::string files_and_bytes(std::uint64_t files, std::uint64_t bytes) {
  if (files == 0) return "nothing";
  return fmt::format("{}, {}", counted(files, "file"), human_bytes(bytes));
}

// Why a member is in the group of the first, in one line; empty if its bytes or words say enough.
std::string reason_words(const Group& group, const MemberPair& pair) {
  if (pair.identical || pair.a != 0 || pair.b >= group.members.size()) return "";
  const Member& keeper = group.representative();
  const Member& member = group.members[pair.b];
  std::string words = recording_words(pair.evidence, keeper, member);
  if (words.empty()) words = picture_words(pair.evidence, keeper, member);
  if (words.empty()) return "";
  return words + (must_stay(group, pair) == MustStay::kNo ? "" : "; it stays");
}

class TextReporter final : public SinkReporter {
 public:
  TextReporter(ReportOptions options, Sink sink)
      : SinkReporter(std::move(sink)), colour_(options.colour) {}

  void group(const Group& group) override {
    const std::uint64_t gain = bytes_to_gain(group);
    ++groups_;
    files_ += group.members.size();
    gain_ += gain;
    const bool identical = std::ranges::all_of(group.pairs, &MemberPair::identical);
    const std::string likeness = identical ? "identical" : human_percent(group.score) + " alike";
    const std::string header =
        fmt::format("{}, {}, {}, {} could go\n", escape_for_terminal(group.medium), likeness,
                    counted(group.members.size(), "file"), human_bytes(gain));
    std::string out = painted(Ink::kBold, header);
    const auto pairs = pairs_by_member(group);
    for (std::size_t i = 0; i < group.members.size(); ++i) {
      out += member_lines(group, i, pairs[i]);
    }
    if (const auto coverage = coverage_of(group)) {
      out += painted(Ink::kDim, fmt::format("  {}\n", coverage_words(*coverage, group.medium)));
    }
    write(out + '\n');
  }

  void link(const RecordingLink& link) override {
    std::string out = links_++ == 0 ? painted(Ink::kBold, "Linked recordings\n") : "";
    out += fmt::format("  {}\n  {}\n", escape_for_terminal(link.a), escape_for_terminal(link.b));
    out += fmt::format("    the second {}\n\n",
                       link_words(link, {.a = "the first", .b = "the second"}));
    write(out);
  }

  void folder(const FolderPair& pair) override {
    std::string out = first_folder_ ? painted(Ink::kBold, "Folders\n") : "";
    first_folder_ = false;
    const std::string a = folder_name(pair.a);
    const std::string b = folder_name(pair.b);
    out += fmt::format("  {}\n", folder_sentence(pair, a, b));
    out += fmt::format("    in both: {}\n", files_and_bytes(pair.both, pair.both_bytes));
    out += fmt::format("    only in {}: {}\n", a, files_and_bytes(pair.only_a, pair.only_a_bytes));
    out +=
        fmt::format("    only in {}: {}\n\n", b, files_and_bytes(pair.only_b, pair.only_b_bytes));
    write(out);
  }

  void end(const Report& report) override {
    std::string out;
    const auto together = linked_coverage(report);
    if (!together.empty()) out += painted(Ink::kBold, "Recordings that others make up\n");
    for (const LinkedCoverage& linked : together) {
      out +=
          fmt::format("  {}\n    {}\n\n", escape_for_terminal(linked.path), coverage_words(linked));
    }
    if (groups_ == 0) {
      const std::uint64_t seen = report.stages.empty() ? 0 : report.stages.front().items;
      out += fmt::format("No duplicates among {}.\n", counted(seen, "file"));
    } else {
      const std::string sum = fmt::format("{}, {}, {} could go.\n", counted(groups_, "group"),
                                          counted(files_, "file"), human_bytes(gain_));
      out += painted(Ink::kBold, sum);
    }
    if (links_ > 0) {
      out += counted(links_, "linked pair") + " of recordings, of which nothing could go.\n";
    }
    if (!report.skipped.empty()) {
      const std::string skipped = counted(report.skipped.size(), "file") + " skipped.\n";
      out += painted(Ink::kYellow, skipped);
    }
    if (!report.run.guarantee.empty()) {
      out += fmt::format("Guarantee: {}\n", escape_for_terminal(report.run.guarantee));
    }
    for (const std::string& note : report.notes) {
      out += painted(Ink::kYellow, fmt::format("Note: {}\n", escape_for_terminal(note)));
    }
    write(out);
  }

 private:
  // `line` may end in a newline, which stays outside of the colour.
  [[nodiscard]] std::string painted(Ink ink, std::string_view line) const {
    if (!colour_) return std::string(line);
    const bool newline = line.ends_with('\n');
    if (newline) line.remove_suffix(1);
    return fmt::format("{}{}\x1b[0m{}", code(ink), line, newline ? "\n" : "");
  }

  [[nodiscard]] std::string member_lines(const Group& group, std::size_t place,
                                         const MemberPair* pair) const {
    const Member& member = group.members[place];
    const bool keeper = place == 0;
    const std::string words = pair != nullptr ? reason_words(group, *pair) : "";
    std::string role = keeper ? "keep" : "";
    if (pair != nullptr) role = pair->identical ? "identical" : human_percent(pair->score);
    if (pair != nullptr && !pair->identical && pair->relation == Relation::kLinked) role = "linked";
    const std::string label = fmt::format("{:<9}", role);
    std::string out = "  " + (keeper ? painted(Ink::kGreen, label) : label);
    out += fmt::format("  {:>8}  {}\n", human_bytes(member.size), escape_for_terminal(member.path));
    if (!words.empty()) out += painted(Ink::kDim, fmt::format("{:23}{}\n", "", words));
    for (const std::string& link : member.links) {
      const std::string line =
          fmt::format("{:23}already one file: {}\n", "", escape_for_terminal(link));
      out += painted(Ink::kDim, line);
    }
    return out;
  }

  bool colour_;
  bool first_folder_ = true;
  std::uint64_t groups_ = 0;
  std::uint64_t files_ = 0;
  std::uint64_t links_ = 0;
  std::uint64_t gain_ = 0;
};

}  // namespace

std::unique_ptr<Reporter> make_text_reporter(ReportOptions options, Sink sink) {
  return std::make_unique<TextReporter>(options, std::move(sink));
}

}  // namespace twinsift
