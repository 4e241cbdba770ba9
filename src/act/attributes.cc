// SPDX-License-Identifier: Apache-2.0
#include "act/attributes.h"

#include <algorithm>
#include <cerrno>

#include <sys/xattr.h>

namespace twinsift {

Attributes attributes_of(int fd) {
  Attributes found;
  const ssize_t length = ::flistxattr(fd, nullptr, 0);
  if (length <= 0) return found;
  std::string names(static_cast<std::size_t>(length), '\0');
  const ssize_t got = ::flistxattr(fd, names.data(), names.size());
  if (got <= 0) return found;
  names.resize(static_cast<std::size_t>(got));
  for (std::size_t begin = 0; begin < names.size();) {
    const std::string name = names.c_str() + begin;
    begin += name.size() + 1;
    const ssize_t size = ::fgetxattr(fd, name.c_str(), nullptr, 0);
    if (size < 0) continue;
    std::string value(static_cast<std::size_t>(size), '\0');
    const ssize_t read = ::fgetxattr(fd, name.c_str(), value.data(), value.size());
    if (read < 0) continue;
    value.resize(static_cast<std::size_t>(read));
    found.emplace_back(name, std::move(value));
  }
  return found;
}

int set_attributes(int fd, const Attributes& wanted) {
  const Attributes present = attributes_of(fd);
  for (const auto& [name, value] : present) {
    if (std::ranges::find(wanted, name, &Attributes::value_type::first) != wanted.end()) continue;
    // One attribute may be another one's shadow, as ACLs are on XFS, and be gone with it.
    if (::fremovexattr(fd, name.c_str()) != 0 && errno != ENODATA) return errno;
  }
  for (const auto& attribute : wanted) {
    if (std::ranges::find(present, attribute) != present.end()) continue;
    const auto& [name, value] = attribute;
    if (::fsetxattr(fd, name.c_str(), value.data(), value.size(), 0) != 0) return errno;
  }
  return 0;
}

}  // namespace twinsift
