// SPDX-License-Identifier: Apache-2.0
#include "tasks/partition_map.hpp"

#include "tasks/pages.hpp"

#include <fmt/format.h>
#include <sode/error.hpp>

namespace sode::internal {

partition_map::partition_map(int capacity, std::size_t bytes, std::optional<std::uint64_t> scatter)
    : stride_(0), bytes_(round_up(bytes, huge_page_bytes)), scattered_(scatter.has_value()), random_(scatter.value_or(0)) {
    if (capacity < 1)
        throw error{error_kind::usage, fmt::format("the number of tasks cannot be {}", capacity), "there must be at least one task",
                    "request 1 or more"};
    stride_ = round_down((area_end - area) / static_cast<std::size_t>(capacity), huge_page_bytes);
    if (bytes_ == 0) bytes_ = round_down(scattered_ ? stride_ / 2 : stride_, huge_page_bytes);
    if (bytes_ < least_bytes)
        throw error{error_kind::usage,
                    fmt::format("an address range of {} bytes for each of {} tasks is too small", bytes_, capacity),
                    fmt::format("a program and its stack need {}", least_bytes), "request fewer tasks, or larger partitions"};
    if (bytes_ > stride_)
        throw error{error_kind::usage, fmt::format("there is no address space for {} tasks of {} bytes each", capacity, bytes_),
                    fmt::format("{} bytes are available", area_end - area), "request fewer tasks, or smaller partitions"};
}

std::uintptr_t partition_map::next_base(int index) {
    auto const begin = area + static_cast<std::size_t>(index) * stride_;
    auto const places = (stride_ - bytes_) / huge_page_bytes + 1;
    return begin + (scattered_ ? random_() % places * huge_page_bytes : 0);
}

} // namespace sode::internal
