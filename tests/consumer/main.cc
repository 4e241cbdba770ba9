// SPDX-License-Identifier: Apache-2.0
// What a user of the installed library writes.
#include <cstdio>

#include <twinsift/twinsift.h>

int main(int, char** argv) {
  const auto same = twinsift::compare(argv[0], argv[0], {});
  std::puts(same && same->identical && !twinsift::version().empty() ? "PASS" : "FAIL");
}
