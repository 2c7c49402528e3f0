// SPDX-License-Identifier: Apache-2.0
#include "tune/turns.hpp"

#include "base/wait.hpp"

#include <sode/error.hpp>

#include <array>
#include <new>

namespace sode::internal::tools {
namespace {

constexpr double most_seconds = 10;
constexpr std::size_t line = 128;

} // namespace

turns::turns(bootstrap& boot, space& memory) : boot_(boot) {
    std::byte* const place = memory.allocate(line);
    own_ = new (place) std::atomic<std::uint64_t>{0};
    auto const mine = memory.offset(place);
    std::array<std::uint64_t, 2> places{};
    boot.allgather(&mine, sizeof mine, places.data());
    int const other = 1 - boot.rank();
    other_ = std::launder(reinterpret_cast<std::atomic<std::uint64_t>*>(memory.at(other, places[static_cast<std::size_t>(other)])));
}

void turns::say() noexcept {
    own_->store(++said_, std::memory_order_release);
}

void turns::hear() {
    ++heard_;
    wait_policy const policy{.spins = 2000, .warn_s = 0, .timeout_s = most_seconds};
    waiter w{policy};
    while (other_->load(std::memory_order_acquire) < heard_) {
        if (!w.step()) continue;
        if (auto const how = boot_.departed(1 - boot_.rank()))
            throw error{error_kind::peer, "the other rank has terminated", *how, "look at the output of that rank"};
        if (w.elapsed() > most_seconds)
            throw error{error_kind::timeout, "the other rank does not answer", "ten seconds have passed",
                        "try again when the machine is idle"};
    }
}

} // namespace sode::internal::tools
