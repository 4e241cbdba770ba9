// SPDX-License-Identifier: Apache-2.0
// Yuan, Wang, Peng, Zhang: near-duplicate documents by consistent weighted sampling and a filter.
#include "eval/paper_002.h"

#include <fmt/format.h>

#include "base/cancel.h"
#include "eval/competitors.h"
#include "eval/papers.h"
#include "eval/picture_weights.h"

namespace twinsift {
namespace paper_002 {

Status begin(const EvalOptions& options, std::string_view what) {
  if (options.stop.stop_requested()) return cancelled_error();
  if (options.progress) options.progress(what);
  return ok();
}

Result<EvalReport> evaluate(const EvalOptions& options, const Sizes& sizes) {
  EvalReport report{
      .paper =
          "Yuan, Wang, Peng, Zhang: Efficient Near-Duplicate Document Detection Using "
          "Consistent Weighted Sampling Filter, 2019",
      .data = {},
      .sections = {}};
  const auto add = [&](std::string_view what, auto&& measure) -> Status {
    TWINSIFT_TRY([[maybe_unused]] auto told, begin(options, what));
    TWINSIFT_TRY(EvalSection section, measure());
    report.sections.push_back(std::move(section));
    return ok();
  };
  // Their faults are told before anything is measured.
  TWINSIFT_TRY([[maybe_unused]] auto sketches, further_samplers(options, sizes));
  TWINSIFT_TRY([[maybe_unused]] auto filters, parse_filters(options.filters, kPaperComponents));
  TWINSIFT_TRY([[maybe_unused]] auto s1, add("table 1", table1));
  TWINSIFT_TRY([[maybe_unused]] auto s2, add("figure 5", [&] { return fig5(options, sizes); }));
  TWINSIFT_TRY([[maybe_unused]] auto s3, add("figure 6", fig6));
  TWINSIFT_TRY([[maybe_unused]] auto told, begin(options, "documents and pairs"));
  TWINSIFT_TRY(const Data data, make_data(options, sizes));
  report.data = data.description;
  TWINSIFT_TRY([[maybe_unused]] auto s4, add("figure 7", [&] { return fig7(data); }));
  TWINSIFT_TRY([[maybe_unused]] auto s5, add("figure 8", [&] { return fig8(data); }));
  TWINSIFT_TRY([[maybe_unused]] auto s6, add("figure 9", [&] { return fig9(data); }));
  TWINSIFT_TRY([[maybe_unused]] auto s7,
               add("figure 10", [&] { return fig10(options, sizes, data); }));
  TWINSIFT_TRY([[maybe_unused]] auto s8,
               add("sections 6.4 and 6.5", [&] { return scale(options, sizes, data); }));
  TWINSIFT_TRY([[maybe_unused]] auto s9, add("samplers", [&] { return samplers(options, sizes); }));
  TWINSIFT_TRY(const PictureBags bags, load_picture_bags(options, sizes.pictures));
  TWINSIFT_TRY([[maybe_unused]] auto s10,
               add("pictures", [&] { return measure_picture_weights(bags, options); }));
  report.data += fmt::format(" Pictures: {}.", bags.description);
  return report;
}

}  // namespace paper_002

Result<EvalReport> eval_paper_002(const EvalOptions& options) {
  paper_002::Sizes sizes;
  if (options.quick) {
    sizes = {.documents = 1000,
             .pairs = 1000,
             .exact_pairs = 2000,
             .sampler_pairs = 200,
             .sampler_k = 256,
             .pictures = 300,
             .sample_queries = 10};
  }
  return paper_002::evaluate(options, sizes);
}

}  // namespace twinsift
