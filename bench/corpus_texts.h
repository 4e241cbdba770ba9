// SPDX-License-Identifier: Apache-2.0
// The texts of a corpus in memory, as the program itself reads them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/corpus.h"
#include "twinsift/result.h"

namespace twinsift::bench {

// Text i is that of record i, and empty for a malformed one, so that line numbers are places.
inline Result<std::vector<std::string>> read_texts(const std::string& path) {
  TWINSIFT_TRY(CorpusReader reader, CorpusReader::open(path, {}));
  RecordParser parser(reader);
  Block block;
  std::vector<std::string> texts;
  while (true) {
    TWINSIFT_TRY(const bool more, reader.next(block));
    if (!more) return texts;
    texts.resize(block.first_record + block.ends.size());
    parser.parse(
        block, [&](const Document& document) { texts[document.record] = document.text; },
        [](std::uint64_t, std::string_view) {});
  }
}

}  // namespace twinsift::bench
