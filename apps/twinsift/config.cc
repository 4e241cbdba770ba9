// SPDX-License-Identifier: Apache-2.0
// twinsift config: what is set outside of the command line, and by whom.
#include <algorithm>

#include <fmt/format.h>

#include "base/escape.h"
#include "commands.h"
#include "help.h"
#include "json.h"
#include "output.h"
#include "settings.h"
#include "signals.h"
#include "toml.h"
#include "values.h"

namespace twinsift::cli {
namespace {

using Names = std::map<std::string_view, Effective>;
struct Topic {
  const Command* command = nullptr;
  Names set{};
};

// As TOML has it.
std::string toml_value(const Effective& one) {
  const Option& option = *one.option;
  if (option.name == "json") return "\"json\"";
  if (option.kind == Kind::kFlag) return one.values.empty() ? "false" : "true";
  if (option.repeats) {
    std::string list;
    for (const std::string& value : one.values) {
      list += (list.empty() ? "" : ", ") + toml_string(value);
    }
    return "[" + list + "]";
  }
  const std::string& value = one.values.front();
  switch (option.kind) {
    case Kind::kShare:
      return fmt::format("{}", parse_share(value).value_or(0));
    case Kind::kCount:
      return fmt::format("{}", parse_count(value).value_or(0));
    case Kind::kNumber:
      return fmt::format("{}", parse_number(value).value_or(0));
    default:
      return toml_string(value);
  }
}

std::string origins_of(const Effective& one) {
  std::string text;
  for (std::size_t i = 0; i < one.origins.size(); ++i) {
    const bool again = i > 0 && one.origins[i] == one.origins[i - 1];
    if (!again) text += (i == 0 ? "" : ", ") + one.origins[i];
  }
  return text;
}

std::string line_of(std::string_view name, const Effective& one, bool origin) {
  return fmt::format("{} = {}{}{}\n", name, toml_value(one), origin ? "  # " : "",
                     origin ? origins_of(one) : "");
}

// The options of a command that can be set and are not.
std::vector<std::string_view> unset(const Topic& topic) {
  std::vector<std::string_view> names;
  for (const Option& option : kOptions) {
    const bool settable = (option.commands & topic.command->bit) != 0 &&
                          option.trust != Trust::kTyped && option.name != "json";
    if (settable && !topic.set.contains(option.name)) names.push_back(option.name);
  }
  return names;
}

// Whether every command that has the option says the same, so that it can stand above all tables.
// Not if a command has that name: it could not have a table then.
bool is_common(std::string_view name, const Effective& one, std::span<const Topic> topics) {
  if (find_command(name) != nullptr) return false;
  return std::ranges::all_of(topics, [&](const Topic& topic) {
    const bool has = std::ranges::any_of(kOptions, [&](const Option& option) {
      return option.name == name && (option.commands & topic.command->bit) != 0;
    });
    const auto found = topic.set.find(name);
    return !has || (found != topic.set.end() && found->second.values == one.values &&
                    found->second.origins == one.origins);
  });
}

std::string as_text(std::span<const Topic> topics, bool origin) {
  const bool all = topics.size() > 1;
  std::map<std::string_view, std::string> common;
  std::string tables;
  for (const Topic& topic : topics) {
    std::string lines;
    for (const auto& [name, one] : topic.set) {
      if (all && is_common(name, one, topics)) {
        common[name] = line_of(name, one, origin);
      } else {
        lines += line_of(name, one, origin);
      }
    }
    if (origin && !all) {
      for (const std::string_view name : unset(topic))
        lines += fmt::format("# {}  # default\n", name);
    }
    if (!lines.empty()) tables += fmt::format("\n[{}]\n{}", topic.command->name, lines);
  }
  std::string out;
  for (const auto& [name, line] : common) out += line;
  if (out.empty() && !tables.empty()) tables.erase(0, 1);
  return out + tables;
}

std::string as_json(std::span<const Topic> topics, bool origin) {
  JsonArray commands;
  for (const Topic& topic : topics) {
    JsonArray options;
    const auto add = [&](std::string_view name, const JsonArray& values, const JsonArray& origins) {
      JsonObject option;
      option.text("name", name).raw("values", values.str()).raw("origins", origins.str());
      options.add(option.str());
    };
    for (const auto& [name, one] : topic.set) {
      JsonArray values;
      JsonArray origins;
      const bool flag = one.option->kind == Kind::kFlag && one.option->name != "json";
      if (flag) values.add_text(one.values.empty() ? "false" : "true");
      for (const std::string& value : one.values) {
        if (!flag) values.add_text(one.option->name == "json" ? "json" : value);
      }
      for (const std::string& where : one.origins) origins.add_text(where);
      add(name, values, origins);
    }
    if (origin && topics.size() == 1) {
      JsonArray by_default;
      by_default.add_text("default");
      for (const std::string_view name : unset(topic)) add(name, {}, by_default);
    }
    JsonObject command;
    command.text("command", topic.command->name).raw("options", options.str());
    commands.add(command.str());
  }
  JsonObject out;
  out.number("v", 1).text("type", "config").raw("commands", commands.str());
  return out.str() + "\n";
}

Result<std::vector<Topic>> topics_of(const Arguments& args) {
  std::vector<Topic> topics;
  std::vector<std::string_view> known;
  for (const Command& command : kCommands) {
    if ((command.bit & kConfigured) == 0) continue;
    known.push_back(command.name);
    const bool wanted = args.operands().empty() || args.operands()[0] == command.name;
    if (wanted) topics.push_back({&command});
  }
  if (!topics.empty()) return topics;
  const std::string& word = args.operands()[0];
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("'{}' is not a command that can be configured{}",
                           escape_for_terminal(word), did_you_mean(word, known))};
}

Result<std::string> describe(const Arguments& args) {
  TWINSIFT_TRY(std::vector<Topic> topics, topics_of(args));
  std::vector<std::string> told;  // before this command began
  TWINSIFT_TRY(std::vector<Layer> layers, file_layers(args, told));
  layers.insert(layers.begin(), Layer{});
  for (Topic& topic : topics) {
    TWINSIFT_TRY(layers.front(), environment(*topic.command, Arguments(*topic.command)));
    topic.set = resolve(*topic.command, layers);
  }
  const bool origin = args.flag("show-origin");
  return args.text("format", "text") == "json" ? as_json(topics, origin) : as_text(topics, origin);
}

}  // namespace

int run_config(const Arguments& args) {
  Console console(false, false);
  const SignalWatch signals([] {});
  const auto text = describe(args);
  if (!text) return fail(console, text.error());
  auto output = Output::open("-");
  if (!output) return fail(console, output.error());
  output->write(*text);
  const Status done = output->finish();
  return done ? kDone : fail(console, done.error());
}

}  // namespace twinsift::cli
