// SPDX-License-Identifier: Apache-2.0
#include "tasks/pair.hpp"
#include "support/reach.hpp"

#include <algorithm>
#include <sched.h>
#include <stdexcept>
#include <thread>
#include <unistd.h>

namespace sode::internal::bench {
namespace {

constexpr std::size_t arena_bytes = std::size_t{256} << 20;

} // namespace

pair::pair(bootstrap& boot) : boot_(boot) {
    if (boot.size() != 2) throw std::invalid_argument{"this is for two ranks"};
    space_ =
        make_open_space(boot, arena_bytes, space_choice::segment); // what processes have; where they are threads, private memory
    steps_ = reinterpret_cast<line*>(common(2 * sizeof(line)));
    bool const crowded = std::thread::hardware_concurrency() < 2;
    control_ = std::make_unique<control>(common(control::bytes(2)), boot.rank(), 2, crowded);

    pid_t const pid = getpid();
    boot_.allgather(&pid, sizeof pid, pids_.data());
    auto const mine = std::make_unique<std::uint64_t>(0x736f6465U + static_cast<std::uint64_t>(rank()));
    auto const all = addresses(reinterpret_cast<char*>(mine.get()));
    char const yes =
        can_load(all[static_cast<std::size_t>(1 - rank())], 0x736f6465U + static_cast<std::uint64_t>(1 - rank())) ? 1 : 0;
    std::array<char, 2> both{};
    boot_.allgather(&yes, 1, both.data()); // also: nobody lets go of the word before the other has looked
    reachable_ = both[0] + both[1] == 2;
}

char const* pair::started_as() const noexcept {
    if (boot_.one_process()) return "threads";
    return reachable_ ? "tasks" : "processes";
}

std::array<char*, 2> pair::addresses(char* mine) {
    std::array<char*, 2> all{};
    boot_.allgather(static_cast<void const*>(&mine), sizeof mine, static_cast<void*>(all.data()));
    return all;
}

char* pair::common(std::size_t bytes) {
    std::uint64_t const offset = rank() == 0 ? space_->offset(space_->allocate(bytes)) : 0;
    std::array<std::uint64_t, 2> all{};
    boot_.allgather(&offset, sizeof offset, all.data());
    return reinterpret_cast<char*>(space_->at(0, all[0]));
}

void pair::await(std::uint64_t n) const noexcept {
    constexpr int polls = 1'000'000; // then the other one has no core
    for (int i = 0; steps_[1 - rank()].value.load(std::memory_order_acquire) < n; ++i)
        if (i > polls) sched_yield();
}

} // namespace sode::internal::bench
