// SPDX-License-Identifier: Apache-2.0
// The fixed parts of the HTML report.  Nothing in them depends on a run: what was found stands
// in JSON islands and templates between kPageBody and the script, which renders it.
#pragma once

#include <string_view>

namespace twinsift {

extern const std::string_view kPageStyle;   // content of <style>
extern const std::string_view kPageBody;    // header, main and footer, still empty
extern const std::string_view kPageScript;  // content of <script>

extern const std::string_view kPictureStyle;   // more of both, for groups of pictures
extern const std::string_view kPictureScript;  // declares only: the page calls it

extern const std::string_view kRecordingStyle;  // and for groups of recordings
extern const std::string_view kRecordingScript;

}  // namespace twinsift
