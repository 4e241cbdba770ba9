// SPDX-License-Identifier: Apache-2.0
#include "net/peer.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/hash.h"
#include "net/byte_text.h"
#include "net/catalogue.h"
#include "net/configurations.h"
#include "net/estimate.h"
#include "net/peer_report.h"
#include "net/publisher.h"
#include "net/question_run.h"
#include "net/tuner.h"

namespace twinsift::net {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kLookSeconds = 1;   // between two looks at what changes slowly
constexpr double kWaitSeconds = 10;  // of a question for the network's configuration
constexpr std::size_t kShownSets = 16;

}  // namespace

class Peer::Impl {
 public:
  Impl(const PeerOptions& options, const Network& network, const Identity& identity,
       const Shelf& shelf, DhtNode& node, Asker& asker, const Configuration& first)
      : options_(options),
        network_(network),
        identity_(identity),
        shelf_(shelf),
        node_(node),
        catalogue_(shelf, network.seed()),
        configurations_(network, first),
        publisher_({.address = options.address, .rate = options.publishing}, network, identity,
                   catalogue_, node),
        tuner_({.tunes = options.tunes, .one_bit = options.one_bit}, network, identity, node, asker,
               configurations_, [this] { return own_report(); }),
        context_{options_,
                 network,
                 identity.public_key(),
                 shelf,
                 node,
                 asker,
                 [this](const DhtKey& key, const LookupEnd& end) { tuner_.saw(key, end); }} {
    publisher_.on_lookup = context_.on_lookup;
  }

  double tick(const Moment& now) {
    now_ = now;
    node_.tick(now);
    double next = look(now);
    if (connected_) next = std::min({next, tuner_.tick(now), publisher_.tick(now)});
    next = std::min({next, start_questions(), node_.tick(now), tick_questions()});
    return finish_questions() ? now.seconds : next;
  }

  QuestionId ask(Question question, std::function<void(const Answer&)> on_answer,
                 std::function<void(const QuestionReport&)> on_done) {
    const QuestionId id = ++last_question_;
    waiting_.push_back(
        {.id = id,
         .since = now_.seconds,
         .run = std::make_unique<QuestionRun>(context_, std::move(question), std::move(on_answer)),
         .on_done = std::move(on_done)});
    return id;
  }

  void cancel(QuestionId id) {
    for (std::deque<Asked>* list : {&waiting_, &running_}) {
      for (Asked& asked : *list) asked.cancelled |= asked.id == id;
    }
  }

  void shelf_changed() { shelf_changed_ = true; }
  void publish_again() { publisher_.publish_again(now_.seconds); }

