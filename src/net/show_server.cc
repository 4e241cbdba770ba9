// SPDX-License-Identifier: Apache-2.0
#include "net/show_server.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>

#include <fmt/format.h>
#include <httplib.h>

#include "net/bounded_stream.h"
#include "net/connection_queue.h"
#include "net/show_desk.h"
#include "net/socket_address.h"

namespace twinsift::net {
namespace {

constexpr int kBacklog = 256;               // connections that wait for the thread that accepts
constexpr std::size_t kMostWaiting = 256;   // for one that answers
constexpr std::size_t kMostCallers = 4096;  // whose rates are known
constexpr std::size_t kMostRequests = 4;    // of one connection

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Counters {
  std::atomic<std::uint64_t> proofs = 0;
  std::atomic<std::uint64_t> shown = 0;
  std::atomic<std::uint64_t> refused = 0;
  std::atomic<std::uint64_t> bytes_in = 0;
  std::atomic<std::uint64_t> bytes_out = 0;
};

std::string host_of(const Address& address) {
  const std::string text = to_text(address);
  const std::string host = text.substr(0, text.rfind(':'));
  return host.starts_with('[') ? host.substr(1, host.size() - 2) : host;
}

}  // namespace

// cpp-httplib reads requests and writes answers; who may connect, for how long, and what is
// answered is decided here.
class ShowServer::Impl final : public httplib::Server {
 public:
  Impl(const ShowOptions& options, ShowDesk desk)
      : options_(options), desk_(std::move(desk)), rates_(options.rate, kMostCallers) {
    // Not SO_REUSEPORT, which is httplib's own choice: two peers would share one port.
    set_socket_options([](socket_t socket) {
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    // Nothing is routed, and no body is ever read.
    set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      answer(request, response);
      return HandlerResponse::Handled;
    });
    new_task_queue = [this] { return new ConnectionQueue(options_.threads, kMostWaiting); };
  }

  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() override {
    {
      // Whoever is being answered need not be waited for.
      const std::scoped_lock lock(mutex_);
      for (const auto& [ip, guests] : guests_) {
        for (const Guest& guest : guests) ::shutdown(guest.stream->socket(), SHUT_RDWR);
      }
      stopping_ = true;
    }
    stop();
    if (accepting_.joinable()) accepting_.join();
  }

