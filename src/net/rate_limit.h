// SPDX-License-Identifier: Apache-2.0
// Token buckets: so many things at once, so many in a second afterwards; one for each caller.
#pragma once

#include <algorithm>
#include <map>

namespace twinsift::net {

struct Rate {
  double per_second = 1;
  double burst = 1;  // at once, after a rest
};

// Time is any clock that does not go back, in seconds.
class TokenBucket {
 public:
  explicit TokenBucket(const Rate& rate) : rate_(rate), tokens_(rate.burst) {}

  // Takes so many, or says that there are not.
  bool take(double now, double count = 1) {
    tokens_ = std::min(rate_.burst, tokens_ + std::max(0.0, now - last_) * rate_.per_second);
    last_ = std::max(last_, now);
    if (tokens_ < count) return false;
    tokens_ -= count;
    return true;
  }
  [[nodiscard]] double last() const { return last_; }

 private:
  Rate rate_;
  double tokens_;
  double last_ = 0;
};

// One bucket for each caller, of at most `most` callers; the one who was silent longest makes room
// for a new one, who begins with a full bucket: so `most` callers bound memory, not the rate of
// somebody with many names.
template <class Caller>
class RateLimiter {
 public:
  RateLimiter(const Rate& rate, std::size_t most) : rate_(rate), most_(most) {}

  bool take(const Caller& caller, double now, double count = 1) {
    auto found = buckets_.find(caller);
    if (found == buckets_.end()) {
      if (buckets_.size() >= most_) {
        buckets_.erase(std::ranges::min_element(
            buckets_, {}, [](const auto& pair) { return pair.second.last(); }));
      }
      found = buckets_.emplace(caller, TokenBucket(rate_)).first;
    }
    return found->second.take(now, count);
  }
  [[nodiscard]] std::size_t callers() const { return buckets_.size(); }

 private:
  Rate rate_;
  std::size_t most_;
  std::map<Caller, TokenBucket> buckets_;
};

}  // namespace twinsift::net
