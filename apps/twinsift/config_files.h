// SPDX-License-Identifier: Apache-2.0
// Where configuration files are, and whether they may be believed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli.h"
#include "twinsift/result.h"

namespace twinsift::cli {

struct ConfigFile {
  std::string name;               // as messages call it: "./.twinsift.toml"
  Trust trust = Trust::kProject;  // what it may set
  std::string folder;             // where its relative paths begin, with a slash; empty: nowhere
  std::string text;
};

// $XDG_CONFIG_HOME/twinsift/config.toml, or the same below ~/.config; or what TWINSIFT_CONFIG
// names, which must be there.  Nothing if there is none.
Result<std::optional<ConfigFile>> read_user_file();

// .twinsift.toml in the working directory or the nearest one above it: not above the home folder,
// and not in another file system.  One that others may write is not believed: that is noted, and
// nothing further up is looked at, because the file that is meant to hold here is this one.
Result<std::optional<ConfigFile>> read_project_file(std::vector<std::string>& notes);

// The home folder without a slash at its end; empty if there is none.
std::string home_folder();

}  // namespace twinsift::cli
