// SPDX-License-Identifier: Apache-2.0
#include "net/tuner.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "net/byte_text.h"
#include "net/network_plan.h"
#include "net/peer_report.h"

namespace twinsift::net {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr std::size_t kRemembered = 64;  // neighbourhoods
constexpr std::size_t kSubstitutes = 3;  // who may tune in a period
constexpr double kSampleShare = 0.01;
constexpr double kLeastSample = 8;
constexpr double kMostSample = 128;
constexpr double kSampleSeconds = 60;
constexpr double kLatest = 0.45;  // of a period, that a configuration is made

DhtKey random_place(Rng& rng) {
  DhtKey place{};
  for (std::uint8_t& byte : place) byte = static_cast<std::uint8_t>(rng.next() >> 56U);
  return place;
}

}  // namespace

struct Tuner::Sample {
  std::uint64_t version = 0;
  double deadline = 0;
  std::size_t open = 0;
  bool finished = false;
  std::set<DhtKey> asked{};
  std::vector<Neighbourhood> neighbourhoods{};
  std::vector<PeerReport> reports{};
};

Tuner::Tuner(const TunerOptions& options, const Network& network, const Identity& identity,
             DhtNode& node, Asker& asker, Configurations& configurations,
             std::function<PeerReport()> own_report)
    : options_(options),
      network_(network),
      identity_(identity),
      node_(node),
      asker_(asker),
      configurations_(configurations),
      own_report_(std::move(own_report)),
      rng_([&] {
        std::string place;
        put_bytes(node.place(), place);
        return ByteReader(place).number<std::uint64_t>();
      }()) {
  own_share_ = rng_.uniform();
}

double Tuner::at(double share) const {
  const auto period = static_cast<double>(network_.options().period.count());
  const double passed =
      static_cast<double>(now_.unix_seconds) - static_cast<double>(version_) * period;
  return now_.seconds - passed + share * period;
}

void Tuner::begin_period(const Moment& now) {
  now_ = now;
  version_ = network_.version_at(now.unix_seconds);
  first_look_ = at(0.5 + 0.2 * own_share_);
  second_look_ = at(0.75 + 0.2 * own_share_);
  duty_ = options_.tunes ? Duty::kUnknown : Duty::kNone;
  duty_at_ = at(0.02 + 0.03 * own_share_);
  configurations_.forget(now.unix_seconds);
}

double Tuner::tick(const Moment& now) {
  now_ = now;
  if (version_ != network_.version_at(now.unix_seconds)) begin_period(now);
  if (!looked_back_) {
    looked_back_ = true;
    for (std::uint64_t back = 0; back <= std::min(kVersionsBack, version_); ++back) {
      find(version_ - back, {});
    }
  }
  for (double* look : {&first_look_, &second_look_}) {
    if (now.seconds < *look) continue;
    *look = kNever;
    find(version_, {});
  }
  if (now.seconds >= duty_at_) {
    duty_at_ = kNever;
    if (duty_ == Duty::kUnknown) ask_rank();
    if (duty_ == Duty::kWaits) serve();
  }
  if (sample_ && now.seconds >= sample_->deadline) finish(*sample_);
  const double deadline = sample_ ? sample_->deadline : kNever;
  return std::min({first_look_, second_look_, duty_at_, deadline, at(1) + 0.5});
}

void Tuner::find(std::uint64_t version, std::function<void()> then) {
  ++lookups_open_;
  const DhtKey key = network_.configuration_key(version);
  node_.query(key, lifeline_.guard([this, version](const DhtValue& value) {
    const Result<Configuration> read = open_configuration(value.bytes, network_, version, value.id);
    if (!read) {
      ++rejected_;
    } else {
      configurations_.offer(*read, value.bytes);
    }
  }),
              lifeline_.guard([this, key, then = std::move(then)](const LookupEnd& end) {
                --lookups_open_;
                discovered_ = discovered_ || lookups_open_ == 0;
                saw(key, end);
                if (then) then();
              }));
}

void Tuner::ask_rank() {
  duty_ = Duty::kAsked;
  const DhtKey place = network_.election_key(version_);
  node_.nearest(place, lifeline_.guard([this, place, version = version_](const LookupEnd& end) {
    if (version != version_) return;
    const auto rank = std::ranges::count_if(end.nearest, [&](const DhtContact& contact) {
      return is_nearer(place, contact.place, node_.place());
    });
    duty_ = rank < static_cast<std::ptrdiff_t>(kSubstitutes) ? Duty::kWaits : Duty::kNone;
    if (duty_ == Duty::kWaits) {
      duty_at_ = std::max(now_.seconds, at(0.05 + 0.12 * static_cast<double>(rank)));
    }
  }));
}

