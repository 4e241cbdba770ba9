// SPDX-License-Identifier: Apache-2.0
// What strangers send to a peer over HTTP: targets, heads, proofs, hellos, representations.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "net/hello.h"
#include "net/http_get.h"
#include "net/representation.h"
#include "net/show_protocol.h"
#include "net/shown_list.h"
#include "net/veil.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace twinsift::net;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto request = parse_target(bytes); request && target_of(*request) != bytes) {
    std::abort();
  }
  if (const auto hello = decode_hello(bytes); hello && encode(*hello) != bytes) std::abort();
  static const Network network({.secret = "s"});
  static const Veil veil(network);
  // Nobody finds a proof or a sealed body by chance.
  if (parse_http_head(bytes) && !bytes.ends_with("\r\n\r\n")) std::abort();
  if (check_proof(bytes, network, {}) || veil.uncover(bytes)) std::abort();
  if (decode_representation(bytes, {})) std::abort();
  const std::vector<ResourceId> wanted(2);
  if (const auto list = read_shown(bytes, wanted); list && (list->size() != 2 || !list->front())) {
    std::abort();
  }
  return 0;
}
