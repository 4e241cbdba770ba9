// SPDX-License-Identifier: Apache-2.0
// Error and Result<T>: how every twinsift call that can fail says so.
//
// Result<T> is the part of C++23's std::expected<T, Error> that twinsift needs, under the
// same names, so that it can become an alias one day.  It exists because g++ 12 has
// std::expected only under -std=c++23 (and without and_then), while clang 14, which runs
// our fuzzers and clang-tidy, does not see it in any mode.
#pragma once

#include <cassert>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace twinsift {

enum class ErrorCode : std::uint8_t {
  kInvalidArgument,  // the caller's option or value makes no sense
  kNotFound,         // a named file or item does not exist
  kUnsupported,      // well-formed, but not something this build can handle
  kCorrupt,          // bytes that cannot be decoded
  kIo,               // the operating system said no
  kLimit,            // decoding was stopped by a limit on time, memory or size
  kCancelled,        // the user stopped the run
};

struct Error {
  ErrorCode code = ErrorCode::kInvalidArgument;
  std::string message;  // one sentence: which file or option, what is wrong, what to do
};

template <class T>
class [[nodiscard]] Result {
 public:
  // NOLINTBEGIN(google-explicit-constructor): `return value;` and `return Error{...};`
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}
  // NOLINTEND(google-explicit-constructor)

  [[nodiscard]] bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  // Require: has_value().
  [[nodiscard]] T& operator*() & { return *checked(std::get_if<0>(&state_)); }
  [[nodiscard]] const T& operator*() const& { return *checked(std::get_if<0>(&state_)); }
  [[nodiscard]] T&& operator*() && { return std::move(*checked(std::get_if<0>(&state_))); }
  [[nodiscard]] T* operator->() { return checked(std::get_if<0>(&state_)); }
  [[nodiscard]] const T* operator->() const { return checked(std::get_if<0>(&state_)); }

  // Requires: !has_value().
  [[nodiscard]] const Error& error() const { return *checked(std::get_if<1>(&state_)); }

 private:
  template <class P>
  static P* checked(P* p) {
    assert(p != nullptr);
    return p;
  }
  std::variant<T, Error> state_;
};

using Status = Result<std::monostate>;
inline Status ok() { return std::monostate{}; }

}  // namespace twinsift

// Binds the value of a Result, or returns its Error from the enclosing function:
//   TWINSIFT_TRY(auto features, media.extract(input));
#define TWINSIFT_TRY(declaration, expression) \
  TWINSIFT_TRY_IMPL(declaration, expression, TWINSIFT_JOIN(twinsift_try_, __LINE__))
#define TWINSIFT_TRY_IMPL(declaration, expression, temp) \
  auto temp = (expression);                              \
  if (!temp) return temp.error();                        \
  declaration = *std::move(temp)
#define TWINSIFT_JOIN(a, b) TWINSIFT_JOIN_IMPL(a, b)
#define TWINSIFT_JOIN_IMPL(a, b) a##b
