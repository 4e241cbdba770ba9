// SPDX-License-Identifier: Apache-2.0
// XML as a stream of events, by libxml2, with everything dangerous left out: no DTD is loaded,
// nothing is fetched, and a document that declares entities is refused, for the formats read
// here never do and the "billion laughs" always does.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "media/decoder/decoders.h"
#include "twinsift/result.h"

namespace twinsift {

class XmlAttributes {
 public:
  XmlAttributes(const unsigned char** fields, int count) : fields_(fields), count_(count) {}
  // By local name; empty if there is none.
  [[nodiscard]] std::string get(std::string_view name) const;

 private:
  const unsigned char** fields_;
  int count_;
};

// Names are local names: the formats here have no two elements that only a namespace tells
// apart.
class XmlHandler {
 public:
  virtual ~XmlHandler() = default;
  virtual void start(std::string_view name, const XmlAttributes& attributes) = 0;
  virtual void end(std::string_view /*name*/) {}
  virtual void text(std::string_view /*utf8*/) {}
};

class XmlParser {
 public:
  explicit XmlParser(XmlHandler& handler);
  ~XmlParser();
  XmlParser(const XmlParser&) = delete;
  XmlParser& operator=(const XmlParser&) = delete;

  Status feed(Bytes bytes);
  Status finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace twinsift
