// SPDX-License-Identifier: Apache-2.0
#include "question.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "input.h"
#include "run/open_item.h"
#include "run/run.h"
#include "twinsift/media.h"

namespace twinsift::cli {
namespace {

constexpr std::uint64_t kMost = std::uint64_t{1} << 30U;  // bytes of an item that is no file

using Media = std::vector<std::unique_ptr<MediaType>>;

Result<std::vector<net::ContentSet>> sets_of(const MediaType* medium, const Input& input) {
  if (medium == nullptr) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("{}: is neither text nor a picture nor a recording", input.uri)};
  }
  const auto description = medium->extract(input);
  if (!description) {
    return Error{description.error().code,
                 fmt::format("{}: {}", input.uri, description.error().message)};
  }
  if (description->features.empty()) return std::vector<net::ContentSet>{};
  return net::content_sets(medium->spec(), view_of(description->features.front()));
}

}  // namespace

Result<std::vector<net::ContentSet>> question_sets(const std::string& item,
                                                   const std::vector<std::string>& specs,
                                                   const std::stop_token& stop) {
  TWINSIFT_TRY(const Media media, make_media_types(media_options_of(specs)));
  std::error_code error;
  if (std::filesystem::is_regular_file(item, error)) {
    TWINSIFT_TRY(OpenItem opened, OpenItem::open(item, media));
    TWINSIFT_TRY(const Input input, opened.input(stop));
    return sets_of(opened.medium(), input);
  }
  TWINSIFT_TRY(const std::string bytes, read_input(item, stop, kMost));
  const Input input{.uri = input_name(item), .bytes = std::as_bytes(std::span(bytes))};
  const auto head = input.bytes.first(std::min(input.bytes.size(), FileReader::kHead));
  const auto medium =
      std::ranges::find_if(media, [&](const auto& type) { return type->recognises(head); });
  return sets_of(medium == media.end() ? nullptr : medium->get(), input);
}

}  // namespace twinsift::cli
