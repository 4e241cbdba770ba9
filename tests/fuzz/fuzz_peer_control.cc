// SPDX-License-Identifier: Apache-2.0
// Lines of the control socket, and the file of known nodes.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "control_wire.h"
#include "state_folder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace twinsift::cli;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto command = parse_command(bytes)) {
    const auto again = parse_command(line_of(*command));
    if (!again || again->index() != command->index()) std::abort();
  }
  [[maybe_unused]] const auto reply = parse_reply(bytes);
  if (const auto nodes = decode_nodes(bytes); nodes && encode(*nodes) != bytes) std::abort();
  return 0;
}
