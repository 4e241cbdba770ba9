// SPDX-License-Identifier: Apache-2.0
#include "net/http_asker.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <stop_token>
#include <thread>

#include <fmt/format.h>
#include <openssl/rand.h>

#include "net/deadline_socket.h"
#include "net/http_get.h"
#include "net/known_addresses.h"
#include "net/peer_report.h"
#include "net/show_protocol.h"
#include "net/veil.h"

namespace twinsift::net {
namespace {

constexpr unsigned kMostTries = 3;
constexpr std::chrono::milliseconds kPause{50};

struct Job {
  Address address{};
  PublicKey owner{};                   // zeros: whoever is there
  std::function<void()> run;           // in a thread of the asker
  std::function<void(Error)> give_up;  // in that of the peer
};

Error refusal(int status) {
  if (status == 404) return {ErrorCode::kNotFound, "a peer no longer has what it has published"};
  if (status == 429 || status == 503) return {ErrorCode::kLimit, "a peer is asked too often"};
  return {ErrorCode::kIo, fmt::format("a peer refuses to answer (HTTP status {})", status)};
}

}  // namespace

class HttpAsker::Impl {
 public:
  Impl(const AskerOptions& options, const Network& network, const Identity& identity, Post post)
      : options_(options),
        network_(&network),
        identity_(&identity),
        veil_(network),
        post_(std::move(post)),
        known_(options.silence) {
    for (std::size_t i = 0; i < options_.threads; ++i) threads_.emplace_back([this] { work(); });
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    {
      const std::scoped_lock lock(mutex_);
      stop_.request_stop();
      waiting_.clear();
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  // Runs `ask` in some thread, and `done` with what it gives in that of the peer.
  template <class T, class Ask>
  void add(const Address& address, const PublicKey& owner, std::function<void(Result<T>)> done,
           Ask ask) {
    Job job{.address = address, .owner = owner, .run = {}, .give_up = {}};
    job.run = [this, done, ask] {
      auto answer = std::make_shared<Result<T>>(ask());
      if (!*answer) ++failed_;
      post_([done, answer] { done(std::move(*answer)); });
    };
    job.give_up = [done](Error error) { done(Result<T>(std::move(error))); };
    enqueue(std::move(job));
  }

  Result<std::vector<Shown>> ask_owner(const std::vector<Entry>& entries);
  Result<std::string> ask_report(const Address& address, std::uint64_t version);

  [[nodiscard]] AskerStatus status() const {
    return {asked_, failed_, skipped_, bytes_out_, bytes_in_};
  }

 private:
  void enqueue(Job job);
  void skip(const Job& job, bool silent);
  void work();
  std::deque<Job>::iterator next_job();
  Result<DeadlineSocket> connect(const Address& address);
  Result<HttpBody> ask(DeadlineSocket& socket, const Address& host, const PeerRequest& request,
                       std::size_t most);
  Result<std::string> read(HttpBody& body, const Address& host, std::uint64_t bytes);
  Error note(const Address& host, const Error& error);
  void count(const DeadlineSocket& socket) {
    bytes_out_ += socket.bytes_written();
    bytes_in_ += socket.bytes_read();
  }
  Result<ShowRequest> request_for(DeadlineSocket& socket, const std::vector<Entry>& entries);
  Result<HttpBody> prove(DeadlineSocket& socket, const Address& host, const ShowRequest& request);
  Result<std::vector<Shown>> show(DeadlineSocket& socket, const std::vector<Entry>& entries);
  Result<std::vector<Shown>> ask_once(const std::vector<Entry>& entries);

  AskerOptions options_;
  const Network* network_;
  const Identity* identity_;
  Veil veil_;
  Post post_;
  std::mutex mutex_;  // for all below but counters and threads
  std::condition_variable changed_;
  std::deque<Job> waiting_;
  std::map<Address, std::size_t> active_;
  KnownAddresses known_;
  std::stop_source stop_;
  std::condition_variable_any stopped_;
  std::atomic<std::uint64_t> asked_ = 0;
  std::atomic<std::uint64_t> failed_ = 0;
  std::atomic<std::uint64_t> skipped_ = 0;
  std::atomic<std::uint64_t> bytes_out_ = 0;
  std::atomic<std::uint64_t> bytes_in_ = 0;
  std::vector<std::thread> threads_;
};

void HttpAsker::Impl::enqueue(Job job) {
  std::unique_lock lock(mutex_);
  const bool silent = !known_.worth_asking(job.address, job.owner);
  if (silent || waiting_.size() >= options_.most_waiting) {
    lock.unlock();
    skip(job, silent);
    return;
  }
  waiting_.push_back(std::move(job));
  lock.unlock();
  changed_.notify_one();
}

// The first whose address is not asked by enough threads already.  Where an owner has not proved
// that it is there, one thread is enough: what comes of it decides whether others are to be asked.
std::deque<Job>::iterator HttpAsker::Impl::next_job() {
  return std::ranges::find_if(waiting_, [&](const Job& job) {
    const auto active = active_.find(job.address);
    return active == active_.end() ||
           (active->second < options_.most_of_one && known_.is_proven(job.address, job.owner));
  });
}

// Says why it is not asked.
void HttpAsker::Impl::skip(const Job& job, bool silent) {
  ++skipped_;
  Error error = silent ? Error{ErrorCode::kIo, "a peer gave no answer a moment ago"}
                       : Error{ErrorCode::kLimit, "too many peers are being asked"};
  post_([give_up = job.give_up, error = std::move(error)] { give_up(error); });
}

void HttpAsker::Impl::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    auto next = waiting_.end();
    changed_.wait(lock,
                  [&] { return stop_.stop_requested() || (next = next_job()) != waiting_.end(); });
    if (stop_.stop_requested()) return;
    const Job job = std::move(*next);
    waiting_.erase(next);
    ++active_[job.address];
    // It may have waited while others found out that nobody is there.
    const bool silent = !known_.worth_asking(job.address, job.owner);
    lock.unlock();
    if (silent) {
      skip(job, silent);
    } else {
      job.run();
    }
    lock.lock();
    if (--active_[job.address] == 0) active_.erase(job.address);
    changed_.notify_one();  // somebody may have waited for this address
  }
}

Result<DeadlineSocket> HttpAsker::Impl::connect(const Address& address) {
  ++asked_;
  const Deadline now = std::chrono::steady_clock::now();
  auto socket = DeadlineSocket::connect(address, now + options_.connect_time, stop_.get_token());
  if (socket) {
    socket->set_deadline(now + options_.proof_time);
    return socket;
  }
  const std::scoped_lock lock(mutex_);
  known_.unreachable(address);
  return socket;
}

// Whoever does not speak HTTP, or not in time, is as good as unreachable.  Whoever closes the
// connection may have too many of them.
Error HttpAsker::Impl::note(const Address& host, const Error& error) {
  const std::scoped_lock lock(mutex_);
  if (error.code == ErrorCode::kIo) {
    known_.closed(host);
  } else {
    known_.unreachable(host);
  }
  return error;
}

Result<HttpBody> HttpAsker::Impl::ask(DeadlineSocket& socket, const Address& host,
                                      const PeerRequest& request, std::size_t most) {
  auto answer = http_ask(socket, host, target_of(request), most);
  if (!answer) return note(host, answer.error());
  if (answer->status() != 200) return refusal(answer->status());
  return answer;
}

Result<std::string> HttpAsker::Impl::read(HttpBody& body, const Address& host,
                                          std::uint64_t bytes) {
  auto read = body.read(bytes);
  if (!read) return note(host, read.error());
  return read;
}

Result<ShowRequest> HttpAsker::Impl::request_for(DeadlineSocket& socket,
                                                 const std::vector<Entry>& entries) {
  ShowRequest request{.owner = entries.front().owner};
  if (RAND_bytes(request.nonce.data(), static_cast<int>(request.nonce.size())) != 1) {
    return Error{ErrorCode::kIo, "there are no random numbers to ask with"};
  }
  for (const Entry& wanted : entries) request.resources.push_back(wanted.resource);
  if (!options_.sign) return request;
  const Address& host = entries.front().address;
  SignedAsker& asker = request.asker.emplace();
  asker.key = identity_->public_key();
  TWINSIFT_TRY(HttpBody body, ask(socket, host, TicketRequest{}, asker.ticket.size()));
  TWINSIFT_TRY(const std::string ticket, read(body, host, asker.ticket.size()));
  std::ranges::copy(ticket, asker.ticket.begin());
  asker.signature = identity_->sign(asking_message(*network_, request));
  return request;
}

// What follows the proof.
Result<HttpBody> HttpAsker::Impl::prove(DeadlineSocket& socket, const Address& host,
                                        const ShowRequest& request) {
  TWINSIFT_TRY(HttpBody body, ask(socket, host, request, kMostAnswered));
  if (body.left() < kProofBytes) {
    return Error{ErrorCode::kCorrupt, "a peer's answer has no proof"};
  }
  TWINSIFT_TRY(const std::string proof, read(body, host, kProofBytes));
  TWINSIFT_TRY([[maybe_unused]] const auto proved, check_proof(proof, *network_, request));
  return body;
}

// An owner that has no room for a question just now is asked again.
Result<std::vector<Shown>> HttpAsker::Impl::ask_owner(const std::vector<Entry>& entries) {
  const Entry& entry = entries.front();
  for (unsigned tries = 1;; ++tries) {
    auto shown = ask_once(entries);
    const bool busy = !shown && shown.error().code == ErrorCode::kIo;
    std::unique_lock lock(mutex_);
    if (!busy || tries == kMostTries || !known_.worth_asking(entry.address, entry.owner)) {
      return shown;
    }
    stopped_.wait_for(lock, stop_.get_token(), tries * kPause, [] { return false; });
    if (stop_.stop_requested()) return shown;
  }
}

Result<std::vector<Shown>> HttpAsker::Impl::ask_once(const std::vector<Entry>& entries) {
  TWINSIFT_TRY(DeadlineSocket socket, connect(entries.front().address));
  auto shown = show(socket, entries);
  count(socket);
  return shown;
}

// Until the owner has proved that it is there, no more than its proof is read.
Result<std::vector<Shown>> HttpAsker::Impl::show(DeadlineSocket& socket,
                                                 const std::vector<Entry>& entries) {
  const Address& host = entries.front().address;
  const Deadline end = std::chrono::steady_clock::now() + options_.answer_time;
  auto request = request_for(socket, entries);
  auto body = request ? prove(socket, host, *request) : Result<HttpBody>(request.error());
  {
    const std::scoped_lock lock(mutex_);
    const bool answered = body || body.error().code == ErrorCode::kNotFound ||
                          body.error().code == ErrorCode::kCorrupt;
    if (body) known_.proven(host, entries.front().owner);
    if (!body && answered) known_.unproven(host);
  }
  if (!body) return body.error();
  socket.set_deadline(end);
  TWINSIFT_TRY(const std::string covered, read(*body, host, body->left()));
  TWINSIFT_TRY(const std::string bytes, veil_.uncover(covered));
  return read_shown(bytes, request->resources);
}

Result<std::string> HttpAsker::Impl::ask_report(const Address& address, std::uint64_t version) {
  TWINSIFT_TRY(DeadlineSocket socket, connect(address));
  auto body = ask(socket, address, ReportRequest{version}, kMostReportBytes + Veil::kOverhead);
  const auto covered =
      body ? read(*body, address, body->left()) : Result<std::string>(body.error());
  count(socket);
  if (!covered) return covered.error();
  return veil_.uncover(*covered);
}

HttpAsker::HttpAsker(const AskerOptions& options, const Network& network, const Identity& identity,
                     Post post)
    : impl_(std::make_unique<Impl>(options, network, identity, std::move(post))) {}
HttpAsker::~HttpAsker() = default;
AskerStatus HttpAsker::status() const { return impl_->status(); }

void HttpAsker::fetch(const std::vector<Entry>& entries,
                      std::function<void(std::vector<Shown>)> done) {
  // Without an answer, all have the same error.
  const auto each = [count = entries.size(),
                     done = std::move(done)](Result<std::vector<Shown>> answer) {
    done(answer ? *std::move(answer)
                : std::vector<Shown>(count, Result<Representation>(answer.error())));
  };
  impl_->add<std::vector<Shown>>(
      entries.front().address, entries.front().owner, each,
      [impl = impl_.get(), entries] { return impl->ask_owner(entries); });
}

void HttpAsker::report(const Address& address, std::uint64_t version,
                       std::function<void(Result<std::string>)> done) {
  impl_->add<std::string>(
      address, PublicKey{}, std::move(done),
      [impl = impl_.get(), address, version] { return impl->ask_report(address, version); });
}

}  // namespace twinsift::net
