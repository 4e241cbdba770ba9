// SPDX-License-Identifier: Apache-2.0
// twinsift-decoder: reads documents for twinsift in a process of its own.
#include <clocale>

#include <libxml/parser.h>

#include "media/decoder/decoders.h"
#include "media/decoder_process.h"

namespace twinsift {
namespace {

Result<DecodedDocument> decode(const DocumentQuestion& question, Bytes bytes) {
  switch (question.kind) {
    case DocumentKind::kPdf:
      return decode_pdf(bytes, question.text);
    case DocumentKind::kZip:
      return decode_zip(bytes, question.text);
    case DocumentKind::kHtml:
      return decode_html(bytes, question.text);
    case DocumentKind::kRtf:
      return decode_rtf(bytes, question.text);
    case DocumentKind::kNone:
      break;
  }
  return Error{ErrorCode::kInvalidArgument, "no such kind of document"};
}

Result<Parts> answer(const Question& question, Bytes bytes) {
  TWINSIFT_TRY(DecodedDocument document, decode(question.as<DocumentQuestion>(), bytes));
  return to_parts(std::move(document));
}

}  // namespace
}  // namespace twinsift

int main() {
  std::setlocale(LC_CTYPE, "C.UTF-8");  // names of archive entries
  xmlInitParser();
  return twinsift::serve_decoder("twinsift-decoder", twinsift::answer);
}