  Status start() {
    const std::string host = host_of(options_.listen);
    errno = 0;
    const bool bound = options_.listen.port == 0 ? bind_to_any_port(host) > 0
                                                 : bind_to_port(host, options_.listen.port);
    if (!bound) {
      const int error = errno == 0 ? EADDRNOTAVAIL : errno;
      return Error{ErrorCode::kIo,
                   fmt::format("{}: {}", to_text(options_.listen),
                               error == EADDRINUSE ? "this port is in use by another program"
                                                   : std::strerror(error))};
    }
    ::listen(svr_sock_, kBacklog);  // again: httplib's queue of 5 would be full at once
    address_ = local_address(svr_sock_);
    accepting_ = std::thread([this] { listen_after_bind(); });
    while (!is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return ok();
  }

  [[nodiscard]] Address address() const { return address_; }
  [[nodiscard]] ShowStatus status() const {
    return {counters_.proofs, counters_.shown, counters_.refused, counters_.bytes_in,
            counters_.bytes_out};
  }

 private:
  // A connection that has one of the places of its address.
  struct Guest {
    const BoundedStream* stream = nullptr;
    bool sent_away = false;
  };

  // Gives a place.  If an address has all of its places, whoever of it has been longest without a
  // request must go: so those who are slow cannot keep out those who are not.
  bool enter(const Address& caller, BoundedStream& stream) {
    const std::scoped_lock lock(mutex_);
    if (stopping_) return false;
    auto& guests = guests_[caller.ip];
    const auto has_place = [](const Guest& guest) { return !guest.sent_away; };
    if (static_cast<std::size_t>(std::ranges::count_if(guests, has_place)) >=
        options_.most_of_one) {
      const auto slowest = std::ranges::find_if(
          guests, [&](const Guest& guest) { return has_place(guest) && guest.stream->reading(); });
      if (slowest == guests.end()) return false;
      slowest->sent_away = true;
      ++counters_.refused;
      ::shutdown(slowest->stream->socket(), SHUT_RDWR);
    }
    guests.push_back({.stream = &stream});
    return true;
  }
  void leave(const Address& caller, const BoundedStream& stream) {
    const std::scoped_lock lock(mutex_);
    const auto found = guests_.find(caller.ip);
    if (found == guests_.end()) return;
    std::erase_if(found->second, [&](const Guest& guest) { return guest.stream == &stream; });
    if (found->second.empty()) guests_.erase(found);
  }
  bool within_rate(const Address& caller, std::size_t count) {
    const std::scoped_lock lock(mutex_);
    return rates_.take(caller.ip, seconds_now(), static_cast<double>(count));
  }

  bool process_and_close_socket(socket_t socket) override {
    const Address caller = remote_address(socket);
    BoundedStream stream(Fd(socket), options_.request_time, options_.answer_time);
    const bool full = ConnectionQueue::is_full();
    if (full || !enter(caller, stream)) {
      ++counters_.refused;
      if (!full) leave(caller, stream);
      return false;
    }
    bool closed = false;
    for (std::size_t i = 1; i <= kMostRequests && !closed; ++i) {
      stream.begin_request();
      // Ranges could make a long answer of a short one.
      const auto without_ranges = [](httplib::Request& request) { request.ranges.clear(); };
      if (!process_request(stream, i == kMostRequests, closed, without_ranges)) break;
    }
    counters_.bytes_in += stream.bytes_read();
    counters_.bytes_out += stream.bytes_written();
    leave(caller, stream);
    return true;
  }

  void answer(const httplib::Request& request, httplib::Response& response) {
    const bool ipv6 = request.remote_addr.find(':') != std::string::npos;
    const auto caller = parse_address(fmt::format("{}{}{}:{}", ipv6 ? "[" : "", request.remote_addr,
                                                  ipv6 ? "]" : "", request.remote_port));
    const Reply reply = caller ? reply_to(request, *caller) : Reply{400};
    response.status = reply.status;
    if (reply.status != 200) ++counters_.refused;
    counters_.shown += reply.shown;
    response.set_content(reply.body, "application/octet-stream");
  }

  Reply reply_to(const httplib::Request& request, const Address& caller) {
    if (!within_rate(caller, 1)) return {429};
    if (request.method != "GET") return {405};
    const auto asked = parse_target(request.target);
    if (!asked) return {400};
    // A list is no way around the rate: the shelf is read for each resource.
    const auto* show = std::get_if<ShowRequest>(&*asked);
    if (show != nullptr && !within_rate(caller, show->resources.size() - 1)) return {429};
    Reply reply = desk_.answer(*asked, caller, seconds_now());
    if (reply.status == 200 && show != nullptr) ++counters_.proofs;
    return reply;
  }

  ShowOptions options_;
  ShowDesk desk_;
  Address address_{};
  Counters counters_;
  std::mutex mutex_;  // for those below, but the thread
  RateLimiter<std::array<std::uint8_t, 16>> rates_;
  std::map<std::array<std::uint8_t, 16>, std::vector<Guest>> guests_;  // the first came first
  bool stopping_ = false;
  std::thread accepting_;
};

ShowServer::ShowServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ShowServer::~ShowServer() = default;
Address ShowServer::address() const { return impl_->address(); }
ShowStatus ShowServer::status() const { return impl_->status(); }

Result<std::unique_ptr<ShowServer>> ShowServer::start(const ShowOptions& options,
                                                      const Network& network,
                                                      const Identity& identity, const Shelf& shelf,
                                                      Sources sources) {
  TWINSIFT_TRY(ShowDesk desk, ShowDesk::make(network, identity, shelf, options.allowed,
                                             std::move(sources.report), std::move(sources.hello)));
  auto impl = std::make_unique<Impl>(options, std::move(desk));
  TWINSIFT_TRY([[maybe_unused]] const auto started, impl->start());
  return std::unique_ptr<ShowServer>(new ShowServer(std::move(impl)));
}

}  // namespace twinsift::net
