// SPDX-License-Identifier: Apache-2.0
#include "interpose/collective/call_log.hpp"

#include "base/mixing.hpp"
#include "model/job.hpp"

#include <fmt/format.h>

#include <new>

namespace sode::internal::interpose {

namespace {

constexpr unsigned function_at = 56, nonblocking_at = 55;
constexpr std::uint64_t low = 0xffffffffU;

std::string told(std::uint64_t what) {
    auto const f = static_cast<planned_function>(what >> function_at);
    bool const nonblocking = (what >> nonblocking_at & 1U) != 0;
    auto const length = what & ((std::uint64_t{1} << nonblocking_at) - 1);
    auto const name = name_of(f, nonblocking);
    return f == planned_function::barrier ? name : fmt::format("{} of {} bytes", name, length);
}

} // namespace

call_log::call_log(detail::job& part)
    : part_(part), blocks_(*part.boot, *part.memory, bytes,
                           [](std::byte* block) {
                               for (std::size_t i = 0; i < 2 * kept; ++i) new (block + i * sizeof(word)) word{0};
                           }),
      own_(std::launder(reinterpret_cast<word*>(blocks_.own()))) {}

call_log::word const* call_log::of(int rank) const {
    auto const* const block = blocks_.of(rank);
    return block == nullptr ? nullptr : std::launder(reinterpret_cast<word const*>(block));
}

call_log::words call_log::words_of(repeated_call const& what, bool nonblocking) noexcept {
    std::uint64_t key = nonblocking ? 1 : 0;
    mix(key, static_cast<std::uint64_t>(what.what) << 32U | static_cast<std::uint32_t>(what.root));
    mix(key, what.bytes);
    mix(key, std::uint64_t{what.combiner});
    return {key & low, static_cast<std::uint64_t>(what.what) << function_at | std::uint64_t{nonblocking} << nonblocking_at |
                           static_cast<std::uint64_t>(what.bytes)};
}

std::optional<std::string> call_log::difference(std::uint64_t number) const {
    auto const at = number % kept * 2;
    auto const mine = own_[at].load(std::memory_order_relaxed);
    if (mine >> number_at != (number & low)) return std::nullopt; // so long ago that it is forgotten
    for (int r = 0; r < part_.ranks->size(); ++r) {
        auto const* const theirs = r == part_.ranks->rank() ? nullptr : of(r);
        if (theirs == nullptr) continue;
        auto const is = theirs[at].load(std::memory_order_acquire);
        if (is >> number_at != mine >> number_at || is == mine) continue;
        auto const what = theirs[at + 1].load(std::memory_order_acquire);
        if (theirs[at].load(std::memory_order_acquire) != is) continue; // it is about to call something else
        return fmt::format("it is {} on this rank, and {} on rank {}", told(own_[at + 1].load(std::memory_order_relaxed)),
                           told(what), r);
    }
    return std::nullopt;
}

void call_log::end() noexcept {
    part_.memory->release(blocks_.own(), bytes);
}

} // namespace sode::internal::interpose
