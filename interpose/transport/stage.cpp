// SPDX-License-Identifier: Apache-2.0
#include "interpose/transport/stage.hpp"

#include <sode/error.hpp>

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace sode::internal::interpose {

std::optional<stage> stage_pool::take(std::uint64_t bytes) noexcept {
    int const size_class = std::max(0, static_cast<int>(std::bit_width(std::max<std::uint64_t>(bytes, 1) - 1)) - smallest);
    if (size_class >= classes) return std::nullopt;
    std::lock_guard const lock{mutex_};
    auto& idle = idle_[static_cast<std::size_t>(size_class)];
    if (!idle.empty()) {
        stage const s = idle.back();
        idle.pop_back();
        return s;
    }
    auto const size = std::uint64_t{1} << (smallest + size_class);
    if (size > most_ - std::min(exist_, most_)) return std::nullopt;
    try {
        idle.reserve(idle.size() + 1);
        std::byte* const data = memory_.allocate(size);
        exist_ += size;
        return stage{data, memory_.offset(data), size_class};
    } catch (std::exception const&) {
        return std::nullopt; // no room on this machine: there is always MPI
    }
}

std::optional<stage> stage_pool::take_at_last(std::uint64_t bytes) noexcept {
    if (auto const usual = take(bytes); usual || !memory_.one_address_space()) return usual;
    // Not in the hands of an object: what a receiver has yet to read when MPI ends must stay.
    auto* const data = static_cast<std::byte*>(std::malloc(bytes)); // NOLINT(cppcoreguidelines-no-malloc)
    return data == nullptr ? std::nullopt : std::optional{stage{data, memory_.offset(data), of_the_heap}};
}

void stage_pool::give(stage const& s) noexcept {
    if (s.size_class == of_the_heap) {
        std::free(s.data); // NOLINT(cppcoreguidelines-no-malloc)
        return;
    }
    std::lock_guard const lock{mutex_};
    idle_[static_cast<std::size_t>(s.size_class)].push_back(s);
}

} // namespace sode::internal::interpose
