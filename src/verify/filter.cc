// SPDX-License-Identifier: Apache-2.0
#include "verify/filter.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "verify/bayes.h"
#include "verify/cws_filter.h"
#include "verify/goph.h"
#include "verify/hoph_filter.h"

namespace twinsift {
namespace {

constexpr std::uint32_t kMostComponents = 65536;  // as many as a sketch can have

struct ModeName {
  std::string_view name;
  FilterMode mode;
};

// What may be said about a filter, and how its table is made.  The task has been checked.
struct Entry {
  std::string_view name;
  FilterKind kind;
  std::array<ModeName, 2> modes;
  bool has_error, has_groups, has_ratio;
  std::uint32_t default_groups;
  Result<EarlyStopTable> (*make)(const FilterOptions&, const FilterTask&);
};

Error bad_task(std::string message) { return {ErrorCode::kInvalidArgument, std::move(message)}; }

Result<EarlyStopTable> make_group_sequential(const FilterOptions& options, const FilterTask& task) {
  GroupSequentialOptions gs{.k = task.k,
                            .threshold_permille = task.threshold_permille,
                            .looks = task.looks,
                            .alpha_reject = options.error,
                            .alpha_accept = options.error,
                            .code_bits = task.code_bits,
                            .bound_last = options.mode == FilterMode::kDefault};
  if (gs.looks.empty()) {
    for (std::uint32_t bins = 32; bins < task.k; bins *= 2) gs.looks.push_back(bins);
  }
  return options.mode == FilterMode::kFull ? group_sequential_full(gs) : group_sequential_true(gs);
}

Status check_groups(const FilterOptions& options, const FilterTask& task) {
  if (task.k % options.groups == 0) return ok();
  std::uint32_t nearest = std::min(options.groups, task.k);
  while (task.k % nearest != 0) --nearest;
  return bad_task(fmt::format("{}: {} components cannot be cut into {} equal groups; try groups={}",
                              filter_spec(options), task.k, options.groups, nearest));
}

Result<EarlyStopTable> make_goph(const FilterOptions& options, const FilterTask& task) {
  TWINSIFT_TRY([[maybe_unused]] const auto checked, check_groups(options, task));
  return goph_table(task, {.groups = options.groups,
                           .error = options.error,
                           .exact_tail = options.mode == FilterMode::kExact});
}

Result<EarlyStopTable> make_hoph(const FilterOptions& options, const FilterTask& task) {
  TWINSIFT_TRY([[maybe_unused]] const auto checked, check_groups(options, task));
  const HophFilterOptions hoph{
      .a = options.ratio_a, .b = options.ratio_b, .groups = options.groups, .error = options.error};
  const std::uint32_t group = task.k / options.groups;
  if (hoph_integer_weights(hoph, group).empty()) {
    return bad_task(
        fmt::format("{}: the weights of so many groups are too unlike; take fewer groups",
                    filter_spec(options)));
  }
  if (!task.looks.empty()) {
    bool fits = task.looks.size() == options.groups - 1;
    for (std::size_t i = 0; fits && i < task.looks.size(); ++i) {
      fits = task.looks[i] == (i + 1) * group;
    }
    if (!fits) {
      return bad_task(
          fmt::format("{}: groups of {} components have different weights, so each of "
                      "them must end at a look; the looks are {}",
                      filter_spec(options), group, fmt::join(task.looks, "/")));
    }
  }
  return hoph_table(task, hoph);
}

Result<EarlyStopTable> make_cws(const FilterOptions& options, const FilterTask& task) {
  return cws_table(task, options.error);
}

Result<EarlyStopTable> make_bayes(const FilterOptions& options, const FilterTask& task) {
  return bayes_table(task, options.error);
}

Result<EarlyStopTable> make_none(const FilterOptions& /*options*/, const FilterTask& task) {
  return full_table(task);
}

// In the order of FilterKind.
constexpr std::array kFilters = {
    Entry{"gs1",
          FilterKind::kGroupSequential,
          {{{"full", FilterMode::kFull}, {"true", FilterMode::kTrue}}},
          true,
          false,
          false,
          10,
          make_group_sequential},
    Entry{"goph1",
          FilterKind::kGoph,
          {{{"exact", FilterMode::kExact}, {}}},
          true,
          true,
          false,
          10,
          make_goph},
    Entry{"hoph1", FilterKind::kHoph, {}, true, true, true, 8, make_hoph},
    Entry{"cws1", FilterKind::kCws, {}, true, false, false, 10, make_cws},
    Entry{"bayes1", FilterKind::kBayes, {}, true, false, false, 10, make_bayes},
    Entry{"none", FilterKind::kNone, {}, false, false, false, 10, make_none},
};

const Entry& entry_of(FilterKind kind) { return kFilters[static_cast<std::size_t>(kind)]; }

Error bad_spec(std::string_view spec, std::string_view why) {
  return {ErrorCode::kInvalidArgument,
          fmt::format("\"{}\" is not a filter: {}; try gs1 or cws1:error=1e-5", spec, why)};
}

template <class Number>
bool parse_number(std::string_view text, Number& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}

bool parse_count(std::string_view text, std::uint32_t& out) {
  return parse_number(text, out) && out >= 1 && out <= kMostComponents;
}

// What an item says something about: two of one spec may not be about the same.
std::string_view subject_of(const Entry& entry, std::string_view item) {
  const auto is_item = [item](const ModeName& mode) { return mode.name == item; };
  return std::ranges::any_of(entry.modes, is_item) ? "the mode" : item.substr(0, item.find('='));
}

// One item of a spec: a mode or key=value.  Returns what is wrong with it, or nothing.
std::string parse_item(const Entry& entry, std::string_view item, FilterOptions& options) {
  for (const ModeName& mode : entry.modes) {
    if (mode.name.empty() || item != mode.name) continue;
    options.mode = mode.mode;
    return {};
  }
  const std::size_t equals = std::min(item.find('='), item.size());
  const std::string_view key = item.substr(0, equals);
  const std::string_view value = item.substr(std::min(item.size(), equals + 1));
  if (key == "error" && entry.has_error) {
    const bool good =
        parse_number(value, options.error) && options.error >= 0 && options.error < .5;
    return good ? "" : "error is a number from 0 to less than 0.5";
  }
  if (key == "groups" && entry.has_groups) {
    return parse_count(value, options.groups) ? "" : "groups is a whole number from 1 to 65536";
  }
  if (key == "ratio" && entry.has_ratio) {
    const std::size_t colon = std::min(value.find(':'), value.size());
    const bool good = parse_count(value.substr(0, colon), options.ratio_a) &&
                      parse_count(value.substr(std::min(value.size(), colon + 1)), options.ratio_b);
    return good ? "" : "ratio is of the form 1:2";
  }
  return fmt::format("unknown \"{}\"", item);
}

Status check_task(const FilterTask& task) {
  if (task.k == 0 || task.k > kMostComponents) {
    return bad_task(
        fmt::format("a filter compares 1 to {} components, not {}", kMostComponents, task.k));
  }
  if (task.threshold_permille > 1000) {
    return bad_task(fmt::format("the threshold is {} thousandths, but it must be at most 1000",
                                task.threshold_permille));
  }
  if (task.code_bits == 0) return bad_task("codes need at least one bit");
  const bool ascending =
      std::ranges::adjacent_find(task.looks, std::ranges::greater_equal{}) == task.looks.end();
  if (!ascending || (!task.looks.empty() && (task.looks[0] == 0 || task.looks.back() >= task.k))) {
    return bad_task(fmt::format("the looks must ascend from 1 to {}, but they are {}", task.k - 1,
                                fmt::join(task.looks, "/")));
  }
  return ok();
}

}  // namespace

Result<FilterOptions> parse_filter(std::string_view spec) {
  const std::string_view name = spec.substr(0, spec.find(':'));
  for (const Entry& entry : kFilters) {
    if (entry.name != name) continue;
    FilterOptions options{.kind = entry.kind, .groups = entry.default_groups};
    std::vector<std::string_view> given;
    std::string_view rest = spec.substr(std::min(spec.size(), name.size() + 1));
    while (!rest.empty()) {
      const std::string_view item = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(rest.size(), item.size() + 1));
      const std::string why = parse_item(entry, item, options);
      if (!why.empty()) return bad_spec(spec, why);
      const std::string_view subject = subject_of(entry, item);
      if (std::ranges::find(given, subject) != given.end()) {
        return bad_spec(spec, fmt::format("{} is given twice", subject));
      }
      given.push_back(subject);
    }
    return options;
  }
  std::string known;
  for (const Entry& entry : kFilters) known += fmt::format(" {}", entry.name);
  return bad_spec(spec, fmt::format("the known ones are{}", known));
}

std::string filter_spec(const FilterOptions& options) {
  const Entry& entry = entry_of(options.kind);
  std::string items;
  for (const ModeName& mode : entry.modes) {
    if (!mode.name.empty() && mode.mode == options.mode) items += fmt::format(",{}", mode.name);
  }
  if (entry.has_ratio) items += fmt::format(",ratio={}:{}", options.ratio_a, options.ratio_b);
  if (entry.has_groups) items += fmt::format(",groups={}", options.groups);
  if (entry.has_error) items += fmt::format(",error={}", options.error);
  if (!items.empty()) items[0] = ':';
  return std::string(entry.name) + items;
}

std::uint32_t whole_groups(const FilterOptions& options, std::uint32_t k) {
  const bool grouped = options.kind == FilterKind::kGoph || options.kind == FilterKind::kHoph;
  return grouped ? (k + options.groups - 1) / options.groups * options.groups : k;
}

Result<EarlyStopTable> make_filter(const FilterOptions& options, const FilterTask& task) {
  TWINSIFT_TRY([[maybe_unused]] const auto checked, check_task(task));
  return entry_of(options.kind).make(options, task);
}

}  // namespace twinsift
