// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace sode::internal::interpose {

/// Which of two ways takes less time at one end of a message: what MPI does with a datatype, or our kernels and a message of bytes.
/// Some messages go each way by turns, and the least times are compared: what disturbs a message makes it slower, never faster.
class packing_trial {
public:
    enum class way : std::uint8_t { by_mpi, by_us };

    [[nodiscard]] bool has_begun() const noexcept { return told_[0] + told_[1] > 0; }
    [[nodiscard]] bool is_over() const noexcept { return told_[0] >= turns && told_[1] >= turns; }
    /// Of the next message.
    [[nodiscard]] way next() const noexcept {
        if (is_over()) return wins() ? way::by_us : way::by_mpi;
        return told_[0] <= told_[1] ? way::by_mpi : way::by_us;
    }
    void note(way how, std::int64_t ns) noexcept {
        auto const at = static_cast<std::size_t>(how);
        least_[at] = told_[at] == 0 ? ns : std::min(least_[at], ns);
        told_[at] = std::min(told_[at] + 1, turns);
    }
    /// A message came some other way.
    void note_other() noexcept { others_ = std::min(others_ + 1, most_others); }
    /// Whether it is over, and MPI is as fast; or so many came some other way meanwhile that it does not pay to go on.
    [[nodiscard]] bool is_lost() const noexcept { return is_over() ? !wins() : others_ == most_others; }

    static constexpr int turns = 12;
    /// So many short messages of a process go by MPI before it tries anything: the first ones meet buffers that nobody has touched.
    static constexpr int first = 150;

private:
    /// By what the looking costs, and by what one would take for chance.
    [[nodiscard]] bool wins() const noexcept { return least_[1] + least_[1] / 12 + looking_ns <= least_[0]; }
    static constexpr std::int64_t looking_ns = 30;

    static constexpr int most_others = 100;

    std::array<int, 2> told_{};
    int others_ = 0;
    std::array<std::int64_t, 2> least_{};
};

} // namespace sode::internal::interpose
