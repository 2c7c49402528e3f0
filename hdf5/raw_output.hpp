// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/unique_fd.hpp"

#include <sode/types.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace sode::internal::files {

/// Bytes at places of a file that exists. What follows one another is collected and goes out a megabyte at a time.
/// Errors, of all functions: environment.
class raw_output {
public:
    explicit raw_output(std::string file);

    /// `bytes` bytes at `offset`, which fill(memory) brings.
    void put(index_t offset, std::size_t bytes, std::function<void(std::byte*)> const& fill);
    /// Returns when all is on the disk.
    void finish();

private:
    void flush();

    std::string file_;
    unique_fd fd_;
    std::vector<std::byte> waiting_;
    index_t first_ = 0; // where waiting_ belongs
};

} // namespace sode::internal::files
