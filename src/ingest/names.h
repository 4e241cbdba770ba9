// SPDX-License-Identifier: Apache-2.0
// What names mean to the walk: which are left out, and which are names of the same file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ingest/walk.h"

namespace twinsift {

// An argument without trailing slashes, double slashes and `.` segments.  A leading "./" stays
// (so that "-rf" below "." is not taken for an option by what reads the report), and so does
// `..`, which means something else behind a link.
std::string clean_argument(std::string_view argument);

// True for names that are never looked at: version control, trash, our own files, and hidden
// ones unless `hidden`.
bool is_left_out_by_name(std::string_view name, bool hidden);

// True for the freedesktop.org trash folder, which has an innocent name.
bool is_trash(std::string_view path);

// Makes one entry of all that are the same file: the name from the first argument, rather no
// link, then the smallest, is its path, the others are its links.  One directory entry that was
// reached in two ways is one name.  Sorts by path.
void merge_names(std::vector<FileEntry>& files);

}  // namespace twinsift
