// SPDX-License-Identifier: Apache-2.0
#include "base/job_control.hpp"

#include "base/board.hpp"

#include <sode/error.hpp>

#include <cstring>
#include <fmt/format.h>

namespace sode::internal {

namespace {

constexpr std::size_t alignment = 128;

constexpr std::size_t round_up(std::size_t bytes) {
    return (bytes + alignment - 1) / alignment * alignment;
}

// One word a rank, so that it is never half written: 0 as long as the rank lives, else what ended it and a number.
constexpr std::uint64_t exited = std::uint64_t{1} << 32;
constexpr std::uint64_t killed = std::uint64_t{2} << 32;

} // namespace

struct job_control::header {
    std::uint64_t version;
    std::uint64_t job;
    std::int32_t size;
    std::int32_t processors;
};

namespace {

constexpr std::size_t exits_at = alignment;

std::size_t board_at(int size) {
    return exits_at + round_up(static_cast<std::size_t>(size) * sizeof(std::uint64_t));
}
std::size_t total_bytes(int size) {
    return board_at(size) + board::bytes(size);
}

} // namespace

std::string describe_exit(bool by_signal, int number) {
    return by_signal ? fmt::format("killed by signal {} ({})", number, strsignal(number))
                     : fmt::format("exited with status {}", number);
}

job_control::job_control(std::uint64_t job, int size, int processors)
    : memory_(make_memfd("sode-job", total_bytes(size))), size_(size), map_(memory_, total_bytes(size)) {
    head() = header{job_place{}.version, job, size, processors};
}

job_control::job_control(unique_fd const& memory, job_place const& place)
    : size_(place.size), map_(memory, total_bytes(place.size)) {
    if (head().version != place.version || head().job != place.job || head().size != place.size)
        throw error{error_kind::environment, "this process cannot use the control memory of its job",
                    "the header of the memory differs from the launcher's description",
                    "use the same version of Sode for the program and for `sode run`"};
}

int job_control::processors() const noexcept {
    return head().processors;
}

void* job_control::board_memory() const noexcept {
    return map_.data() + board_at(size_);
}

std::atomic<std::uint64_t>& job_control::exit_of(int rank) const noexcept {
    return reinterpret_cast<std::atomic<std::uint64_t>*>(map_.data() + exits_at)[rank];
}

void job_control::record_exit(int rank, bool by_signal, int number) noexcept {
    exit_of(rank).store((by_signal ? killed : exited) | static_cast<std::uint32_t>(number), std::memory_order_release);
}

std::optional<std::string> job_control::departed(int rank) const {
    std::uint64_t const how = exit_of(rank).load(std::memory_order_acquire);
    if (how == 0) return std::nullopt;
    return describe_exit((how & killed) != 0, static_cast<int>(how & UINT32_MAX));
}

} // namespace sode::internal
