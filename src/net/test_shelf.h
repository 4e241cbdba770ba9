// SPDX-License-Identifier: Apache-2.0
// A shelf for tests: what is put on it.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "net/shelf.h"

namespace twinsift::net {

class TestShelf final : public Shelf {
 public:
  ResourceId put(Representation representation) {
    const std::scoped_lock lock(mutex_);
    const ResourceId id = resource_id(representation.detector, representation.set);
    shown_[id] = std::move(representation);
    return id;
  }
  // Shows this one under an id that is not its own.
  void lie(const ResourceId& id, Representation representation) {
    const std::scoped_lock lock(mutex_);
    shown_[id] = std::move(representation);
  }

  std::chrono::milliseconds wait{0};  // before each is shown

  [[nodiscard]] Result<std::vector<Resource>> resources() const override {
    const std::scoped_lock lock(mutex_);
    std::vector<Resource> all;
    for (const auto& [id, shown] : shown_) all.push_back({.id = id, .detector = shown.detector});
    return all;
  }
  [[nodiscard]] Result<Representation> representation(const ResourceId& resource) const override {
    std::this_thread::sleep_for(wait);
    const std::scoped_lock lock(mutex_);
    const auto found = shown_.find(resource);
    if (found == shown_.end()) return Error{ErrorCode::kNotFound, "not here"};
    return found->second;
  }

 private:
  mutable std::mutex mutex_;
  std::map<ResourceId, Representation> shown_;
};

// A set of so many tokens, another one for each number.
inline Representation test_representation(std::uint64_t number, std::size_t tokens = 100) {
  Representation shown{.detector = "text1:words:5", .set = {}, .title = "a.txt"};
  for (std::size_t i = 0; i < tokens; ++i) shown.set.push_back(number * 1'000'000 + i + 1);
  return shown;
}

}  // namespace twinsift::net
