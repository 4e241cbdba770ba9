// SPDX-License-Identifier: Apache-2.0
#include "act/tidy.h"

#include <filesystem>
#include <set>
#include <string>

#include "act/disk.h"
#include "act/quarantine.h"
#include "ingest/file_system.h"

namespace twinsift {
namespace {

bool holds_only_manifest(const std::string& folder) {
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    if (at->path().filename() != kManifest) return false;
  }
  return !error;
}

}  // namespace

void tidy_quarantine(const RunRecord& run) {
  std::set<std::string> folders;
  for (const auto& [n, item] : run.items) {
    for (const TakenFile& file : item.intent.files) {
      folders.emplace(parent_of(file.quarantined));
    }
  }
  for (const std::string& folder : folders) {
    if (!holds_only_manifest(folder)) continue;
    if (const auto manifest = OpenSpot::open(folder + '/' + kManifest)) {
      remove_name(manifest->spot());
    }
    if (const auto itself = OpenSpot::open(folder)) remove_folder(itself->spot());
  }
}

}  // namespace twinsift
