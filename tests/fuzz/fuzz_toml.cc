// SPDX-License-Identifier: Apache-2.0
// No bytes may crash the reading of a configuration file; strings that are read are written and
// read back as they were.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "toml.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace twinsift::cli;
  const auto file = parse_toml({reinterpret_cast<const char*>(data), size});
  if (!file) {
    if (file.error().message.empty()) std::abort();
    return 0;
  }
  for (const TomlEntry& entry : file->entries) {
    for (const std::string& word : entry.value.words) {
      const auto again = parse_toml("k = " + toml_string(word));
      if (!again || again->entries.at(0).value.words.at(0) != word) std::abort();
    }
  }
  return 0;
}
