// SPDX-License-Identifier: Apache-2.0
// twinsift: the same thing in other clothes.  The smallest complete use:
//
//   #include <cstdio>
//   #include <twinsift/twinsift.h>
//   int main() {
//     const auto report = twinsift::find("documents", {});
//     if (!report) return 2;
//     for (const auto& group : *report) std::puts(group.representative().path.c_str());
//   }
#pragma once

#include "twinsift/media.h"     // IWYU pragma: export
#include "twinsift/pipeline.h"  // IWYU pragma: export
#include "twinsift/report.h"    // IWYU pragma: export
#include "twinsift/result.h"    // IWYU pragma: export
#include "twinsift/sketch.h"    // IWYU pragma: export
#include "twinsift/types.h"     // IWYU pragma: export
