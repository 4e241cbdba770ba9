// SPDX-License-Identifier: Apache-2.0
#include "settings.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "base/escape.h"
#include "help.h"
#include "toml.h"
#include "values.h"

namespace twinsift::cli {
namespace {

using Values = std::vector<std::string>;
using Rows = std::vector<const Option*>;

Error wrong(std::string message) { return {ErrorCode::kInvalidArgument, std::move(message)}; }

// The rows that can be meant by a name, for commands that can be configured.
Rows rows_of(std::string_view name, unsigned commands) {
  Rows rows;
  for (const Option& option : kOptions) {
    const bool meant = option.name == name && option.name != "help";
    if (meant && (option.commands & commands & kConfigured) != 0) rows.push_back(&option);
  }
  return rows;
}

// A path as the command can use it, wherever it is started.
Result<std::string> expand(const Option& option, const std::string& path, const ConfigFile& file) {
  if (option.kind != Kind::kFile && option.kind != Kind::kFolder) return path;
  if (path.starts_with('/') || (path == "-" && option.kind == Kind::kFile)) return path;
  if (path == "~" || path.starts_with("~/")) {
    const std::string home = home_folder();
    if (home.empty()) return wrong("there is no home folder for the '~'");
    return home + path.substr(1);
  }
  if (file.folder.empty()) return wrong("in a file for all folders a path begins with / or ~/");
  return file.folder + path;
}

// What type of value an option takes, if it is not this one.
std::string_view type_complaint(const Option& option, TomlValue::Type type) {
  using Type = TomlValue::Type;
  switch (option.kind) {
    case Kind::kFlag:
      return type == Type::kBoolean ? "" : "true or false is needed";
    case Kind::kShare:
    case Kind::kCount:
    case Kind::kNumber:
      return type == Type::kNumber ? "" : "a number is needed, without quotes";
    case Kind::kSize:
      return type == Type::kNumber || type == Type::kString
                 ? ""
                 : "a number is needed, or one with a unit in quotes, as in \"4G\"";
    default:
      break;
  }
  if (type == Type::kStrings && !option.repeats) return "one value is needed, not a list";
  return type == Type::kString || type == Type::kStrings ? "" : "a text in quotes is needed";
}

Result<Values> values_of(const Option& option, const TomlValue& value, const ConfigFile& file) {
  if (const std::string_view why = type_complaint(option, value.type); !why.empty()) {
    return wrong(std::string(why));
  }
  if (option.kind == Kind::kFlag) return value.words[0] == "true" ? Values{""} : Values{};
  Values values;
  for (const std::string& word : value.words) {
    if (const auto why = complaint(option, word)) {
      return wrong(fmt::format("'{}': {}", escape_for_terminal(word), *why));
    }
    TWINSIFT_TRY(values.emplace_back(), expand(option, word, file));
  }
  return values;
}

// For flags "1" and "0" are enough for scripts; the other words are what people try.
Result<Values> values_of(const Option& option, std::string_view text) {
  if (option.kind != Kind::kFlag) {
    if (const auto why = complaint(option, text)) return wrong(*why);
    return Values{std::string(text)};
  }
  if (text == "1" || text == "yes" || text == "true" || text == "on") return Values{""};
  if (text == "0" || text == "no" || text == "false" || text == "off") return Values{};
  return wrong("allowed are 1 and 0");
}

// Why a file of this trust may not set it, or nothing.
std::string refusal(const Option& option, Trust trust) {
  if (option.trust == Trust::kTyped) {
    return fmt::format("--{} must be typed each time; no file can say it", option.name);
  }
  if (option.trust <= trust) return "";
  return fmt::format(
      "a project's file cannot set it for '{}'; it belongs to your own file or on the command line",
      std::ranges::find_if(kCommands, [&](const Command& command) {
        return (command.bit & option.commands) != 0;
      })->name);
}

class FileCheck {
 public:
  explicit FileCheck(const ConfigFile& file) : file_(file) {}

  Result<Layer> run() {
    const auto toml = parse_toml(file_.text);
    if (!toml) return wrong(fmt::format("{}:{}", file_.name, toml.error().message));
    for (const TomlTable& table : toml->tables) {
      if (configured(table.name) == nullptr) return unknown_table(table);
    }
    for (const TomlEntry& entry : toml->entries) {
      TWINSIFT_TRY([[maybe_unused]] auto added, add(entry));
    }
    return std::move(layer_);
  }

 private:
  static const Command* configured(std::string_view name) {
    const Command* command = find_command(name);
    return command != nullptr && (command->bit & kConfigured) != 0 ? command : nullptr;
  }

  // A key above all tables holds for every command that has the option and takes the value: some
  // have formats or rules that others do not have.
  Status add(const TomlEntry& entry) {
    const unsigned commands = entry.table.empty() ? kConfigured : configured(entry.table)->bit;
    const Rows rows = rows_of(entry.key, commands);
    if (rows.empty()) return unknown_key(entry, commands);
    for (const Option* row : rows) {
      if (const auto why = refusal(*row, file_.trust); !why.empty()) return refused(entry, why);
    }
    std::string first;
    for (const Option* row : rows) {
      auto values = values_of(*row, entry.value, file_);
      if (!values && first.empty()) first = values.error().message;
      if (!values) continue;
      taken_ = true;
      if (row->name == "json" && values->empty()) continue;  // "not json" names no format
      layer_.push_back({row, row->commands & commands, *std::move(values),
                        fmt::format("{}:{}", file_.name, entry.line)});
    }
    return std::exchange(taken_, false) ? ok() : refused(entry, first);
  }