void Tuner::serve() {
  duty_ = Duty::kDone;
  find(version_, [this, version = version_] {
    if (version != version_) return;
    put_again();
    const bool late = now_.seconds >= at(kLatest);
    if (configurations_.of_version(version) == nullptr && !late) start_sample();
  });
}

void Tuner::put_again() {
  for (std::uint64_t back = 1; back <= std::min(kVersionsBack, version_); ++back) {
    const KnownConfiguration* known = configurations_.of_version(version_ - back);
    if (known == nullptr || known->bytes.empty()) continue;
    node_.put(network_.configuration_key(version_ - back),
              {configuration_id(known->configuration), known->bytes}, [](bool) {});
  }
}

void Tuner::start_sample() {
  sample_ = std::make_shared<Sample>();
  sample_->version = version_;
  sample_->deadline = std::min(now_.seconds + kSampleSeconds, at(kLatest));
  sample_->reports.push_back(own_report_());
  sample_->asked.insert(node_.place());
  const double size = std::clamp(std::ceil(kSampleShare * peers()), kLeastSample, kMostSample);
  sample_->open = static_cast<std::size_t>(size);
  for (double i = 0; i < size; ++i) ask_one(sample_);
}

void Tuner::ask_one(const std::shared_ptr<Sample>& sample) {
  const auto close = [this, sample] {
    if (--sample->open == 0) finish(*sample);
  };
  const DhtKey place = random_place(rng_);
  node_.nearest(place, lifeline_.guard([this, sample, place, close](const LookupEnd& end) {
    saw(place, end);
    sample->neighbourhoods.push_back(neighbourhood(place, end));
    if (end.nearest.empty() || !sample->asked.insert(end.nearest.front().place).second) {
      close();
      return;
    }
    const DhtContact contact = end.nearest.front();
    asker_.report(contact.address, sample->version,
                  lifeline_.guard([this, sample, contact, close](const Result<std::string>& bytes) {
                    const Result<PeerReport> report =
                        bytes ? open_report(*bytes, network_, sample->version, contact.place)
                              : bytes.error();
                    if (report) sample->reports.push_back(*report);
                    close();
                  }));
  }));
}

void Tuner::finish(Sample& sample) {
  if (sample.finished) return;
  sample.finished = true;
  const Configuration& present = configurations_.newest();
  Configuration made = plan_configuration(network_.options().goal, options_.one_bit, present,
                                          estimate_peers(sample.neighbourhoods), sample.reports);
  made.version = sample.version;
  made.signer = identity_.public_key();
  const DhtKey key = network_.configuration_key(made.version);
  const std::string bytes = seal(made, key, identity_);
  node_.put(key, {configuration_id(made), bytes}, [](bool) {});
  configurations_.offer(made, bytes);
  ++made_;
  sample_.reset();
}

Neighbourhood Tuner::neighbourhood(const DhtKey& place, const LookupEnd& end) const {
  Neighbourhood near{.place = place, .nearest = {node_.place()}};
  for (const DhtContact& contact : end.nearest) near.nearest.push_back(contact.place);
  std::ranges::sort(near.nearest,
                    [&](const DhtKey& a, const DhtKey& b) { return is_nearer(place, a, b); });
  // The farthest is left out: this peer may be it, and was not found but is always there.
  near.nearest.pop_back();
  return near;
}

void Tuner::saw(const DhtKey& place, const LookupEnd& end) {
  if (!end.reached || end.nearest.empty()) return;
  seen_.emplace_back(now_.seconds, neighbourhood(place, end));
  if (seen_.size() > kRemembered) seen_.pop_front();
}

double Tuner::peers() const {
  // What was seen when the network was young says nothing of it now.
  const double young = now_.seconds - static_cast<double>(network_.options().period.count());
  std::vector<Neighbourhood> all;
  for (const auto& [time, near] : seen_) {
    if (time >= young) all.push_back(near);
  }
  return all.empty() ? 0 : estimate_peers(all);
}

}  // namespace twinsift::net
