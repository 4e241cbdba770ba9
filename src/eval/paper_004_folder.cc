// SPDX-License-Identifier: Apache-2.0
#include "eval/paper_004_folder.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

#include <fmt/format.h>

namespace twinsift::paper_004 {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kMostParts = 9;

struct PartName {
  std::string film;
  std::uint32_t number = 0;
  std::uint32_t parts = 0;
};

// "25-1.2of3" is the second of three.
std::optional<PartName> parse_part(const std::string& stem) {
  const std::size_t dot = stem.rfind('.');
  if (dot == std::string::npos || stem.size() != dot + 5 || stem.substr(dot + 2, 2) != "of") {
    return std::nullopt;
  }
  const auto digit = [](char c) {
    return c >= '1' && c <= '9' ? static_cast<unsigned>(c - '0') : 0;
  };
  const std::uint32_t number = digit(stem[dot + 1]);
  const std::uint32_t parts = digit(stem[dot + 4]);
  if (number == 0 || parts > kMostParts || number > parts) return std::nullopt;
  return PartName{stem.substr(0, dot), number - 1, parts};
}

std::map<std::string, std::vector<std::string>> read_clips(const std::string& path) {
  std::map<std::string, std::vector<std::string>> clips;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t tab = line.find('\t');
    if (tab != std::string::npos) clips[line.substr(0, tab)].push_back(line.substr(tab + 1));
  }
  return clips;
}

// film -> number of parts -> their files
using Splits = std::map<std::string, std::map<std::uint32_t, std::vector<PartFile>>>;

Result<Splits> read_parts(const std::string& folder) {
  Splits splits;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const auto part = parse_part(entry.path().stem().string());
    if (part) splits[part->film][part->parts].push_back({entry.path().string(), part->number});
  }
  if (error) {
    return Error{ErrorCode::kIo, fmt::format("cannot read {}: {}", folder, error.message())};
  }
  for (auto& [film, by_count] : splits) {
    for (auto& [count, files] : by_count) std::ranges::sort(files, {}, &PartFile::number);
    std::erase_if(by_count, [](const auto& split) { return split.second.size() != split.first; });
  }
  return splits;
}

}  // namespace

bool is_linkage_folder(const std::string& folder) {
  std::error_code error;
  return fs::is_directory(folder + "/whole", error) && fs::is_directory(folder + "/parts", error);
}

Result<std::vector<FilmFiles>> read_linkage_folder(const std::string& folder) {
  TWINSIFT_TRY(Splits splits, read_parts(folder + "/parts"));
  auto clips = read_clips(folder + "/clips.tsv");
  std::vector<FilmFiles> films;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder + "/whole", error)) {
    const std::string name = entry.path().stem().string();
    const auto split = splits.find(name);
    if (split == splits.end()) continue;
    FilmFiles film{name, entry.path().string(), {}, std::move(clips[name])};
    for (auto& [count, files] : split->second) film.splits.push_back(std::move(files));
    if (!film.splits.empty()) films.push_back(std::move(film));
  }
  if (error) {
    return Error{ErrorCode::kIo, fmt::format("cannot read {}/whole: {}", folder, error.message())};
  }
  std::ranges::sort(films, {}, &FilmFiles::name);
  return films;
}

bool have_common_clip(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return std::ranges::any_of(
      a, [&](const std::string& clip) { return std::ranges::count(b, clip) > 0; });
}

std::vector<std::vector<std::size_t>> rounds_without_common_clips(
    const std::vector<std::vector<std::string>>& clips) {
  std::vector<std::vector<std::size_t>> rounds;
  for (std::size_t film = 0; film < clips.size(); ++film) {
    const auto fits = std::ranges::find_if(rounds, [&](const auto& round) {
      return std::ranges::none_of(
          round, [&](std::size_t other) { return have_common_clip(clips[film], clips[other]); });
    });
    if (fits == rounds.end()) {
      rounds.push_back({film});
    } else {
      fits->push_back(film);
    }
  }
  return rounds;
}

}  // namespace twinsift::paper_004
