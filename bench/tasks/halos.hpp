// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "halo/geometry.hpp"
#include "support/race.hpp"

#include <sode/bootstrap.hpp>

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace sode {
class runtime;
} // namespace sode

namespace sode::internal::bench {

/// Sode twice in the same ranks: with arrays in the memory of tasks, where they are tasks, and in shared memory as processes have
/// it.
class two_memories {
public:
    /// Collective.
    two_memories(bootstrap& boot, bool tasks);
    ~two_memories();
    two_memories(two_memories const&) = delete;
    two_memories& operator=(two_memories const&) = delete;

    /// The exchange of a case of bench/halo, to be used while this lives: "array, tasks", "array, segment", and likewise
    /// "buffered". Collective.
    [[nodiscard]] std::vector<std::unique_ptr<subject>> halos(std::string const& name);

private:
    std::unique_ptr<runtime> tasks_;
    std::unique_ptr<runtime> segment_;
    bool tasks_first_; // by turns, at first by chance: what is made first is up to 2 % slower
    // Subjects look into them.
    std::deque<halo_case> cases_;
    std::deque<rank_block> blocks_;
};

} // namespace sode::internal::bench
