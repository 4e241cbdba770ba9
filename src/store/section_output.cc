// SPDX-License-Identifier: Apache-2.0
#include "store/section_output.h"

#include "base/crc32c.h"
#include "store/bytes.h"

namespace twinsift {

Status ByteQueue::append(std::string_view bytes) {
  buffer_ += bytes;
  if (buffer_.size() <= memory_) return ok();
  TWINSIFT_TRY([[maybe_unused]] auto spilled, file_.append(as_bytes(buffer_)));
  spilled_ += buffer_.size();
  buffer_.clear();
  return ok();
}

Result<SectionOutput> SectionOutput::create(const std::string& path, const FileHeader& header) {
  TWINSIFT_TRY(auto file, AtomicFile::create(path));
  SectionOutput output(std::move(file));
  TWINSIFT_TRY([[maybe_unused]] auto done, output.put(encode_file_header(header)));
  return output;
}

Status SectionOutput::put(std::string_view bytes) {
  offset_ += bytes.size();
  return file_->write(bytes);
}

Status SectionOutput::begin(SectionName name, std::uint32_t detector, std::uint32_t flags) {
  TWINSIFT_TRY([[maybe_unused]] auto ended, end_section());
  sections_.push_back({.name = name,
                       .detector = detector,
                       .offset = offset_,
                       .first_crc = static_cast<std::uint32_t>(crcs_.size()),
                       .flags = flags});
  return ok();
}

// Fills up to where the next section may begin.
Status SectionOutput::end_section() {
  if (!sections_.empty() && sections_.back().length % kCheckedBlock != 0) {
    crcs_.push_back(std::exchange(crc_, 0));
  }
  const std::uint64_t over = offset_ % kSectionAlignment;
  return over == 0 ? ok() : put(std::string(kSectionAlignment - over, '\0'));
}

Status SectionOutput::write(std::string_view bytes) {
  std::uint64_t& length = sections_.back().length;
  while (!bytes.empty()) {
    const std::uint64_t room = kCheckedBlock - length % kCheckedBlock;
    const std::string_view piece = bytes.substr(0, room);
    crc_ = crc32c(as_bytes(piece), crc_);
    length += piece.size();
    if (length % kCheckedBlock == 0) crcs_.push_back(std::exchange(crc_, 0));
    TWINSIFT_TRY([[maybe_unused]] auto done, put(piece));
    bytes.remove_prefix(piece.size());
  }
  return ok();
}

Status SectionOutput::write(ByteQueue& queue) {
  return queue.drain([this](std::string_view piece) { return write(piece); });
}

Status SectionOutput::finish() {
  TWINSIFT_TRY([[maybe_unused]] auto ended, end_section());
  std::string table;
  for (const Section& section : sections_) {
    table.append(section.name.begin(), section.name.end());
    append(table, section.detector);
    append(table, section.offset);
    append(table, section.length);
    append(table, section.first_crc);
    append(table, section.flags);
  }
  for (const std::uint32_t crc : crcs_) append(table, crc);
  const std::uint32_t crc = crc32c(as_bytes(table));
  append(table, offset_);
  append(table, static_cast<std::uint32_t>(sections_.size()));
  append(table, static_cast<std::uint32_t>(crcs_.size()));
  append(table, crc);
  table += kTrailerMagic;
  append(table, std::uint16_t{0});
  TWINSIFT_TRY([[maybe_unused]] auto written, put(table));
  return file_->commit();
}

}  // namespace twinsift
