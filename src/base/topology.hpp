// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/processors.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sode::internal {

/// This machine as hwloc sees it. Loading takes milliseconds: a rank that only needs to know how many processors it has asks
/// processors.hpp. Errors: environment, if hwloc cannot read the machine.
class topology {
public:
    topology();
    topology(topology&&) noexcept;
    topology& operator=(topology&&) noexcept;
    ~topology();

    [[nodiscard]] int packages() const;
    [[nodiscard]] int numa_nodes() const;
    [[nodiscard]] int cores() const;
    [[nodiscard]] int processors() const;
    /// "Intel(R) Xeon(R) Processor", or empty.
    [[nodiscard]] std::string model() const;

    /// A data or unified cache.
    struct cache {
        std::uint64_t bytes = 0; ///< 0: there is none
        int count = 0;           ///< in the machine
        int cores = 0;           ///< that share the first one
    };
    [[nodiscard]] cache cache_of_level(int level) const;

    /// Cores of which at least one processor is in `where`.
    [[nodiscard]] int cores_in(processor_set const& where) const;

    /// `ranks` places for as many ranks, as far from each other as the machine allows: ranks get whole cores of `where` as long as
    /// there are enough, and share them in turn after that.
    [[nodiscard]] std::vector<processor_set> spread(int ranks, processor_set const& where) const;

    /// A few lines: packages, NUMA nodes, shared caches, and the processors of each core.
    [[nodiscard]] std::string tree() const;

private:
    struct impl;
    std::unique_ptr<impl> impl_;
};

} // namespace sode::internal
