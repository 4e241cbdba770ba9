// SPDX-License-Identifier: Apache-2.0
#include "net/show_protocol.h"

#include <algorithm>
#include <charconv>

#include "net/byte_text.h"
#include "net/hex.h"

namespace twinsift::net {
namespace {

constexpr std::string_view kPrefix = "/twinsift/1/";
constexpr std::size_t kMostWords = 6;

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};

// The words between the strokes; one too many at most.
std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (words.size() < kMostWords) {
    const std::size_t stroke = text.find('/');
    words.push_back(text.substr(0, stroke));
    if (stroke == std::string_view::npos) break;
    text.remove_prefix(stroke + 1);
  }
  return words;
}

std::optional<PeerRequest> parse_prove(const std::vector<std::string_view>& words) {
  if (words.size() != 3) return std::nullopt;
  const auto owner = from_digits<32>(words[1]);
  const auto nonce = from_digits<16>(words[2]);
  if (!owner || !nonce) return std::nullopt;
  return ProveRequest{*owner, *nonce};
}

// Nothing if there are none, too many, or one of them twice.
std::vector<ResourceId> parse_resources(std::string_view digits) {
  constexpr std::size_t kDigits = 2 * std::tuple_size_v<ResourceId>;
  if (digits.size() % kDigits != 0 || digits.size() > kMostTogether * kDigits) return {};
  std::vector<ResourceId> resources;
  for (; !digits.empty(); digits.remove_prefix(kDigits)) {
    const auto resource = from_digits<16>(digits.substr(0, kDigits));
    if (!resource || std::ranges::find(resources, *resource) != resources.end()) return {};
    resources.push_back(*resource);
  }
  return resources;
}

std::optional<PeerRequest> parse_show(const std::vector<std::string_view>& words) {
  if (words.size() != 3 && words.size() != 5) return std::nullopt;
  std::vector<ResourceId> resources = parse_resources(words[1]);
  const auto ticket = from_digits<16>(words[2]);
  if (resources.empty() || !ticket) return std::nullopt;
  ShowRequest request{.resources = std::move(resources), .ticket = *ticket};
  if (words.size() == 3) return request;
  const auto key = from_digits<32>(words[3]);
  const auto signature = from_digits<64>(words[4]);
  if (!key || !signature) return std::nullopt;
  request.asker = SignedAsker{*key, *signature};
  return request;
}

std::optional<PeerRequest> parse_report(const std::vector<std::string_view>& words) {
  if (words.size() != 2 || words[1].empty()) return std::nullopt;
  std::uint64_t version = 0;
  const char* end = words[1].data() + words[1].size();
  const auto read = std::from_chars(words[1].data(), end, version);
  const bool canonical = words[1] == "0" || words[1].front() != '0';
  if (read.ec != std::errc{} || read.ptr != end || !canonical) return std::nullopt;
  return ReportRequest{version};
}

}  // namespace

std::string target_of(const PeerRequest& request) {
  const auto words = Overloaded{
      [](const ProveRequest& r) {
        return "prove/" + to_digits(r.owner) + '/' + to_digits(r.nonce);
      },
      [](const ShowRequest& r) {
        std::string text = "show/";
        for (const ResourceId& resource : r.resources) text += to_digits(resource);
        text += '/' + to_digits(r.ticket);
        if (r.asker) text += '/' + to_digits(r.asker->key) + '/' + to_digits(r.asker->signature);
        return text;
      },
      [](const ReportRequest& r) { return "report/" + std::to_string(r.version); },
      [](const HelloRequest&) { return std::string("hello"); },
  };
  return std::string(kPrefix) + std::visit(words, request);
}

Result<PeerRequest> parse_target(std::string_view target) {
  std::optional<PeerRequest> request;
  if (target.starts_with(kPrefix)) {
    const auto words = words_of(target.substr(kPrefix.size()));
    if (words.front() == "prove") request = parse_prove(words);
    if (words.front() == "show") request = parse_show(words);
    if (words.front() == "report") request = parse_report(words);
    if (words.front() == "hello" && words.size() == 1) request = HelloRequest{};
  }
  if (!request) return Error{ErrorCode::kCorrupt, "this is no question to a peer"};
  return *request;
}

std::string encode(const Proof& proof) {
  std::string out;
  put_bytes(proof.signature, out);
  put_bytes(proof.ticket, out);
  return out;
}

Result<Proof> open_proof(std::string_view bytes, const Network& network,
                         const ProveRequest& request) {
  ByteReader reader(bytes);
  Proof proof;
  proof.signature = reader.bytes<Signature>();
  proof.ticket = reader.bytes<Ticket>();
  if (!reader.at_end() ||
      !verify(request.owner, proof_message(network, request), proof.signature)) {
    return Error{ErrorCode::kCorrupt, "the address of an entry is not its owner's"};
  }
  return proof;
}

std::string proof_message(const Network& network, const ProveRequest& request) {
  std::string message = "twinsift proof 2";
  put_bytes(network.configuration_key(0), message);
  put_bytes(request.owner, message);
  put_bytes(request.nonce, message);
  return message;
}

std::string asking_message(const Network& network, const PublicKey& owner,
                           std::span<const ResourceId> resources, const Ticket& ticket) {
  std::string message = "twinsift asking 2";
  put_bytes(network.configuration_key(0), message);
  put_bytes(owner, message);
  put_bytes(ticket, message);
  for (const ResourceId& resource : resources) put_bytes(resource, message);
  return message;
}

}  // namespace twinsift::net
