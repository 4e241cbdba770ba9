// SPDX-License-Identifier: Apache-2.0
#include "net/question_run.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "net/crowd.h"
#include "sketch/labels.h"
#include "tune/strangers.h"
#include "verify/similarity.h"

namespace twinsift::net {
namespace {

constexpr std::size_t kMostFailures = 2;  // of an owner who has shown nothing
constexpr double kGather = 0.05;          // seconds, from the first candidate on

}  // namespace

struct QuestionRun::Bucket {
  std::string label{};
  std::uint32_t table = 0;
  Shard shard{};
  DhtKey key{};
  std::size_t entries = 0;
  std::map<PublicKey, std::size_t> of_owner{};
};

QuestionRun::QuestionRun(QuestionContext& context, Question question,
                         std::function<void(const Answer&)> on_answer)
    : context_(context), question_(std::move(question)), on_answer_(std::move(on_answer)) {}

double QuestionRun::threshold() const {
  return question_.similarity > 0 ? question_.similarity
                                  : context_.network.options().goal.similarity;
}

void QuestionRun::start(const Configuration& configuration, const Moment& now) {
  started_ = true;
  now_ = now;
  begin_ = now.seconds;
  configuration_ = configuration;
  if (question_.set.empty()) return;
  const std::uint64_t seed = context_.network.seed();
  const LabelShape& shape = configuration.shape;
  const NetworkOptions& network = context_.network.options();
  const std::uint32_t least = configuration.least_agreeing;
  candidates_.emplace(label_sketches(question_.set, seed, least > 0 ? shape.labels : 0),
                      sketch_thresholds(least, network.goal.similarity), network.lifetime);
  LabelMinima minima(seed);
  minima.grow(question_.set, shape);
  report_.labels = shape.labels;
  for (std::uint32_t table = 0; table < shape.labels; ++table) {
    look(minima.label(shape, table), table, {});
  }
}

void QuestionRun::look(const std::string& label, std::uint32_t table, Shard shard) {
  auto bucket = std::make_shared<Bucket>();  // shared by the two callbacks of one query
  bucket->label = label;
  bucket->table = table;
  bucket->shard = shard;
  bucket->key =
      context_.network.label_key(configuration_.id(), question_.detector, table, label, shard);
  ++lookups_open_;
  ++report_.lookups;
  ++buckets_[table];
  context_.node.query(
      bucket->key, lifeline_.guard([this, bucket](const DhtValue& value) { take(*bucket, value); }),
      lifeline_.guard([this, bucket](const LookupEnd& end) { look_done(*bucket, end); }));
}

// Looks further down a label that is crowded.
void QuestionRun::follow(const Bucket& bucket, const LookupEnd& end) {
  if (context_.on_lookup) context_.on_lookup(bucket.key, end);
  if (!end.reached) ++report_.unreachable;
  const bool crowded =
      bucket.entries >= kCrowd || std::ranges::any_of(bucket.of_owner, [](const auto& of) {
        return of.second >= kCrowdOfOwner;
      });
  if (!crowded || impatient_) return;
  if (bucket.shard.depth == kDeepest || buckets_[bucket.table] + 2 > question_.most_buckets) {
    ++unfollowed_;
    return;
  }
  for (const Shard child : children_of(bucket.shard)) look(bucket.label, bucket.table, child);
}

void QuestionRun::look_done(const Bucket& bucket, const LookupEnd& end) {
  --lookups_open_;
  follow(bucket, end);
  fetch_more();
}

void QuestionRun::take(Bucket& bucket, const DhtValue& value) {
  ++report_.entries;
  const Result<Entry> peeked = peek_entry(value.bytes);
  if (!peeked) {
    ++report_.rejected;
    return;
  }
  ++bucket.entries;
  ++bucket.of_owner[peeked->owner];
  const auto& allowed = context_.options.allowed;
  if (!allowed.empty() && std::ranges::find(allowed, peeked->owner) == allowed.end()) {
    ++report_.rejected;
    return;
  }
  if (!question_.own && peeked->owner == context_.self) return;
  if (peeked->table != bucket.table) {
    ++report_.rejected;
    return;
  }
  report_.rejected += candidates_->take(*peeked, bucket.key, value, now_.unix_seconds);
  if (candidates_->queue().empty()) return;
  if (gather_until_ == 0) gather_until_ = now_.seconds + kGather;
  fetch_more();
}

bool QuestionRun::may_ask(const PublicKey& owner) const {
  const auto asked = asked_of_.find(owner);
  return report_.asked < question_.most_asked &&
         (asked == asked_of_.end() || asked->second < question_.most_asked_of_owner);
}

void QuestionRun::fetch_more() {
  if (!candidates_ || (lookups_open_ > 0 && now_.seconds < gather_until_)) return;
  const Candidates::Queue& queue = candidates_->queue();
  auto next = queue.begin();
  while (next != queue.end() && fetches_open_ < context_.options.most_fetches && !impatient_) {
    const Entry first = next->second;
    if (answering_.contains(first.owner)) {
      ++next;
    } else if (failed_of_[first.owner] >= kMostFailures) {
      ++report_.unshown;
      next = candidates_->remove(next);
    } else if (!may_ask(first.owner)) {
      ++unasked_;
      next = candidates_->remove(next);
    } else {
      fetch(take_together(first));
      next = queue.begin();  // an answer may have come meanwhile, and more been asked
    }
  }
}

std::vector<Entry> QuestionRun::take_together(const Entry& first) {
  std::vector<Entry> entries;
  const Candidates::Queue& queue = candidates_->queue();
  for (auto at = queue.begin();
       at != queue.end() && entries.size() < kMostTogether && may_ask(first.owner);) {
    const Entry& entry = at->second;
    if (entry.owner != first.owner || entry.address != first.address) {
      ++at;
      continue;
    }
    ++report_.asked;
    ++asked_of_[entry.owner];
    entries.push_back(entry);
    at = candidates_->remove(at);
  }
  return entries;
}

void QuestionRun::fetch(const std::vector<Entry>& entries) {
  ++fetches_open_;
  answering_.insert(entries.front().owner);
  const auto done = [this, entries](const std::vector<Shown>& all) { answered(entries, all); };
  if (entries.front().owner == context_.self) {
    done(own(entries));
  } else {
    ++report_.exchanges;
    context_.asker.fetch(entries, lifeline_.guard(done));
  }
}

std::vector<Shown> QuestionRun::own(const std::vector<Entry>& entries) const {
  std::vector<Shown> all;
  for (const Entry& entry : entries) {
    all.emplace_back(context_.shelf.representation(entry.resource));
  }
  return all;
}

void QuestionRun::answered(const std::vector<Entry>& entries, const std::vector<Shown>& all) {
  --fetches_open_;
  answering_.erase(entries.front().owner);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (all[i]) {
      shown(entries[i], *all[i]);
    } else {  // there was no room for it
      --report_.asked;
      --asked_of_[entries[i].owner];
      candidates_->put_back(entries[i]);
    }
  }
  fetch_more();
}

