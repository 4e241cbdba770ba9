// SPDX-License-Identifier: Apache-2.0
// Real peers on loopback, each with a collection and a folder for its state.
#pragma once

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include <simdjson.h>

#include "command.h"

namespace twinsift::cli {

// A field of a line of JSON; empty if it is not there.
inline std::string field(const std::string& json, std::string_view name) {
  simdjson::dom::parser parser;
  simdjson::dom::element value;
  if (parser.parse(json).at_key(name).get(value) != simdjson::SUCCESS) return {};
  std::string_view text;
  return value.get(text) == simdjson::SUCCESS ? std::string(text) : simdjson::to_string(value);
}

class PeerTest : public CommandTest {
 protected:
  ~PeerTest() override {
    for (const std::string& name : running_) {
      [[maybe_unused]] const Outcome stopped = run({"peer", "stop", "--state", name});
    }
  }

  // A collection of `count` texts of which the seeds begin at `first`.
  void collect(const std::string& name, std::uint64_t first, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      write(name + "-texts/deep/text" + std::to_string(first + i) + ".txt",
            random_text(first + i, 300));
    }
    expect({"index", "build", "--index", name, name + "-texts"}, 0);
  }

  Words start_words(const std::string& name, const Words& more = {}) const {
    Words words = {"peer", "start",    "--background", "--state", name + "-state", "--collection",
                   name,   "--period", "20s",          "--rate",  "500",           "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  // Starts one; its address.
  std::string start(const std::string& name, const Words& more = {}) {
    const Outcome outcome = expect(start_words(name, more), 0);
    running_.push_back(name + "-state");
    return field(outcome.out, "address");
  }
  std::string status(const std::string& name, std::string_view what) const {
    return field(run({"peer", "status", "--json", "--state", name + "-state"}).out, what);
  }
  // Until all labels of a peer were published.
  void wait_published(const std::string& name) const {
    for (int i = 0; i < 300; ++i) {
      const std::string json = run({"peer", "status", "--json", "--state", name + "-state"}).out;
      const std::string labels = field(json, "labels");
      if (!labels.empty() && labels != "0" && field(json, "labels_waiting") == "0" &&
          std::stoul("0" + field(json, "labels_published")) >= std::stoul(labels)) {
        return;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    ADD_FAILURE() << name << " has not published everything";
  }

  std::vector<std::string> running_;
};

}  // namespace twinsift::cli
