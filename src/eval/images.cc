// SPDX-License-Identifier: Apache-2.0
// Photos become copies, find() looks for them, and the reports become numbers.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/escape.h"
#include "base/hash.h"
#include "eval/copy_folder.h"
#include "eval/copy_maker.h"
#include "eval/copy_scores.h"
#include "eval/find_copies.h"
#include "eval/photos.h"
#include "eval/same_list.h"

namespace twinsift {
namespace {

constexpr std::uint64_t kMaxRead = std::uint64_t{1} << 30U;

class ImageEvaluation {
 public:
  ImageEvaluation(const std::string& folder, const ImageEvalOptions& options, CopyFolder copies)
      : folder_(folder),
        options_(options),
        copies_(std::move(copies)),
        run_(options.callbacks, options.threads) {}

  Result<ImageEval> evaluate() {
    Stopwatch making;
    TWINSIFT_TRY(photos_, read_photos(folder_, run_));
    std::vector<KnownFile> files;
    for (const Photo& photo : photos_) files.push_back({&photo.file, photo.digest});
    TWINSIFT_TRY(set_.files, number_files(files, folder_, options_.same, "photo"));
    set_.versions = kCopyVersions.size();
    TWINSIFT_TRY([[maybe_unused]] auto made, make_copies());
    result_.seconds_copies = making.seconds();
    TWINSIFT_TRY(const LevelOutcome same, search(Level::kSame, "same", result_.seconds_same));
    TWINSIFT_TRY(const LevelOutcome edited,
                 search(Level::kEdited, "edited", result_.seconds_edited));
    sum_up(same, edited);
    TWINSIFT_TRY([[maybe_unused]] auto written, write_lists());
    return std::move(result_);
  }

 private:
  Status make_copies() {
    TWINSIFT_TRY(const auto chosen, choose_originals(photos_, options_.originals, maker_, run_));
    std::vector<std::pair<std::size_t, std::uint32_t>> judged;  // number and place in photos_
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (is_judged(i, options_.half)) judged.emplace_back(i, chosen[i]);
    }
    if (judged.empty()) {
      return Error{ErrorCode::kNotFound,
                   fmt::format("there is no photo to make copies of below {}: its longer side must "
                               "have 400 pixels or more",
                               folder_)};
    }
    std::vector<std::vector<Copy>> copies(judged.size());
    TWINSIFT_TRY([[maybe_unused]] auto done,
                 run_.for_each("copies", judged.size(), [&](std::size_t i) {
                   return make_versions(judged[i].first, photos_[judged[i].second], copies[i]);
                 }));
    for (std::size_t i = 0; i < judged.size(); ++i) {
      if (copies[i].empty()) continue;  // it was skipped
      const auto original = static_cast<std::uint32_t>(set_.originals.size());
      set_.originals.push_back(photos_[judged[i].second].file.path);
      for (Copy& copy : copies[i]) {
        copy.original = original;
        set_.copies.push_back(std::move(copy));
      }
    }
    return ok();
  }

  // A photo that cannot be copied is skipped; a copy that cannot be written ends the run.
  Status make_versions(std::size_t number, const Photo& photo, std::vector<Copy>& out) {
    auto reader = FileReader::open(photo.file);
    const auto bytes =
        reader ? reader->read_all(kMaxRead) : Result<std::vector<std::byte>>(reader.error());
    const auto files = bytes ? maker_.versions(*bytes, photo.kind, mix64(photo.digest.low),
                                               options_.callbacks.stop)
                             : Result<CopyMaker::Files>(bytes.error());
    if (!files && files.error().code == ErrorCode::kCancelled) return files.error();
    if (!files) {
      run_.skip(photo.file.path, files.error());
      return ok();
    }
    for (std::uint32_t v = 0; v < files->size(); ++v) {
      if ((*files)[v].empty()) continue;
      const std::string name = fmt::format("{:03}_{}.{}", number, kCopyVersions[v].name,
                                           extension_of(kCopyVersions[v].format));
      TWINSIFT_TRY([[maybe_unused]] auto done, copies_.write("copies/" + name, (*files)[v]));
      out.push_back({.path = fmt::format("{}/{}", copies_.copies(), name), .version = v});
    }
    return ok();
  }

  Result<LevelOutcome> search(Level level, std::string_view name, double& seconds) {
    TWINSIFT_TRY(const Report report, find_copies({.copies = copies_.copies(),
                                                   .originals = folder_,
                                                   .temp_dir = options_.temp_dir,
                                                   .threads = options_.threads},
                                                  level, name, run_, seconds));
    return score_copies(set_, report, name);
  }

  void sum_up(const LevelOutcome& same, const LevelOutcome& edited) {
    std::string missing;
    for (std::size_t v = 0; v < kCopyVersions.size(); ++v) {
      const CopyVersion& version = kCopyVersions[v];
      if (same.versions[v].copies == 0) {
        missing += fmt::format(" {}", version.name);
        continue;
      }
      LevelScores& sum = version.hard ? result_.hard : result_.standard;
      sum.same += same.versions[v];
      sum.edited += edited.versions[v];
      result_.versions.push_back(
          {std::string(version.name), version.hard, {same.versions[v], edited.versions[v]}});
    }
    if (!missing.empty()) {
      result_.notes.push_back("left out, because this build cannot write their formats:" + missing);
    }
    result_.wrong = same.wrong;
    result_.wrong.insert(result_.wrong.end(), edited.wrong.begin(), edited.wrong.end());
    result_.originals = set_.originals.size();
    const auto readable = std::ranges::count_if(
        photos_, [&](const Photo& photo) { return !run_.has_skipped(photo.file.path); });
    result_.distractors = static_cast<std::uint64_t>(readable) - result_.originals;
    result_.skipped = run_.skipped();
  }

  [[nodiscard]] Status write_lists() const {
    if (!copies_.kept()) return ok();
    std::string manifest = "copy\tversion\toriginal\n";
    for (const Copy& copy : set_.copies) {
      manifest += fmt::format("{}\t{}\t{}\n", copy.path.substr(copy.path.rfind('/') + 1),
                              kCopyVersions[copy.version].name,
                              escape_for_terminal(set_.originals[copy.original]));
    }
    TWINSIFT_TRY([[maybe_unused]] auto done, copies_.write("manifest.tsv", manifest));
    return copies_.write("wrong.tsv", list_of(result_.wrong));
  }

  const std::string& folder_;
  const ImageEvalOptions& options_;
  CopyFolder copies_;
  CopyRun run_;
  CopyMaker maker_;
  std::vector<Photo> photos_;
  CopySet set_;
  ImageEval result_;
};

}  // namespace

Result<ImageEval> eval_images(const std::string& folder, const ImageEvalOptions& options) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error)) {
    return Error{ErrorCode::kNotFound, fmt::format("{} is not a folder", folder)};
  }
  TWINSIFT_TRY([[maybe_unused]] auto there, CopyMaker::check());
  TWINSIFT_TRY(CopyFolder copies,
               CopyFolder::make(options.output, options.temp_dir, folder, "photos"));
  return ImageEvaluation(folder, options, std::move(copies)).evaluate();
}

}  // namespace twinsift
