// SPDX-License-Identifier: Apache-2.0
#include "train_codes.h"

#include <fmt/format.h>

#include "base/escape.h"
#include "run/train_codes.h"

namespace twinsift::cli {

Result<std::string> train_codes(const Arguments& args, const std::stop_token& stop) {
  TrainCodesOptions options{.images = args.list("images"), .out = args.text("out", ""), .seed = 1};
  options.seed = args.count("seed", 1);
  if (options.images.empty() || options.out.empty()) {
    return Error{ErrorCode::kInvalidArgument, "train codes needs --images DIR... and --out FILE."};
  }
  TWINSIFT_TRY(const TrainedCodes trained, twinsift::train_codes(options, stop));
  std::string text = fmt::format("{} pictures, {} photos out of them; written to {}\n",
                                 trained.pictures, trained.photos, options.out);
  for (const Skipped& skipped : trained.skipped) {
    text += fmt::format("skipped {}: {}\n", escape_for_terminal(skipped.path), skipped.detail);
  }
  return text;
}

}  // namespace twinsift::cli
