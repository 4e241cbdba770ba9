// SPDX-License-Identifier: Apache-2.0
// From a paper's number to files on disk.
#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "base/file.h"
#include "eval/papers.h"

namespace twinsift {
namespace {

struct Entry {
  std::string_view paper;
  Result<EvalReport> (*evaluate)(const EvalOptions&);
};
constexpr std::array kPapers = {
    Entry{"000", eval_paper_000}, Entry{"001", eval_paper_001}, Entry{"002", eval_paper_002},
    Entry{"003", eval_paper_003}, Entry{"004", eval_paper_004},
};

Status write_file(const std::string& path, std::string_view content) {
  TWINSIFT_TRY(const auto file, AtomicFile::create(path));
  TWINSIFT_TRY([[maybe_unused]] auto written, file->write(content));
  TWINSIFT_TRY([[maybe_unused]] auto finished, file->finish());
  return file->commit();
}

Status write_report(const EvalReport& report, const std::string& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) {
    return Error{ErrorCode::kIo, fmt::format("cannot make {}: {}", directory, error.message())};
  }
  for (const EvalSection& section : report.sections) {
    TWINSIFT_TRY(
        [[maybe_unused]] auto done,
        write_file(fmt::format("{}/{}.tsv", directory, section.claim.id), eval_tsv(section.table)));
  }
  return write_file(directory + "/index.html", eval_page(report));
}

}  // namespace

Result<std::vector<EvalClaim>> eval_paper(std::string_view paper, const std::string& directory,
                                          const EvalOptions& options) {
  if (paper != "001" && paper != "004" && !options.part.empty()) {
    return Error{
        ErrorCode::kInvalidArgument,
        fmt::format("only papers 001 and 004 are measured in parts: leave out --part for {}",
                    paper)};
  }
  if (paper != "004" && !options.recordings.empty()) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("paper {} is not about recordings: leave out --recordings", paper)};
  }
  std::string known;
  for (const Entry& entry : kPapers) {
    known += fmt::format(" {}", entry.paper);
    if (entry.paper != paper) continue;
    TWINSIFT_TRY(const EvalReport report, entry.evaluate(options));
    TWINSIFT_TRY([[maybe_unused]] auto written, write_report(report, directory));
    std::vector<EvalClaim> claims;
    for (const EvalSection& section : report.sections) claims.push_back(section.claim);
    return claims;
  }
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("there is no paper \"{}\": the known ones are{}", paper, known)};
}

}  // namespace twinsift
