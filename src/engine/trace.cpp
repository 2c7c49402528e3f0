// SPDX-License-Identifier: Apache-2.0
#include "engine/trace.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace sode::internal {
namespace {

constexpr int last_lane = 63;

} // namespace

trace_log::trace_log(std::size_t capacity) : ring_(std::max<std::size_t>(capacity, 1)) {}

std::uint32_t trace_log::add(trace_subject s) {
    subjects_.push_back(std::move(s));
    return static_cast<std::uint32_t>(subjects_.size() - 1);
}

std::uint16_t trace_log::take_lane() noexcept {
    int const lane = std::min(std::countr_one(lanes_), last_lane);
    lanes_ |= std::uint64_t{1} << static_cast<unsigned>(lane);
    return static_cast<std::uint16_t>(lane);
}

void trace_log::free_lane(std::uint16_t lane) noexcept {
    lanes_ &= ~(std::uint64_t{1} << lane);
}

} // namespace sode::internal
