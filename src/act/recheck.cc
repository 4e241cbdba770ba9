// SPDX-License-Identifier: Apache-2.0
#include "act/recheck.h"

#include <cerrno>

#include <fcntl.h>
#include <fmt/format.h>

#include "act/content.h"
#include "act/together.h"
#include "ingest/file_system.h"
#include "report/must_stay.h"
#include "twinsift/pipeline.h"

namespace twinsift {
namespace {

Error changed(const std::string& path, std::string_view what) {
  return {ErrorCode::kIo, fmt::format("{}: {}; make a new plan", path, what)};
}

Result<Checked> open_one(const FileProof& proof) {
  Checked checked;
  TWINSIFT_TRY(checked.spot, OpenSpot::open(proof.path));
  const Spot spot = checked.spot.spot();
  checked.file = Fd(::openat(spot.folder, spot.name.c_str(),
                             O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!checked.file && errno == ELOOP) {
    return changed(proof.path, "changed: it is a symbolic link now");
  }
  if (!checked.file) return file_error(errno, proof.path);
  struct stat& now = checked.status;
  if (::fstat(checked.file.get(), &now) != 0) return file_error(errno, proof.path);
  if (!S_ISREG(now.st_mode)) return changed(proof.path, "changed: it is no regular file now");
  if (identity_of(now) != Identity{proof.device, proof.inode}) {
    return changed(proof.path, "changed: it is another file than when the plan was made");
  }
  if (static_cast<std::uint64_t>(now.st_size) != proof.size) {
    return changed(proof.path, "changed: it has another size than when the plan was made");
  }
  if (mtime_ns_of(now) != proof.mtime_ns) {
    return changed(proof.path, "changed: it was written to since the plan was made");
  }
  return checked;
}

OpenContent content_of(const Checked& checked) { return {checked.file.get(), checked.spot.path()}; }

Status check_digest(const Checked& checked, const std::string& digest,
                    const std::stop_token& stop) {
  TWINSIFT_TRY(const std::string now, digest_of(content_of(checked), stop));
  if (now != digest) {
    return changed(checked.spot.path(), "changed: its content is not what the plan says");
  }
  return ok();
}

Status check_similarity(const CheckedAction& checked, const PlannedAction& action,
                        double threshold) {
  // A threshold is written with six digits.
  constexpr double kRounding = 5e-7;
  CompareOptions options;
  // The detector of a plan line is the spec of what computed the score: "text1:words:5".  Others
  // mean the default features.
  static_cast<MediaOptions&>(options.match) = media_options_of({&action.detector, 1});
  TWINSIFT_TRY(const Comparison comparison,
               compare(checked.loser.spot.path(), checked.keeper.spot.path(), options));
  // It goes by the paths, and somebody may have put other files there for that moment.
  if (comparison.a.digest != action.loser.digest || comparison.b.digest != action.keeper.digest) {
    return changed(action.loser.path, "changed: it or its keeper is another file now");
  }
  const MustStay stays = must_stay({.medium = comparison.medium,
                                    .relation = comparison.relation,
                                    .evidence = comparison.evidence,
                                    .keeps_a = false,
                                    .other_facts = comparison.a.facts});
  if (stays != MustStay::kNo) {
    return changed(action.loser.path, must_stay_detail(stays, action.keeper.path));
  }
  if (comparison.score + kRounding < threshold) {
    return changed(
        action.loser.path,
        fmt::format("its similarity to {} is {:.4f}, which is below the threshold {:.4f}",
                    action.keeper.path, comparison.score, threshold));
  }
  return ok();
}

Status check_copy_of_half(const CheckedAction& checked, std::size_t companion,
                          const std::stop_token& stop) {
  const Checked& half = checked.companions[companion];
  return check_half(checked.loser.spot.path(),
                    {.path = half.spot.path(), .content = content_of(half), .status = half.status},
                    checked.keeper.spot.path(), stop);
}

}  // namespace

Result<CheckedAction> open_checked(const PlannedAction& action) {
  CheckedAction checked;
  TWINSIFT_TRY(checked.keeper, open_one(action.keeper));
  TWINSIFT_TRY(checked.loser, open_one(action.loser));
  if (identity_of(checked.keeper.status) == identity_of(checked.loser.status)) {
    return Error{ErrorCode::kInvalidArgument, fmt::format("{}: it is the same file as {}",
                                                          action.loser.path, action.keeper.path)};
  }
  for (const FileProof& companion : action.companions) {
    TWINSIFT_TRY(Checked opened, open_one(companion));
    checked.companions.push_back(std::move(opened));
  }
  return checked;
}

Status check_contents(const CheckedAction& checked, const PlannedAction& action, double threshold,
                      const std::stop_token& stop) {
  TWINSIFT_TRY([[maybe_unused]] const auto keeper,
               check_digest(checked.keeper, action.keeper.digest, stop));
  TWINSIFT_TRY([[maybe_unused]] const auto loser,
               check_digest(checked.loser, action.loser.digest, stop));
  for (std::size_t i = 0; i < checked.companions.size(); ++i) {
    TWINSIFT_TRY([[maybe_unused]] const auto companion,
                 check_digest(checked.companions[i], action.companions[i].digest, stop));
    TWINSIFT_TRY([[maybe_unused]] const auto half, check_copy_of_half(checked, i, stop));
  }
  if (action.exact) {
    TWINSIFT_TRY(const bool same,
                 same_bytes(content_of(checked.loser), content_of(checked.keeper), stop));
    if (!same) {
      return changed(action.loser.path,
                     fmt::format("its bytes are not those of {}", action.keeper.path));
    }
  } else {
    TWINSIFT_TRY([[maybe_unused]] const auto alike, check_similarity(checked, action, threshold));
  }
  TWINSIFT_TRY([[maybe_unused]] const auto same_keeper, check_unchanged(checked.keeper));
  for (const Checked& companion : checked.companions) {
    TWINSIFT_TRY([[maybe_unused]] const auto same_companion, check_unchanged(companion));
  }
  return check_unchanged(checked.loser);
}

Status check_unchanged(const Checked& checked) {
  struct stat now {};
  if (::fstat(checked.file.get(), &now) != 0) return file_error(errno, checked.spot.path());
  if (now.st_size != checked.status.st_size || mtime_ns_of(now) != mtime_ns_of(checked.status)) {
    return changed(checked.spot.path(), "changed: it was written to just now");
  }
  return ok();
}

}  // namespace twinsift
