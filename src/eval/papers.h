// SPDX-License-Identifier: Apache-2.0
// One function per paper; each lives in a file of its name.
#pragma once

#include "eval/report.h"
#include "twinsift/result.h"

namespace twinsift {

Result<EvalReport> eval_paper_000(const EvalOptions& options);
Result<EvalReport> eval_paper_001(const EvalOptions& options);
Result<EvalReport> eval_paper_002(const EvalOptions& options);
Result<EvalReport> eval_paper_003(const EvalOptions& options);
Result<EvalReport> eval_paper_004(const EvalOptions& options);

}  // namespace twinsift
