// SPDX-License-Identifier: Apache-2.0
// No bytes may crash the loading of an idf table; what is loaded is saved as the same bytes.  The
// checksum is made right first, or nothing would ever get past it.
#include <cstdint>
#include <cstdlib>
#include <string>

#include <xxhash.h>

#include "feature/tfidf.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes = "TSIDF1\r\n";
  bytes.append(reinterpret_cast<const char*>(data), size);
  std::uint64_t checksum = XXH3_64bits(data, size);
  for (int i = 0; i < 8; ++i, checksum >>= 8U) bytes.push_back(static_cast<char>(checksum & 0xFFU));
  const auto table = twinsift::IdfTable::load(std::as_bytes(std::span(bytes)));
  if (!table) return 0;
  if (table->save() != bytes) std::abort();
  const std::vector<twinsift::TermCount> document = {{1, 2}, {3, UINT64_MAX}};
  for (const double weight : table->weigh(document).weights) {
    if (!(weight > 0)) std::abort();
  }
  return 0;
}
