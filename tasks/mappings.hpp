// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/unique_fd.hpp"

#include <cstdint>
#include <optional>

namespace sode::internal {

/// A range of addresses, [begin, end).
struct gap {
    std::uintptr_t begin;
    std::uintptr_t end;
};

/// What is mapped in this address space, as the kernel tells it.
class mappings {
public:
    /// `by_text`: reads /proc/self/maps even if this kernel can be asked, as tests do to hold one against the other.
    /// Errors: environment, if /proc is not there.
    explicit mappings(bool by_text = false);

    /// The largest piece of [low, high) in which nothing is mapped; none, if all of it is or the kernel does not tell.
    /// Costs about 1 us a mapping in the range (Linux 6.11 and later; before, about that for each mapping of the process).
    [[nodiscard]] std::optional<gap> largest_gap(std::uintptr_t low, std::uintptr_t high) const;

private:
    unique_fd maps_;
    bool has_query_;
};

} // namespace sode::internal
