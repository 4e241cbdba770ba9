// SPDX-License-Identifier: Apache-2.0
// No bytes may crash the decoders of stored records, and what they return can be stored again and
// is then the same bytes.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "store/manifest.h"
#include "store/record.h"

namespace {

template <class Record>
void check(const twinsift::Result<Record>& record, std::string_view bytes) {
  if (!record) return;
  const auto again = twinsift::encode(*record);
  if (!again) std::abort();
  std::string text;
  for (const auto piece : again->pieces()) {
    text.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  }
  if (text != bytes) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::uint64_t> words(size / 8 + 1);  // a payload begins at a multiple of 8
  if (size > 0) std::memcpy(words.data(), data, size);
  const auto payload = std::as_bytes(std::span(words)).first(size);
  const std::string_view bytes(reinterpret_cast<const char*>(words.data()), size);
  check(twinsift::decode_detector_record(payload), bytes);
  check(twinsift::decode_file_record(payload), bytes);
  check(twinsift::decode_content_record(payload), bytes);
  check(twinsift::decode_verdict_record(payload), bytes);
  check(twinsift::decode_removed_record(payload), bytes);
  check(twinsift::decode_result_record(payload), bytes);
  check(twinsift::decode_synced_record(payload), bytes);
  const auto manifest = twinsift::parse_manifest(bytes, "MANIFEST");
  if (manifest && !twinsift::parse_manifest(twinsift::format_manifest(*manifest), "M")) {
    std::abort();
  }
  return 0;
}
