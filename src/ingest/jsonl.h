// SPDX-License-Identifier: Apache-2.0
// JSON Lines: one JSON object on each line.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/record.h"
#include "twinsift/result.h"

namespace twinsift {

// Appends the end of each line of `bytes` to `ends`, with the last line only if it has a
// newline or `at_end` says that nothing follows.
void split_lines(std::string_view bytes, bool at_end, std::vector<std::uint32_t>& ends);

// Every line is parsed on its own and validated to its end, so that a broken line costs that
// line only.  A field is "name", a dotted path "meta.text", or a JSON pointer "/meta/0/text".
// `id_field` may be empty.
Result<std::unique_ptr<RecordFormat>> make_jsonl_format(const std::string& text_field,
                                                        const std::string& id_field);

}  // namespace twinsift