  Result<std::string> report(std::uint64_t version) {
    const std::uint64_t present = network_.version_at(now_.unix_seconds);
    if (version + 1 < present || version > present + 1) {
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("period {} is not the present one, which is {}", version, present)};
    }
    const auto found = reports_.find(version);
    if (found != reports_.end()) return found->second;
    if (reports_.size() > 2) reports_.erase(reports_.begin());
    return reports_[version] = seal(own_report(), network_, version, identity_);
  }

  [[nodiscard]] PeerStatus status() const {
    const PublisherStatus published = publisher_.status();
    return {.node = node_.status(),
            .peers = tuner_.peers(),
            .resources = catalogue_.size(),
            .labels = published.labels,
            .labels_waiting = published.waiting,
            .labels_published = published.published,
            .labels_crowded = published.crowded,
            .labels_unplaced = published.unplaced,
            .unreadable = published.unreadable,
            .shelf_error = shelf_error_,
            .questions = waiting_.size() + running_.size(),
            .questions_asked = last_question_,
            .configurations_made = tuner_.made(),
            .configurations_rejected = tuner_.rejected(),
            .configuration = configurations_.asking(now_.unix_seconds),
            .configurations = configurations_.publishing(now_.unix_seconds).size()};
  }

 private:
  struct Asked {
    QuestionId id = 0;
    double since = 0;
    std::unique_ptr<QuestionRun> run{};
    std::function<void(const QuestionReport&)> on_done{};
    bool cancelled = false;
  };

  // At what changes slowly.
  double look(const Moment& now) {
    if (shelf_changed_) read_shelf(now);
    if (now.seconds < next_look_) return next_look_;
    next_look_ = now.seconds + (connected_ ? 5 * kLookSeconds : kLookSeconds);
    connected_ = node_.status().good_nodes > 0;
    publisher_.use(configurations_.publishing(now.unix_seconds), now.seconds);
    const std::uint64_t version = network_.version_at(now.unix_seconds);
    if (version != version_) {
      version_ = version;
      before_ = std::exchange(present_, Tally{});
    }
    return next_look_;
  }

  void read_shelf(const Moment& now) {
    shelf_changed_ = false;
    const Result<Catalogue::Change> change = catalogue_.read();
    shelf_error_ = change ? "" : change.error().message;
    if (!change) return;
    for (const std::uint32_t item : change->gone) publisher_.remove_item(item);
    for (const std::uint32_t item : change->added) publisher_.add_item(item, now.seconds);
  }

  double start_questions() {
    double next = kNever;
    while (!waiting_.empty() && running_.size() < options_.most_questions) {
      Asked& first = waiting_.front();
      const double patience = first.since + kWaitSeconds;
      const bool ready = tuner_.discovered() || now_.seconds >= patience || first.cancelled;
      if (!ready) {
        next = patience;
        break;
      }
      running_.push_back(std::move(first));
      waiting_.pop_front();
      running_.back().run->start(configurations_.asking(now_.unix_seconds), now_);
    }
    return next;
  }

  // After the node, which may have found something.
  double tick_questions() {
    double next = kNever;
    for (Asked& asked : running_) next = std::min(next, asked.run->tick(now_));
    return next;
  }

  // Returns whether there was one.
  bool finish_questions() {
    std::deque<Asked> done;
    for (auto asked = running_.begin(); asked != running_.end();) {
      if (!asked->cancelled && !asked->run->finished()) {
        ++asked;
        continue;
      }
      done.push_back(std::move(*asked));
      asked = running_.erase(asked);
    }
    for (const Asked& asked : done) {
      const QuestionReport report = asked.run->report(now_, asked.cancelled);
      present_.searches += 1;
      present_.found += static_cast<double>(report.answers);
      asked.on_done(report);
    }
    return !done.empty();
  }

  PeerReport own_report() const {
    const Tally& tally = before_.searches > 0 ? before_ : present_;
    PeerReport report{.resources = static_cast<double>(catalogue_.size()),
                      .searches = tally.searches,
                      .duplicates = tally.searches > 0 ? tally.found / tally.searches : 0};
    for (const std::uint32_t item : drawn_items()) {
      const Result<Representation> shown = shelf_.representation(catalogue_.resource(item).id);
      if (shown) report.shown.push_back(show_set(shown->set, network_.seed()));
    }
    return report;
  }

  // Some items, others in each period.
  [[nodiscard]] std::vector<std::uint32_t> drawn_items() const {
    std::vector<std::uint32_t> items = catalogue_.items();
    const auto luck = [&](std::uint32_t item) { return seed_key(version_, item); };
    const auto count = static_cast<std::ptrdiff_t>(std::min(items.size(), kShownSets));
    std::ranges::partial_sort(items, items.begin() + count, {}, luck);
    items.resize(static_cast<std::size_t>(count));
    return items;
  }

  struct Tally {
    double searches = 0;
    double found = 0;
  };

  PeerOptions options_;
  const Network& network_;
  const Identity& identity_;
  const Shelf& shelf_;
  DhtNode& node_;
  Moment now_{};
  Catalogue catalogue_;
  Configurations configurations_;
  Publisher publisher_;
  Tuner tuner_;
  QuestionContext context_;
  bool shelf_changed_ = true;
  std::string shelf_error_;
  bool connected_ = false;
  double next_look_ = 0;
  std::uint64_t version_ = 0;
  Tally present_{};  // period
  Tally before_{};
  std::map<std::uint64_t, std::string> reports_;  // by version
  QuestionId last_question_ = 0;
  std::deque<Asked> waiting_;
  std::deque<Asked> running_;
};

Result<std::unique_ptr<Peer>> Peer::make(const PeerOptions& options, const Network& network,
                                         const Identity& identity, const Shelf& shelf,
                                         DhtNode& node, Asker& asker) {
  TWINSIFT_TRY(const Configuration first,
               first_configuration(network.options().goal, options.one_bit));
  return std::unique_ptr<Peer>(
      new Peer(std::make_unique<Impl>(options, network, identity, shelf, node, asker, first)));
}

Peer::Peer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Peer::~Peer() = default;

double Peer::tick(const Moment& now) { return impl_->tick(now); }

QuestionId Peer::ask(Question question, std::function<void(const Answer&)> on_answer,
                     std::function<void(const QuestionReport&)> on_done) {
  return impl_->ask(std::move(question), std::move(on_answer), std::move(on_done));
}

void Peer::cancel(QuestionId question) { impl_->cancel(question); }
void Peer::shelf_changed() { impl_->shelf_changed(); }
void Peer::publish_again() { impl_->publish_again(); }
Result<std::string> Peer::report(std::uint64_t version) { return impl_->report(version); }
PeerStatus Peer::status() const { return impl_->status(); }

}  // namespace twinsift::net
