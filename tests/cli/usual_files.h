// SPDX-License-Identifier: Apache-2.0
// A small tree of files in which there is something to find, and how to read what was found.
#pragma once

#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include <simdjson.h>
#include <sys/stat.h>

#include "command.h"

namespace twinsift::cli {

using Groups = std::vector<Words>;  // the keeper first

// The groups of a JSON report.
inline Groups groups_of(simdjson::dom::element report) {
  Groups groups;
  for (const auto group : report["groups"]) {
    groups.emplace_back();
    for (const auto member : group["members"]) {
      groups.back().emplace_back(std::string_view(member["path"]));
    }
  }
  return groups;
}

class UsualFiles : public CommandTest {
 protected:
  void modified(const std::string& name, std::time_t when) const {
    const timespec times[2] = {{when, 0}, {when, 0}};
    utimensat(AT_FDCWD, (folder / name).c_str(), times, 0);
  }

  // Three texts that are nearly the same, one that is not, and two equal files of bytes.
  void write_usual() const {
    write("d/a.txt", text + " and the longest of them");
    write("d/b.txt", text);
    write("d/sub/c.txt", with_change(text, 100));
    write("d/other.txt", random_text(2, 200));
    write("d/x.bin", bytes);
    write("d/sub/y.bin", bytes);
  }

  const std::string text = random_text(1, 200);
  const std::string bytes = std::string("\0\1\2\3", 4) + random_text(3, 500);
  simdjson::dom::parser parser_;
};

}  // namespace twinsift::cli