void QuestionRun::shown(const Entry& entry, const Result<Representation>& representation) {
  // The id is a hash of the detector and the set: whoever carried it, this is what was published.
  if (!representation || representation->detector != question_.detector ||
      resource_id(representation->detector, representation->set) != entry.resource) {
    ++report_.unshown;
    ++failed_of_[entry.owner];
  } else {
    failed_of_[entry.owner] = 0;
    const double similarity = jaccard(question_.set, representation->set);
    if (similarity >= threshold()) {
      ++report_.answers;
      on_answer_({entry, *representation, similarity});
    }
  }
}

double QuestionRun::tick(const Moment& now) {
  now_ = now;
  const double end = begin_ + static_cast<double>(context_.options.patience.count());
  if (now.seconds >= end) impatient_ = true;
  fetch_more();
  return now.seconds < gather_until_ ? std::min(end, gather_until_) : end;
}

bool QuestionRun::finished() const {
  const bool waits = candidates_ && !candidates_->queue().empty();
  return started_ && (impatient_ || (lookups_open_ == 0 && fetches_open_ == 0 && !waits));
}

std::string QuestionRun::why_not(bool cancelled) const {
  const PondGoal& goal = context_.network.options().goal;
  if (cancelled) return "the question was cancelled";
  if (impatient_) return "some peers have not answered in time";
  if (report_.unreachable > 0) {
    return fmt::format("nobody answers for {} of {} labels", report_.unreachable, report_.lookups);
  }
  if (unfollowed_ > 0) {
    return fmt::format("labels are crowded: {} of their buckets were not looked at", unfollowed_);
  }
  if (unasked_ > 0) {
    return fmt::format("{} more resources may be similar, and were not asked for", unasked_);
  }
  if (threshold() < goal.similarity) {
    return fmt::format("the network promises nothing below a similarity of {}", goal.similarity);
  }
  return {};
}

QuestionReport QuestionRun::report(const Moment& now, bool cancelled) const {
  QuestionReport report = report_;
  report.candidates = candidates_ ? candidates_->size() : 0;
  report.strangers = candidates_ ? candidates_->strangers() : 0;
  report.seconds = started_ ? now.seconds - begin_ : 0;
  report.cancelled = cancelled;
  report.why = why_not(cancelled);
  report.kept = report.why.empty();
  return report;
}

}  // namespace twinsift::net
