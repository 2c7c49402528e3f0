// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/unique_fd.hpp"
#include "space/address_range.hpp"
#include "space/pages.hpp"

#include <cstdint>
#include <map>
#include <mutex>

namespace sode::internal {

/// The shared memory of a machine: this rank's part of it, and what of the others' it has opened.
///
/// A stray store must fault, and not change what another rank computes. So what this rank has not allocated, and what it has not
/// opened of the others, cannot be accessed; and between parts lie addresses with nothing behind them.
///
/// Core dumps hold this rank's own arrays and nothing else: to dump the rest would write every neighbour's arrays once more for
/// each rank, and would make the kernel fill the holes of a file that is as large as the machine's memory times the number of
/// ranks.
class segment_pages final : public pages {
public:
    /// `file` is made of equal parts of `part` bytes; part `own` is this rank's. Errors: environment, if it cannot be mapped.
    segment_pages(unique_fd file, std::uint64_t parts, std::uint64_t part, std::uint64_t own);

    [[nodiscard]] std::byte* base() const noexcept override { return part(own_); }
    [[nodiscard]] std::byte* part(std::uint64_t index) const noexcept { return memory_.base() + index * (part_ + gap_) + gap_; }
    /// Lets this process access [offset, offset + bytes) of another part. Errors: environment.
    void open(std::uint64_t index, std::uint64_t offset, std::uint64_t bytes);
    void give_back(std::uint64_t offset, std::uint64_t bytes) noexcept override;

private:
    void back(std::uint64_t offset, std::uint64_t bytes) override;
    [[nodiscard]] std::int64_t file_offset(std::uint64_t offset) const noexcept {
        return static_cast<std::int64_t>(own_ * part_ + offset);
    }

    unique_fd file_;
    void map(std::uint64_t index);

    std::uint64_t part_;
    std::uint64_t gap_ = 0;
    address_range memory_; ///< a gap, a part, a gap, ..., a gap
    std::uint64_t own_;
    std::uint64_t huge_; ///< bytes of a huge page; 0: not to be had
    std::uint64_t unit_; ///< what is opened at once, so that huge pages stay whole
    std::mutex lock_;    ///< of what follows: managers of kernels open, too
    std::map<std::uint64_t, std::map<std::uint64_t, std::uint64_t>> opened_; ///< of each part that is: where ranges begin and end
};

} // namespace sode::internal
