// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/gmpi/posting.hpp>

namespace sode::gmpi::detail {

/// The threads that execute the steps of an exchange. A crew divides the units of each copy among its members, knows when all
/// members have completed their share of a step, and lets one thread notify the neighbour. This crew is a single group.
template <class P, class G> class lone_group {
public:
    SODE_GPU lone_group(P const& p, G const& g) : p_(p), g_(g) {}

    [[nodiscard]] SODE_GPU word rank() const { return g_.thread_rank(); }
    [[nodiscard]] SODE_GPU word size() const { return g_.size(); }
    /// Called by thread 0: all members have completed the step. A single group executes its steps in order.
    [[nodiscard]] SODE_GPU bool is_done(std::uint32_t) const { return true; }
    /// Called by all threads after their share. \return true in the thread that acts for all threads: its stores become visible
    /// after the copies of all threads
    [[nodiscard]] SODE_GPU bool speaks_for_all(std::uint32_t) const { return gathers_to_lead(p_, g_); }

private:
    P const& p_;
    G const& g_;
};

/// All blocks of a grid. At each step, every block increments a counter in device memory, and the last block acts for all blocks.
/// All blocks of the kernel copy a face together, and the neighbour receives one flag (as in GROMACS, arXiv 2509.21527, section 4).
template <class P, class G> class whole_grid {
public:
    /// `counts`: for each step, the number of blocks, which never decreases. `round`: 1, 2, 3, …
    SODE_GPU whole_grid(P const& p, G const& g, std::uint32_t block, std::uint32_t blocks, word* counts, word round)
        : p_(p), g_(g), block_(block), blocks_(blocks), counts_(counts), all_(round * blocks) {}

    [[nodiscard]] SODE_GPU word rank() const { return word{block_} * g_.size() + g_.thread_rank(); }
    [[nodiscard]] SODE_GPU word size() const { return word{blocks_} * g_.size(); }
    [[nodiscard]] SODE_GPU bool is_done(std::uint32_t step) const {
        return p_.template load_acquire<ordering::join, scope::device>(counts_[step]) >= all_;
    }
    [[nodiscard]] SODE_GPU bool speaks_for_all(std::uint32_t step) const {
        if (!gathers_to_lead(p_, g_)) return false;
        p_.template fence_release<ordering::arrive, scope::device>();
        if (p_.fetch_add(counts_[step], 1) + 1 != all_) return false;
        p_.template fence_acquire<ordering::conclude, scope::device>();
        return true;
    }

private:
    P const& p_;
    G const& g_;
    std::uint32_t block_, blocks_;
    word* counts_;
    word all_;
};

} // namespace sode::gmpi::detail
