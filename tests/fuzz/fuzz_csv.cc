// SPDX-License-Identifier: Apache-2.0
// No bytes may crash the cutting and parsing of CSV; records follow each other without gaps,
// a record that is cut off is cut at the same place when it stands alone, and the text of a
// document is never longer than three times its record (U+FFFD for each byte).
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "ingest/csv.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using twinsift::Outcome;
  if (size == 0) return 0;
  static const auto layout = *twinsift::read_csv_header("id,text", ',', "text", "id");
  static const auto format = twinsift::make_csv_format(layout);
  const std::size_t line_bytes = data[0];
  const std::string bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  std::vector<std::uint32_t> ends;
  twinsift::split_csv(bytes, ',', line_bytes, true, ends);
  std::uint32_t begin = 0;
  for (const std::uint32_t end : ends) {
    if (end <= begin || end > bytes.size()) std::abort();
    std::string record = bytes.substr(begin, end - begin);
    if (begin >= line_bytes) {
      std::vector<std::uint32_t> alone;
      twinsift::split_csv(record, ',', 0, true, alone);
      if (alone.size() != 1 || alone[0] != record.size()) std::abort();
    }
    const std::size_t length = record.size();
    record.append(twinsift::kPadding, '"');
    twinsift::Document document;
    std::string reason;
    const std::string_view view = std::string_view(record).substr(0, length);
    const Outcome outcome = format->parse(view, document, reason);
    if (outcome == Outcome::kMalformed && reason.empty()) std::abort();
    if (outcome == Outcome::kDocument && document.text.size() > 3 * length) std::abort();
    begin = end;
  }
  return 0;
}
