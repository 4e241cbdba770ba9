// SPDX-License-Identifier: Apache-2.0
// Numbers as bytes of a message, little-endian, and back: every format of the network is made and
// read with these.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace twinsift::net {

template <class T>
void put_number(T number, std::string& out) {
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    out.push_back(static_cast<char>(static_cast<std::uint64_t>(number) >> (8 * i) & 0xFFU));
  }
}

template <class Bytes>
void put_bytes(const Bytes& bytes, std::string& out) {
  out.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

// Takes numbers from the front of a message.  Reading beyond the end gives zeros and is
// remembered.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  T number() {
    std::uint64_t number = 0;
    const std::string_view bytes = take(sizeof(T));
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      number |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
    }
    return static_cast<T>(number);
  }
  double real() { return std::bit_cast<double>(number<std::uint64_t>()); }

  template <class Bytes>
  Bytes bytes() {
    Bytes out{};
    const std::string_view from = take(out.size());
    std::ranges::copy(from, out.begin());  // of nothing, too, which memcpy may not be given
    return out;
  }

  [[nodiscard]] bool at_end() const { return ok_ && rest_.empty(); }
  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] std::string_view rest() const { return rest_; }

 private:
  std::string_view take(std::size_t size) {
    if (rest_.size() < size) {
      ok_ = false;
      return {};
    }
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace twinsift::net
