// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace sode::xmp {

/// Consecutive bytes of a file.
struct file_run {
    std::int64_t offset, bytes;
};

/// What a node sees of a file: everything from a displacement on, or runs of bytes, one after another.
class file_view {
public:
    explicit file_view(std::int64_t displacement = 0) : displacement_(displacement) {}
    file_view(std::int64_t displacement, std::vector<file_run> runs);

    [[nodiscard]] bool whole() const { return whole_; }
    /// The runs that bytes at <= k < at + count of the view are.
    [[nodiscard]] std::vector<file_run> runs(std::int64_t at, std::int64_t count) const;
    /// Where byte `at` of the view lies in the file.
    [[nodiscard]] std::int64_t offset(std::int64_t at) const;
    /// How many bytes of the view a file of `size` bytes has.
    [[nodiscard]] std::int64_t end(std::int64_t size) const;

private:
    [[nodiscard]] std::size_t run_at(std::int64_t at) const;

    std::int64_t displacement_;
    bool whole_ = true;
    std::vector<file_run> runs_;
    std::vector<std::int64_t> before_; // bytes of the view before each run, and of all
};

} // namespace sode::xmp