  [[nodiscard]] Status refused(const TomlEntry& entry, std::string_view why) const {
    return wrong(
        fmt::format("{}:{}: {}: {}", file_.name, entry.line, escape_for_terminal(entry.key), why));
  }

  [[nodiscard]] Status unknown_key(const TomlEntry& entry, unsigned commands) const {
    std::vector<std::string_view> known;
    for (const Option& option : kOptions) {
      const bool settable = option.trust != Trust::kTyped;
      if (settable && (option.commands & commands) != 0) known.push_back(option.name);
    }
    return wrong(fmt::format("{}:{}: unknown key '{}'{}{}", file_.name, entry.line,
                             escape_for_terminal(entry.key),
                             entry.table.empty() ? "" : fmt::format(" for '{}'", entry.table),
                             did_you_mean(entry.key, known)));
  }

  [[nodiscard]] Error unknown_table(const TomlTable& table) const {
    std::vector<std::string_view> known;
    for (const Command& command : kCommands) {
      if ((command.bit & kConfigured) != 0) known.push_back(command.name);
    }
    return wrong(fmt::format("{}:{}: [{}] is not a command that can be configured{}", file_.name,
                             table.line, escape_for_terminal(table.name),
                             did_you_mean(table.name, known)));
  }

  const ConfigFile& file_;
  Layer layer_;
  bool taken_ = false;  // somebody takes the value
};

}  // namespace

Result<Layer> check_file(const ConfigFile& file) { return FileCheck(file).run(); }

Result<Layer> environment(const Command& command, const Arguments& typed) {
  Layer layer;
  for (const Option& option : kOptions) {
    if ((option.commands & command.bit) == 0 || option.name == "help") continue;
    if (!option.adds_up && typed.given(known_as(option))) continue;
    const std::string name = variable(option);
    const char* found = std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe)
    if (found == nullptr || *found == '\0') continue;
    auto values = values_of(option, found);
    if (option.trust == Trust::kTyped) {
      if (values && values->empty()) continue;
      return wrong(fmt::format("{}: --{} must be typed each time; the environment cannot say it",
                               name, option.name));
    }
    if (!values) {
      const auto takes = [&](const Option* row) { return values_of(*row, found).has_value(); };
      if (std::ranges::any_of(rows_of(option.name, kConfigured), takes)) continue;
      return wrong(
          fmt::format("{} '{}': {}", name, escape_for_terminal(found), values.error().message));
    }
    const auto is_format = [](const Setting& one) { return one.option->name == "format"; };
    if (option.name == "json" && (values->empty() || std::ranges::any_of(layer, is_format))) {
      continue;
    }
    layer.push_back({&option, command.bit, *std::move(values), "environment " + name});
  }
  return layer;
}

Result<std::vector<Layer>> file_layers(const Arguments& typed, std::vector<std::string>& notes) {
  std::vector<Layer> layers;
  if ((typed.command().bit & kConfigured) == 0 || typed.flag("no-config")) return layers;
  const auto add = [&](const Result<std::optional<ConfigFile>>& file) -> Status {
    if (!file) return file.error();
    if (!*file) return ok();
    TWINSIFT_TRY(layers.emplace_back(), check_file(**file));
    return ok();
  };
  Status done = add(read_project_file(notes));
  if (done) done = add(read_user_file());
  if (done) return layers;
  return Error{done.error().code,
               done.error().message + "; mend the file, or go without by --no-config"};
}

std::map<std::string_view, Effective> resolve(const Command& command,
                                              std::span<const Layer> layers) {
  std::map<std::string_view, Effective> all;
  for (const Layer& layer : layers) {
    std::map<std::string_view, Effective> here;
    for (const Setting& setting : layer) {
      if ((setting.commands & command.bit) == 0) continue;
      Effective& one = here[known_as(*setting.option)];
      if (!setting.option->adds_up) one = {};
      one.option = setting.option;
      one.values.insert(one.values.end(), setting.values.begin(), setting.values.end());
      one.origins.resize(std::max<std::size_t>(one.values.size(), 1), setting.origin);
    }
    for (auto& [name, one] : here) {
      const auto [place, is_new] = all.try_emplace(name, one);
      if (is_new || !one.option->adds_up) continue;
      Effective& sum = place->second;
      if (sum.values.empty()) sum.origins.clear();
      sum.values.insert(sum.values.end(), one.values.begin(), one.values.end());
      if (!one.values.empty()) {
        sum.origins.insert(sum.origins.end(), one.origins.begin(), one.origins.end());
      }
    }
  }
  return all;
}

Status configure(Arguments& arguments, std::vector<std::string>& notes) {
  TWINSIFT_TRY(Layer surroundings, environment(arguments.command(), arguments));
  TWINSIFT_TRY(std::vector<Layer> layers, file_layers(arguments, notes));
  layers.insert(layers.begin(), std::move(surroundings));
  for (const auto& [name, one] : resolve(arguments.command(), layers)) {
    const bool open = one.option->adds_up || !arguments.given(name);
    if (open && !one.values.empty()) arguments.add(*one.option, one.values);
  }
  return ok();
}

}  // namespace twinsift::cli
