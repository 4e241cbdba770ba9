// SPDX-License-Identifier: Apache-2.0
// A connection as cpp-httplib reads requests from it, with an end to everything: the bytes of a
// request, the time until it has come, and the time of all of it.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <string>

#include <httplib.h>

#include "net/deadline_socket.h"
#include "net/socket_address.h"

namespace twinsift::net {

class BoundedStream final : public httplib::Stream {
 public:
  static constexpr std::size_t kMostRequestBytes = 2048;

  BoundedStream(Fd fd, std::chrono::milliseconds request_time, std::chrono::milliseconds all_time)
      : end_(std::chrono::steady_clock::now() + all_time),
        request_time_(request_time),
        socket_(std::move(fd), end_) {}

  // Counts bytes and time anew.
  void begin_request() {
    left_ = kMostRequestBytes;
    reading_ = true;
    socket_.set_deadline(std::min(end_, std::chrono::steady_clock::now() + request_time_));
  }

  [[nodiscard]] bool is_readable() const override { return true; }
  [[nodiscard]] bool is_writable() const override { return true; }

  // httplib reads a byte at a time.
  ssize_t read(char* out, std::size_t size) override {
    if (begin_ == end_of_buffer_) {
      const auto count = socket_.read(buffer_);
      if (!count || *count == 0) return count ? 0 : -1;
      begin_ = 0;
      end_of_buffer_ = *count;
      bytes_read_ += *count;
    }
    const std::size_t taken = std::min({size, end_of_buffer_ - begin_, left_});
    if (taken == 0) return -1;
    std::memcpy(out, buffer_.data() + begin_, taken);
    begin_ += taken;
    left_ -= taken;
    return static_cast<ssize_t>(taken);
  }

  ssize_t write(const char* bytes, std::size_t size) override {
    reading_ = false;
    socket_.set_deadline(end_);
    if (!socket_.write({bytes, size})) return -1;
    bytes_written_ += size;
    return static_cast<ssize_t>(size);
  }

  void get_remote_ip_and_port(std::string& ip, int& port) const override {
    split(remote_address(socket_.fd()), ip, port);
  }
  void get_local_ip_and_port(std::string& ip, int& port) const override {
    split(local_address(socket_.fd()), ip, port);
  }
  [[nodiscard]] socket_t socket() const override { return socket_.fd(); }

  // Whether a request is still awaited.  Any thread may ask.
  [[nodiscard]] bool reading() const { return reading_; }
  [[nodiscard]] std::uint64_t bytes_read() const { return bytes_read_; }
  [[nodiscard]] std::uint64_t bytes_written() const { return bytes_written_; }

 private:
  static void split(const Address& address, std::string& ip, int& port) {
    const std::string text = to_text(address);
    ip = text.substr(0, text.rfind(':'));
    if (ip.starts_with('[')) ip = ip.substr(1, ip.size() - 2);
    port = address.port;
  }

  Deadline end_;
  std::chrono::milliseconds request_time_;
  DeadlineSocket socket_;
  std::array<char, kMostRequestBytes> buffer_{};
  std::size_t begin_ = 0;
  std::size_t end_of_buffer_ = 0;
  std::size_t left_ = 0;  // of the bytes that this request may have
  std::atomic<bool> reading_ = true;
  std::uint64_t bytes_read_ = 0;
  std::uint64_t bytes_written_ = 0;
};

}  // namespace twinsift::net
