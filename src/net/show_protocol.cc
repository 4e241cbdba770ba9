// SPDX-License-Identifier: Apache-2.0
#include "net/show_protocol.h"

#include <algorithm>
#include <charconv>

#include "net/byte_text.h"
#include "net/hex.h"

namespace twinsift::net {
namespace {

constexpr std::string_view kPrefix = "/twinsift/2/";
constexpr std::size_t kMostWords = 8;

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
  if (words.size() != 4 && words.size() != 7) return std::nullopt;
  const auto owner = from_digits<32>(words[1]);
  const auto nonce = from_digits<16>(words[2]);
  std::vector<ResourceId> resources = parse_resources(words[3]);
  if (!owner || !nonce || resources.empty()) return std::nullopt;
  ShowRequest request{.owner = *owner, .nonce = *nonce, .resources = std::move(resources)};
  if (words.size() == 4) return request;
  const auto ticket = from_digits<16>(words[4]);
  const auto key = from_digits<32>(words[5]);
  const auto signature = from_digits<64>(words[6]);
  if (!ticket || !key || !signature) return std::nullopt;
  request.asker = SignedAsker{*ticket, *key, *signature};
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

std::optional<PeerRequest> parse_words(const std::vector<std::string_view>& words) {
  if (words.front() == "show") return parse_show(words);
  if (words.front() == "report") return parse_report(words);
  if (words.front() == "ticket" && words.size() == 1) return TicketRequest{};
  if (words.front() == "hello" && words.size() == 1) return HelloRequest{};
  return std::nullopt;
}

// Of known length but for the resources, whose number is said.
void put_question(const Network& network, const ShowRequest& request, std::string& message) {
  put_bytes(network.configuration_key(0), message);
  put_bytes(request.owner, message);
  put_bytes(request.nonce, message);
  put_number(static_cast<std::uint8_t>(request.resources.size()), message);
  for (const ResourceId& resource : request.resources) put_bytes(resource, message);
}

// What the owner signs.
std::string proof_message(const Network& network, const ShowRequest& request) {
  std::string message = "twinsift proof 3";
  put_question(network, request, message);
  return message;
}

}  // namespace

std::string target_of(const PeerRequest& request) {
  const auto words = Overloaded{
      [](const ShowRequest& r) {
        std::string text = "show/" + to_digits(r.owner) + '/' + to_digits(r.nonce) + '/';
        for (const ResourceId& resource : r.resources) text += to_digits(resource);
        if (!r.asker) return text;
        return text + '/' + to_digits(r.asker->ticket) + '/' + to_digits(r.asker->key) + '/' +
               to_digits(r.asker->signature);
      },
      [](const TicketRequest&) { return std::string("ticket"); },
      [](const ReportRequest& r) { return "report/" + std::to_string(r.version); },
      [](const HelloRequest&) { return std::string("hello"); },
  };
  return std::string(kPrefix) + std::visit(words, request);
}

Result<PeerRequest> parse_target(std::string_view target) {
  if (target.starts_with(kPrefix)) {
    if (auto request = parse_words(words_of(target.substr(kPrefix.size())))) {
      return *std::move(request);
    }
  }
  return Error{ErrorCode::kCorrupt, "this is no question to a peer"};
}

std::string make_proof(const Network& network, const Identity& owner, const ShowRequest& request) {
  std::string proof;
  put_bytes(owner.sign(proof_message(network, request)), proof);
  return proof;
}

Status check_proof(std::string_view bytes, const Network& network, const ShowRequest& request) {
  ByteReader reader(bytes);
  const auto signature = reader.bytes<Signature>();
  if (!reader.at_end() || !verify(request.owner, proof_message(network, request), signature)) {
    return Error{ErrorCode::kCorrupt, "the address of an entry is not its owner's"};
  }
  return ok();
}

std::string asking_message(const Network& network, const ShowRequest& request) {
  std::string message = "twinsift asking 3";
  put_question(network, request, message);
  put_bytes(request.asker->ticket, message);
  put_bytes(request.asker->key, message);
  return message;
}

}  // namespace twinsift::net
