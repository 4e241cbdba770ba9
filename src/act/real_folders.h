// SPDX-License-Identifier: Apache-2.0
// The real folder of a file, however many links lead there.  Each folder is looked up once, so this
// is for rules about a plan as a whole; what happens to a file works on open folders.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <system_error>

#include "ingest/file_system.h"

namespace twinsift {

class RealFolders {
 public:
  // As it is written if it cannot be looked up.
  const std::string& of(const std::string& path) {
    const auto [known, is_new] = folders_.try_emplace(std::string(parent_of(path)));
    if (is_new) {
      std::error_code error;
      const std::filesystem::path real = std::filesystem::canonical(known->first, error);
      known->second = error ? known->first : real.string();
    }
    return known->second;
  }

 private:
  std::map<std::string, std::string> folders_;
};

}  // namespace twinsift
