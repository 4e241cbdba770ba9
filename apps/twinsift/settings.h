// SPDX-License-Identifier: Apache-2.0
// What is set outside of the command line: by the environment, a project's file, the user's file.
//
// The stronger layer wins, and within a file the table of a command wins over what stands above all
// tables.  Options that add up (see cli.h) take what every layer says.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli.h"
#include "config_files.h"
#include "twinsift/result.h"

namespace twinsift::cli {

struct Setting {
  const Option* option = nullptr;
  unsigned commands = 0;              // bits of those that it holds for
  std::vector<std::string> values{};  // checked; none: a flag is off, a list is empty
  std::string origin{};               // "environment TWINSIFT_THREADS", "./.twinsift.toml:1"
};
using Layer = std::vector<Setting>;  // of two settings of an option the later one wins

// What a file says.  Every line of it is checked, whatever the command is.
Result<Layer> check_file(const ConfigFile& file);

// What the environment says to a command.  The options that were typed are not looked at.
Result<Layer> environment(const Command& command, const Arguments& typed);

// The layers of the files, the stronger one first; none with --no-config.
Result<std::vector<Layer>> file_layers(const Arguments& typed, std::vector<std::string>& notes);

struct Effective {
  const Option* option = nullptr;
  std::vector<std::string> values{};
  std::vector<std::string> origins{};  // of each value, or one if there is no value
};
// By the name that Arguments knows them by.
std::map<std::string_view, Effective> resolve(const Command& command,
                                              std::span<const Layer> layers);

// Adds to `arguments` what was not typed.  What is worth knowing of the files goes to `notes`.
Status configure(Arguments& arguments, std::vector<std::string>& notes);

}  // namespace twinsift::cli
