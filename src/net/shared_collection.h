// SPDX-License-Identifier: Apache-2.0
// A collection on disk as what a peer shares (net/content_sets.h).
//
// Shared is what some file has, and of a file no more than its sets and its name without the
// folders.  The collection is only read, and others may write it meanwhile: refresh() looks whether
// they have.
//
// Cost: 80 bytes for each set; the sets themselves stay in the collection.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "net/shelf.h"
#include "store/collection.h"
#include "twinsift/result.h"

namespace twinsift::net {

// Threads may share one.
class SharedCollection final : public Shelf {
 public:
  // Errors as those of Collection::open().
  static Result<std::unique_ptr<SharedCollection>> open(const std::string& path);

  // Reads the collection again if it has changed; whether it had.  After an error everything stays
  // as it was.
  Result<bool> refresh();

  [[nodiscard]] Result<std::vector<Resource>> resources() const override;
  [[nodiscard]] Result<Representation> representation(const ResourceId& resource) const override;

  // The specs of the media with which something was seen: a question must be seen with the same.
  [[nodiscard]] std::vector<std::string> media() const;

 private:
  struct Place {  // of a set
    DetectorId detector = 0;
    Digest digest;
    std::uint32_t number = 0;  // among the sets of its content
    std::uint32_t spec = 0;    // of what made it: in Snapshot::specs
  };
  // What was there when it was read.  Never changed, so that threads need no lock to use it.
  struct Snapshot {
    std::unique_ptr<Collection> collection;
    std::map<DetectorId, std::string> media;  // specs
    std::vector<std::string> specs;           // of sets
    std::map<ResourceId, Place> places;
    std::string fingerprint;  // of the files
  };

  explicit SharedCollection(std::string path) : path_(std::move(path)) {}
  [[nodiscard]] Result<std::shared_ptr<const Snapshot>> read() const;
  static Status add_contents(DetectorId detector, const std::vector<Digest>& live,
                             Snapshot& snapshot);
  [[nodiscard]] std::shared_ptr<const Snapshot> now() const;

  std::string path_;
  mutable std::mutex mutex_;                  // for the next
  std::shared_ptr<const Snapshot> snapshot_;  // shared: answers may outlive a refresh
};

}  // namespace twinsift::net
