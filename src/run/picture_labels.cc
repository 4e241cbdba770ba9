// SPDX-License-Identifier: Apache-2.0
#include "run/picture_labels.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/escape.h"

namespace twinsift {
namespace {

// Numbers in the order in which names first come.
class Numbering {
 public:
  std::uint32_t of(const std::string& name) {
    return numbers_.emplace(name, static_cast<std::uint32_t>(numbers_.size())).first->second;
  }
  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(numbers_.size()); }

 private:
  std::map<std::string, std::uint32_t> numbers_;
};

// The folder of a class, if the path is below `root`.
std::optional<std::string> class_folder(std::string_view path, std::string_view root) {
  while (root.ends_with('/') && root.size() > 1) root.remove_suffix(1);
  if (!path.starts_with(root)) return std::nullopt;
  std::string_view rest = path.substr(root.size());
  if (!root.ends_with('/')) {
    if (!rest.starts_with('/')) return std::nullopt;
    rest.remove_prefix(1);
  }
  const std::size_t slash = rest.find('/');
  return fmt::format("{}/{}", root, slash == std::string_view::npos ? "" : rest.substr(0, slash));
}

struct Line {
  std::uint32_t a = 0, b = 0;
  bool duplicates = false;
  std::size_t number = 0;
};

Error bad_line(const std::string& file, std::size_t number, std::string_view what) {
  return {ErrorCode::kInvalidArgument,
          fmt::format("{}, line {}: {}", escape_for_terminal(file), number, what)};
}

// The picture that a path of the file means: the same, or the only one that ends in it.
class Pictures {
 public:
  explicit Pictures(const std::vector<std::string>& paths) {
    for (std::uint32_t i = 0; i < paths.size(); ++i) {
      std::string_view end = paths[i];
      while (true) {
        auto [entry, added] = by_end_.emplace(end, i);
        if (!added && end != std::string_view(paths[i])) entry->second = kMany;
        if (end == std::string_view(paths[i]) && !added) entry->second = i;
        const std::size_t slash = end.find('/');
        if (slash == std::string_view::npos) break;
        end.remove_prefix(slash + 1);
      }
    }
  }
  // kMany: several end in it.
  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view path) const {
    const auto found = by_end_.find(path);
    return found == by_end_.end() ? std::nullopt : std::optional(found->second);
  }
  static constexpr std::uint32_t kMany = UINT32_MAX;

 private:
  std::map<std::string_view, std::uint32_t> by_end_;
};

Result<std::vector<Line>> read_lines(const std::vector<std::string>& paths,
                                     const std::string& file) {
  std::ifstream in(file);
  if (!in) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("{}: cannot be read; --labels is 'self', 'by-folder' or a file of "
                             "pairs",
                             escape_for_terminal(file))};
  }
  const Pictures pictures(paths);
  std::vector<Line> lines;
  std::string text;
  for (std::size_t number = 1; std::getline(in, text); ++number) {
    if (text.empty() || text.starts_with('#')) continue;
    const std::size_t first = text.find('\t');
    const std::size_t second = first == std::string::npos ? first : text.find('\t', first + 1);
    const std::string_view verdict =
        second == std::string::npos ? "" : std::string_view(text).substr(second + 1);
    if (verdict != "0" && verdict != "1") {
      return bad_line(file, number, "is not 'path TAB path TAB 1' or '... TAB 0'");
    }
    Line line{.duplicates = verdict == "1", .number = number};
    const std::string_view names[] = {std::string_view(text).substr(0, first),
                                      std::string_view(text).substr(first + 1, second - first - 1)};
    for (std::size_t i = 0; i < 2; ++i) {
      const auto picture = pictures.find(names[i]);
      if (!picture || *picture == Pictures::kMany) {
        return bad_line(file, number,
                        fmt::format("{} {}", escape_for_terminal(names[i]),
                                    picture ? "is the end of several pictures' paths"
                                            : "is none of the pictures"));
      }
      (i == 0 ? line.a : line.b) = *picture;
    }
    lines.push_back(line);
  }
  return lines;
}

}  // namespace

Result<PictureLabels> labels_by_folder(const std::vector<std::string>& paths,
                                       const std::vector<std::string>& folders) {
  PictureLabels labels;
  Numbering classes;
  for (const std::string& path : paths) {
    std::optional<std::string> folder;
    for (const std::string& root : folders) {
      if (!folder) folder = class_folder(path, root);
    }
    labels.of.push_back(folder ? std::optional(classes.of(*folder)) : std::nullopt);
  }
  labels.count = classes.count();
  return labels;
}

Result<PictureLabels> labels_by_file(const std::vector<std::string>& paths,
                                     const std::string& file) {
  TWINSIFT_TRY(const std::vector<Line> lines, read_lines(paths, file));
  std::vector<std::uint32_t> leader(paths.size());
  std::iota(leader.begin(), leader.end(), 0U);
  const auto find = [&](std::uint32_t i) {
    while (leader[i] != i) i = leader[i] = leader[leader[i]];
    return i;
  };
  for (const Line& line : lines) {
    if (!line.duplicates) continue;
    const std::uint32_t a = find(line.a);
    const std::uint32_t b = find(line.b);
    leader[std::max(a, b)] = std::min(a, b);
  }
  PictureLabels labels;
  labels.of.resize(paths.size());
  std::map<std::uint32_t, std::uint32_t> numbers;  // by leader
  for (const Line& line : lines) {
    if (!line.duplicates && find(line.a) == find(line.b)) {
      return bad_line(file, line.number, "other lines say that these are duplicates");
    }
    for (const std::uint32_t i : {line.a, line.b}) {
      labels.of[i] =
          numbers.emplace(find(i), static_cast<std::uint32_t>(numbers.size())).first->second;
    }
  }
  labels.count = static_cast<std::uint32_t>(numbers.size());
  return labels;
}

}  // namespace twinsift
