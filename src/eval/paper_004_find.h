// SPDX-License-Identifier: Apache-2.0
// The parts of films, looked for by find() as it is shipped.
#pragma once

#include <vector>

#include "eval/paper_004.h"
#include "eval/paper_004_folder.h"

namespace twinsift::paper_004 {

// At the level edited.  A report puts each part to one film, so that films that have a clip in
// common must not be there together: the parts of films without one are looked for at a time, among
// these films and all others that share nothing with them.
Result<Answers> find_linkage(const std::vector<FilmFiles>& films, const EvalOptions& options);

}  // namespace twinsift::paper_004
