// SPDX-License-Identifier: Apache-2.0
// twinsift eval images|audio|video DIR: how well copies of photos and recordings are found.
#pragma once

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "cli.h"
#include "terminal.h"
#include "twinsift/eval.h"

namespace twinsift::cli {

// Requires: two operands, of which the second is the folder.
int run_eval_images(const Arguments& args, Console& console, const std::stop_token& stop);
int run_eval_recordings(const Arguments& args, Console& console, const std::stop_token& stop);

// The pairs that a person should look at, the most frequent of each level first; `two` says what
// they are, as in "two photos show".
std::vector<std::string> confusions(const std::vector<WrongMatch>& wrong, std::string_view two);

// {"recall", "precision"}
std::string json_of(const CopyScore& score);
std::string json_of_seconds(double copies, double same, double edited);

}  // namespace twinsift::cli
