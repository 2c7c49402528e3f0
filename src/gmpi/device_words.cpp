// SPDX-License-Identifier: Apache-2.0
#include "gmpi/device_words.hpp"

#include <sode/detail/gmpi/entry.hpp>
#include <sode/error.hpp>

#include <fmt/format.h>

#include <bit>
#include <utility>

namespace sode::internal::kernels {

namespace {

using kind = gmpi::memory::kind;
constexpr std::size_t words_of_line = 16;

template <class T> void require(bool true_of_it, std::string_view name, T value, std::string_view what) {
    if (true_of_it) return;
    throw error{error_kind::usage, fmt::format("gmpi::options::{} is {}", name, value), fmt::format("the value must be {}", what),
                "omit this option to use the default"};
}

void require(gmpi::options const& o) {
    constexpr std::uint32_t most_entries = 1 << 20, most_requests = 1 << 20, most_words = 1 << 24;
    constexpr double most_seconds = 1e9;
    require(o.rings >= 1 && o.rings <= gmpi::device_handle::most_rings, "rings", o.rings, "from 1 to 8");
    require(std::has_single_bit(o.entries) && o.entries <= most_entries, "entries", o.entries, "a power of two up to 2^20");
    require(o.requests >= 1 && o.requests <= most_requests, "requests", o.requests, "from 1 to 2^20");
    require(o.signals <= most_words, "signals", o.signals, "at most 2^24");
    require(o.parts <= most_words, "parts", o.parts, "at most 2^24");
    require(o.deadline >= 0 && o.deadline <= most_seconds, "deadline", o.deadline, "from 0 to 10^9 seconds");
}

} // namespace

device_words::device_words(std::shared_ptr<gmpi::memory> memory, gmpi::options const& o, double deadline)
    : memory_(std::move(memory)), states_in_(o.state_on_device ? kind::device : kind::mapped) {
    require(o);
    handle_.two_hops = o.two_hops;
    handle_.ring_count = o.rings;
    for (std::uint32_t r = 0; r < o.rings; ++r) {
        handle_.rings[r] = make_ring(o.two_hops ? kind::device : kind::mapped, o.entries);
        host_rings_.push_back(o.two_hops ? make_ring(kind::mapped, o.entries) : handle_.rings[r]);
    }
    make_slots(o.requests);
    constexpr double ns_of_second = 1e9;
    handle_.alarm = {take(kind::mapped, 1), take(kind::device, 1), take(kind::mapped, gmpi::detail::report_words),
                     static_cast<gmpi::word>(deadline * ns_of_second)};
    handle_.signals = {take(states_in_, o.signals), o.signals};
    handle_.parts = {take(kind::mapped, o.parts), o.parts};
}

device_words::~device_words() {
    for (auto const& b : blocks_) memory_->release(b.kind, b.at);
}

gmpi::word* device_words::take(kind k, std::size_t words) {
    auto* const at = memory_->allocate(k, (words + words_of_line) * sizeof(gmpi::word));
    blocks_.push_back({k, at});
    return reinterpret_cast<gmpi::word*>(at);
}

gmpi::detail::ring device_words::make_ring(kind read_in, std::uint32_t entries) {
    auto const units = gmpi::word{gmpi::detail::units_of_long} * entries;
    return {take(read_in, 2 * units), take(read_in, 1), take(kind::device, 1), take(kind::device, 1), units};
}

void device_words::make_slots(std::uint32_t count) {
    constexpr std::uint32_t bits = 64;
    std::vector<gmpi::word> free((count + bits - 1) / bits);
    for (std::uint32_t s = 0; s < count; ++s) free[s / bits] |= gmpi::word{1} << s % bits;
    handle_.requests = {take(kind::device, free.size()), take(kind::device, count), take(states_in_, count), take(kind::device, 1),
                        count};
    // Told to the device by stores: words that go there by copies come one by one.
    if (states_in_ == kind::mapped)
        handle_.requests.short_data = take(kind::mapped, std::size_t{gmpi::detail::short_words} * count);
    handle_.requests.target = take(kind::device, count);
    memory_->write(reinterpret_cast<std::byte*>(handle_.requests.free), free.data(), free.size() * sizeof(gmpi::word));
}

} // namespace sode::internal::kernels
