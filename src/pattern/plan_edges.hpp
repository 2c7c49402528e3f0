// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "pattern/edge_set.hpp"

namespace sode::internal {

/// Steps of a plan beside its edges: some before others have brought anything, some when they have.
class steps_beside {
public:
    steps_beside() = default;
    virtual ~steps_beside() = default;
    steps_beside(steps_beside const&) = delete;
    steps_beside& operator=(steps_beside const&) = delete;
    steps_beside(steps_beside&&) = delete;
    steps_beside& operator=(steps_beside&&) = delete;

    /// True if some come late.
    [[nodiscard]] virtual bool come_late() const noexcept { return false; }
    /// True if those look at what that rank brings.
    [[nodiscard]] virtual bool await(int /*source*/) const noexcept { return false; }
    virtual void emit(std::uint32_t /*stream*/, bool /*late*/) {}
    /// Writes down what they must have done.
    virtual void record() {}
};

/// One rank's part in an exchange, as a plan. Pure: any rank's plan can be built anywhere, which is what lets verify() hold the
/// plans of 127 ranks against each other in one process.
///
/// Protocol (docs/decisions/0002): a rank says "my arrays are ready", packs what is staged, says "my stage is ready", serves
/// itself, and then, per source and in any order of their arrival, takes what is there. A reader acknowledges only where nothing
/// else proves that its reads are over. A device may store what belongs to another rank: that rank's "my arrays are ready" lets it,
/// and it says when it has. Where targets combine, a rank first waits for all its sources. Cost: that of from() for
/// this rank and its sources, and O(edges) of them.
[[nodiscard]] plan plan_edges(edge_set const& edges, int rank);
/// The same behind what `build` of that rank holds already.
[[nodiscard]] plan plan_edges(edge_set const& edges, plan_builder& build, steps_beside& beside);

} // namespace sode::internal
