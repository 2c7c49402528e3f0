// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "halo/subject.hpp"

#include <sode/sode.hpp>

#include <memory>
#include <vector>

namespace sode::internal::bench {

/// Arrays that this rank can load of every rank.
class reachable_arrays {
public:
    virtual ~reachable_arrays() = default;
    /// By rank, each with its block of `blocks`, which outlives it. Collective. Errors: usage, if a rank is on another machine.
    [[nodiscard]] virtual std::vector<fields> in_every_memory(std::vector<rank_block> const& blocks) const = 0;
};

/// Sode's exchange of a case, as a program would write it: `array` with one array a field, `buffered` with two that change roles.
struct our_halos {
    std::vector<std::unique_ptr<subject>> subjects;
    reachable_arrays const* arrays; ///< those of `array`
};
/// Collective.
[[nodiscard]] our_halos our_exchanges(runtime& rt, rank_block const& b);

} // namespace sode::internal::bench
