// SPDX-License-Identifier: Apache-2.0
#include "media/decoder/xml.h"

#include <cstring>
#include <new>

#include <fmt/format.h>
#include <libxml/parser.h>

namespace twinsift {
namespace {

std::string_view view(const xmlChar* text) { return reinterpret_cast<const char*>(text); }

}  // namespace

std::string XmlAttributes::get(std::string_view name) const {
  for (int i = 0; i < count_; ++i) {
    const unsigned char** field = fields_ + 5 * i;  // name, prefix, URI, begin and end of value
    if (view(field[0]) == name) return {field[3], field[4]};
  }
  return "";
}

struct XmlParser::State {
  explicit State(XmlHandler& receiver) : handler(receiver) {}

  // Exceptions must not pass through libxml2.
  template <class Call>
  static void guarded(void* context, const Call& call) {
    auto& state = *static_cast<State*>(context);
    try {
      call(state.handler);
    } catch (const std::bad_alloc&) {
      state.error = Error{ErrorCode::kLimit, "memory limit"};
      xmlStopParser(state.parser.get());
    }
  }
  static void start_element(void* context, const xmlChar* name, const xmlChar* /*prefix*/,
                            const xmlChar* /*uri*/, int /*namespaces*/,
                            const xmlChar** /*namespace_list*/, int attributes, int /*defaulted*/,
                            const xmlChar** attribute_list) {
    guarded(context, [&](XmlHandler& to) {
      to.start(view(name), XmlAttributes(attribute_list, attributes));
    });
  }
  static void end_element(void* context, const xmlChar* name, const xmlChar* /*prefix*/,
                          const xmlChar* /*uri*/) {
    guarded(context, [&](XmlHandler& to) { to.end(view(name)); });
  }
  static void characters(void* context, const xmlChar* text, int size) {
    guarded(context, [&](XmlHandler& to) {
      to.text({reinterpret_cast<const char*>(text), static_cast<std::size_t>(size)});
    });
  }
  static void refuse_entity(void* context, const xmlChar* /*name*/, int /*type*/,
                            const xmlChar* /*public_id*/, const xmlChar* /*system_id*/,
                            xmlChar* /*content*/) {
    auto& state = *static_cast<State*>(context);
    state.error = Error{ErrorCode::kCorrupt, "damaged: XML that declares entities is refused"};
    xmlStopParser(state.parser.get());
  }

  XmlHandler& handler;
  std::unique_ptr<xmlParserCtxt, decltype(&xmlFreeParserCtxt)> parser{nullptr, &xmlFreeParserCtxt};
  Error error = {ErrorCode::kCorrupt, ""};
};

XmlParser::XmlParser(XmlHandler& handler) : state_(std::make_unique<State>(handler)) {
  xmlSAXHandler sax = {};
  sax.initialized = XML_SAX2_MAGIC;
  sax.startElementNs = State::start_element;
  sax.endElementNs = State::end_element;
  sax.characters = State::characters;
  sax.cdataBlock = State::characters;
  sax.ignorableWhitespace = State::characters;
  sax.entityDecl = State::refuse_entity;
  state_->parser.reset(xmlCreatePushParserCtxt(&sax, state_.get(), nullptr, 0, nullptr));
  if (state_->parser) {
    xmlCtxtUseOptions(state_->parser.get(), XML_PARSE_NONET | XML_PARSE_NOERROR |
                                                XML_PARSE_NOWARNING | XML_PARSE_COMPACT);
  }
}

// A document type declaration makes libxml2 begin a tree that nobody asked for.
XmlParser::~XmlParser() {
  if (state_->parser) xmlFreeDoc(state_->parser->myDoc);
}

Status XmlParser::feed(Bytes bytes) {
  if (!state_->parser) return Error{ErrorCode::kLimit, "memory limit"};
  const int code = xmlParseChunk(state_->parser.get(), reinterpret_cast<const char*>(bytes.data()),
                                 static_cast<int>(bytes.size()), bytes.empty() ? 1 : 0);
  if (!state_->error.message.empty()) return state_->error;
  if (state_->parser->wellFormed != 0) return ok();
  return Error{code == XML_ERR_NO_MEMORY ? ErrorCode::kLimit : ErrorCode::kCorrupt,
               fmt::format("damaged XML (libxml2 error {})", code)};
}

Status XmlParser::finish() { return feed({}); }

}  // namespace twinsift
