// SPDX-License-Identifier: Apache-2.0
#include "sketch/table.h"

#include <cassert>
#include <utility>

namespace twinsift {

std::vector<std::uint32_t> doubling_looks(std::uint32_t k) {
  assert(k > 0);
  std::vector<std::uint32_t> looks;
  for (std::uint32_t look = 64; look < k; look *= 2) looks.push_back(look);
  looks.push_back(k);
  return looks;
}

SketchTable::SketchTable(std::vector<std::uint32_t> looks)
    : looks_(std::move(looks)), planes_(looks_.size()) {
  assert(!looks_.empty());
}

Status SketchTable::append(std::span<const std::uint8_t> codes) {
  assert(codes.size() % components() == 0);
  for (; !codes.empty(); codes = codes.subspan(components())) {
    std::size_t begin = 0;
    for (std::size_t p = 0; p < planes_.size(); ++p) {
      TWINSIFT_TRY([[maybe_unused]] auto done, planes_[p].append(codes.subspan(begin, width(p))));
      begin += width(p);
    }
  }
  return ok();
}

std::size_t SketchTable::resident_bytes() const {
  std::size_t bytes = 0;
  for (const auto& plane : planes_) bytes += plane.resident_bytes();
  return bytes;
}

Status SketchTable::spill(const std::string& directory) {
  for (auto& plane : planes_) {
    TWINSIFT_TRY([[maybe_unused]] auto done, plane.spill(directory));
  }
  return ok();
}

void SketchTable::release() const {
  for (const auto& plane : planes_) plane.release();
}

}  // namespace twinsift
