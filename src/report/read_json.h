// SPDX-License-Identifier: Apache-2.0
// twinsift's own JSON and NDJSON reports, read back.
//
// A report may come from anywhere.  What has no sense is an error that names the group and the
// field; fields that are not known are passed over, because later versions add some.  Passages are
// left out: whoever wants them asks compare().
#pragma once

#include <string>
#include <string_view>

#include <simdjson.h>

#include "twinsift/report.h"
#include "twinsift/result.h"

namespace twinsift {

// A whole report; `name` is what errors call it.
Result<Report> read_json_report(simdjson::dom::element root, const std::string& name);

// One object per line.  A stream without its end was cut short, which is an error.
Result<Report> read_ndjson_report(std::string_view bytes, const std::string& name);

}  // namespace twinsift
