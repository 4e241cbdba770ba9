// SPDX-License-Identifier: Apache-2.0
// Makes a collection's segments anew, and its data files where need be, from records in the order
// of their sequence numbers.  Nothing that there was before is touched; what was made vanishes
// again unless commit() is called.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "store/collection.h"
#include "store/data_file.h"
#include "store/data_writer.h"
#include "store/manifest.h"
#include "store/record_state.h"
#include "store/segment_build.h"
#include "twinsift/result.h"

namespace twinsift {

// Not thread-safe.
class Rebuild {
 public:
  // `manifest`: id, detectors and next number of the collection; `shelves`: specs to go on with.
  Rebuild(std::string folder, const CollectionOptions& options, const Manifest& manifest,
          std::map<DetectorId, ShelfSpec> shelves);
  Rebuild(const Rebuild&) = delete;
  Rebuild& operator=(const Rebuild&) = delete;
  ~Rebuild();

  // Copies the record to a new data file.  The record's memory must stay until commit().
  Status copy(const StoredRecord& record);
  // Takes a data file as it is; its records follow.
  void keep_file(const Manifest::Data& line) { manifest_.data.push_back(line); }
  // Takes a record of the last such file.
  Status keep(const StoredRecord& record);

  // Sorts everything into one segment and puts the new manifest in the place of the old one.
  // `sequence`: the last number that was given, at least that of the last record.
  Result<Manifest> commit(std::uint64_t sequence);

 private:
  Status start_data_file(std::uint64_t first_sequence);
  Status end_data_file();
  Status sort_if(bool due);
  Status make_shelves();

  std::string folder_;
  CollectionOptions options_;
  Manifest manifest_;
  std::map<DetectorId, ShelfSpec> specs_;
  ShelfMap shelves_;
  RecordState known_;
  std::optional<DataWriter> writer_;
  std::vector<std::unique_ptr<Segment>> segments_;
  std::uint64_t sorted_ = 0;       // records up to this one are in segments
  std::vector<std::string> made_;  // files
};

}  // namespace twinsift
