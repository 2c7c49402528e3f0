// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/halo/halo_walls.hpp"
#include "engine/plan_calls.hpp"
#include "pattern/plan_edges.hpp"

#include <algorithm>
#include <vector>

namespace sode::internal {

/// The steps of a plan that fill ghost elements outside the domain. Copies, with layouts that go backwards or stand still; copies
/// with the other sign; copies out of the plan's constants; calls of the user's functions.
///
/// What depends on this rank's own block only is done with its other local work, what lies beside a neighbour's elements when those
/// have come.
class wall_steps final : public steps_beside {
public:
    /// All outlive it.
    wall_steps(halo_spec const& spec, halo_edges const& edges, int rank, plan_builder& build);

    /// True if some steps come when what others bring has come.
    [[nodiscard]] bool come_late() const noexcept override { return !fills_.empty() && fills_.back().waits; }
    /// True if they look at what that rank brings.
    [[nodiscard]] bool await(int rank) const noexcept override {
        return std::binary_search(awaited_.begin(), awaited_.end(), rank);
    }
    /// The steps that do, or those that do not.
    void emit(std::uint32_t stream, bool waiting) override;
    /// What must have happened, and why.
    void record() override;

private:
    void emit(std::uint32_t stream, halo_walls::fill const& f);
    void note(halo_walls::fill const& f, std::int64_t bytes);
    [[nodiscard]] buffer constant(detail::wall_rule const& rule);
    [[nodiscard]] std::uint32_t array_of(halo_walls::part const& of);

    halo_spec const& spec_;
    int rank_;
    plan_builder& build_;
    halo_walls walls_;
    std::vector<halo_walls::fill> fills_;
    std::vector<int> awaited_;
};

/// The functions that the plan of that rank calls, in the order of plan::calls.
[[nodiscard]] std::vector<plan_calls::function> wall_functions(halo_spec const& spec, int rank);

} // namespace sode::internal
