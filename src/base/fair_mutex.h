// SPDX-License-Identifier: Apache-2.0
// A shared mutex that readers cannot keep a writer from.  std::shared_mutex lets every reader in as
// long as there are readers, so that where somebody always reads, nobody ever writes.
#pragma once

#include <mutex>
#include <shared_mutex>

namespace twinsift {

// For std::unique_lock and std::shared_lock.  Whoever has it shared may not ask for it again: a
// writer may be waiting between.
class FairMutex {
 public:
  void lock() {
    const std::scoped_lock first(gate_);
    mutex_.lock();
  }
  void unlock() { mutex_.unlock(); }
  void lock_shared() {
    const std::scoped_lock first(gate_);
    mutex_.lock_shared();
  }
  void unlock_shared() { mutex_.unlock_shared(); }

 private:
  std::mutex gate_;  // held by a writer that waits
  std::shared_mutex mutex_;
};

}  // namespace twinsift
