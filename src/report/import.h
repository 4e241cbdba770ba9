// SPDX-License-Identifier: Apache-2.0
// Reports of other duplicate finders, and our own, as one kind of thing.
//
// What another program claims is carried over and believed by nobody: members have the path, size
// and time that the report gives, no digest, and groups have no pairs.  Whoever uses them looks at
// the files (see run/import.h and act/planner.h).
//
//   twinsift  find --format json or ndjson
//   czkawka   JSON of duplicates, similar pictures, videos and music, with or without references
//   fclones   group --format json, csv, and the default text
//   rmlint    -o json
//   fdupes    also jdupes: paths, groups parted by blank lines, or NULs for both; -S is understood
//   jdupes    -j as well
#pragma once

#include <stop_token>
#include <string>
#include <string_view>

#include <simdjson.h>

#include "twinsift/report.h"
#include "twinsift/result.h"

namespace twinsift {

// Recognises the format by its content.  Paths become absolute where the report says which folder
// it was made in.  `name` is what errors call it.
TWINSIFT_EXPORT Result<Report> import_report(std::string_view bytes, const std::string& name);

// Reads the file, or standard input for "-", plain, gzip or zstd, and imports it.
TWINSIFT_EXPORT Result<Report> import_report_file(const std::string& path_or_dash,
                                                  const std::stop_token& stop = {});

// The parts of import_report().
Result<Report> import_czkawka(simdjson::dom::element root, const std::string& name);
Result<Report> import_fclones(simdjson::dom::element root, const std::string& name);
Result<Report> import_fclones_text(std::string_view bytes, const std::string& name);
Result<Report> import_fclones_csv(std::string_view bytes, const std::string& name);
Result<Report> import_rmlint(simdjson::dom::element root, const std::string& name, bool latin1);
Result<Report> import_fdupes(std::string_view bytes);
Result<Report> import_jdupes(simdjson::dom::element root, const std::string& name);

// `path` as seen from `folder`; absolute ones stay.
std::string below(std::string_view folder, std::string_view path);

}  // namespace twinsift
