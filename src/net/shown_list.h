// SPDX-License-Identifier: Apache-2.0
// What an owner answers that is asked for several resources at once.
//
// For each of them, in the order of the request, a length of 4 bytes and as many bytes of
// encode(Representation); length 0: it is not, or no longer, here.  All together has kMostShown
// bytes at most, as one alone has.  From the first on for which there is no room, the length is
// kNoRoom, and the asker may ask again for what is left.  The first always has an answer, so that
// each request gets somebody further.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "net/entry.h"
#include "net/representation.h"
#include "net/veil.h"
#include "twinsift/result.h"

namespace twinsift::net {

// Resources in one request.  All of them fit the 2 KB that a server reads of one, and a liar is
// found out after so many at most.
inline constexpr std::size_t kMostTogether = 16;

// Nothing: there was no room for it.
using Shown = std::optional<Result<Representation>>;

// Makes an answer.
class ShownWriter {
 public:
  explicit ShownWriter(std::size_t resources) : left_(resources) {}

  // The next resource, as encode() makes it; empty: it is not here.  Requires: not full().
  void add(std::string_view representation);
  // Whether there was no room for one; then there is none for those that follow either.
  [[nodiscard]] bool full() const { return full_; }
  // How many representations are in it.
  [[nodiscard]] std::size_t shown() const { return shown_; }
  // What is left has no room.
  std::string finish() &&;

  static constexpr std::size_t kRoom = kMostShown - Veil::kOverhead;

 private:
  std::size_t left_;
  std::size_t shown_ = 0;
  bool full_ = false;
  std::string out_;
};

// One for each resource, in their order, and never nothing for the first.  kCorrupt if these are
// not bytes of a ShownWriter; whoever shows another set than it was asked for has an error at that
// place.
Result<std::vector<Shown>> read_shown(std::string_view bytes,
                                      std::span<const ResourceId> resources);

}  // namespace twinsift::net
