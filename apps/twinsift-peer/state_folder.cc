// SPDX-License-Identifier: Apache-2.0
#include "state_folder.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "base/file.h"

namespace twinsift::cli {
namespace {

constexpr std::string_view kHeader = "twinsift nodes 1";
constexpr std::size_t kMostBytes = 16384;

// "listened 127.0.0.1:4222": the address, if the line begins with the word.
std::optional<net::Address> address_after(std::string_view word, std::string_view line) {
  if (!line.starts_with(word)) return std::nullopt;
  const auto address = net::parse_address(line.substr(word.size()));
  return address ? std::optional(*address) : std::nullopt;
}

}  // namespace

std::string encode(const KnownNodes& nodes) {
  std::string text = std::string(kHeader) + "\nlistened " + net::to_text(nodes.listened) + '\n';
  for (std::size_t i = 0; i < std::min(nodes.nodes.size(), kMostKnownNodes); ++i) {
    text += "node " + net::to_text(nodes.nodes[i]) + '\n';
  }
  return text + "end\n";
}

std::optional<KnownNodes> decode_nodes(std::string_view text) {
  std::istringstream lines{std::string(text)};
  std::string line;
  KnownNodes nodes;
  if (!std::getline(lines, line) || line != kHeader || !std::getline(lines, line)) return {};
  const auto listened = address_after("listened ", line);
  if (!listened) return std::nullopt;
  nodes.listened = *listened;
  while (std::getline(lines, line) && line != "end") {
    const auto node = address_after("node ", line);
    if (!node || nodes.nodes.size() == kMostKnownNodes) return std::nullopt;
    nodes.nodes.push_back(*node);
  }
  if (line != "end" || text != encode(nodes)) return std::nullopt;
  return nodes;
}

Result<StateFolder> StateFolder::open(const std::string& path) {
  std::error_code error;
  const auto parent = std::filesystem::path(path).parent_path();
  if (!parent.empty()) std::filesystem::create_directories(parent, error);
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return errno_error(path, errno);
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return errno_error(path, errno);
  if (!S_ISDIR(info.st_mode)) return errno_error(path, ENOTDIR);
  return StateFolder(path);
}

Status StateFolder::lock() {
  const std::string name = path_ + "/lock";
  lock_ = Fd(::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock_) return errno_error(name, errno);
  if (::flock(lock_.get(), LOCK_EX | LOCK_NB) == 0) return ok();
  if (errno != EWOULDBLOCK) return errno_error(name, errno);
  return Error{ErrorCode::kIo, path_ +
                                   ": a peer is running with this folder already; 'twinsift peer "
                                   "stop' ends it, --state names another folder"};
}

KnownNodes StateFolder::nodes() const {
  std::ifstream file(path_ + "/nodes", std::ios::binary);
  std::string text(kMostBytes, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return decode_nodes(text).value_or(KnownNodes{});
}

Status StateFolder::save(const KnownNodes& nodes) const {
  TWINSIFT_TRY(const auto file, AtomicFile::create(path_ + "/nodes"));
  TWINSIFT_TRY([[maybe_unused]] const auto written, file->write(encode(nodes)));
  return file->commit();
}

}  // namespace twinsift::cli
