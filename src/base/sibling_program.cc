// SPDX-License-Identifier: Apache-2.0
#include "base/sibling_program.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <unistd.h>

namespace twinsift {
namespace {

bool is_program(const std::filesystem::path& path) {
  std::error_code error;
  return access(path.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(path, error);
}

}  // namespace

std::string find_sibling_program(std::string_view name, const char* variable) {
  if (const char* given = std::getenv(variable); given != nullptr) {
    return is_program(given) ? given : "";
  }
  std::error_code error;
  const auto here = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  for (const auto& folder :
       {here, here / "../libexec/twinsift", std::filesystem::path(TWINSIFT_LIBEXEC_DIR)}) {
    if (is_program(folder / name)) return (folder / name).lexically_normal().string();
  }
  return "";
}

}  // namespace twinsift
