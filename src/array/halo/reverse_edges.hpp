// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/halo/halo_edges.hpp"
#include "array/halo/halo_walls.hpp"
#include "array/halo/reverse_plan.hpp"

namespace sode::internal {

/// The edges of a halo exchange the other way round: boxes of ghost elements whose values go to the elements that they are copies
/// of, also those outside the domain.
class reverse_edges final : public edge_set {
public:
    explicit reverse_edges(reverse_spec const& spec);

    /// By taker; edges by slot, then what lies outside.
    void from(int rank, outgoing& result) const override;
    void locate(edge& e) const override;
    [[nodiscard]] std::vector<int> sources(int rank) const override { return halo_.targets(rank); }
    [[nodiscard]] std::vector<int> targets(int rank) const override { return halo_.sources(rank); }
    [[nodiscard]] int slots(int /*rank*/) const noexcept override { return halo_.slots(); }
    [[nodiscard]] bool all_shared() const override { return halo_.all_shared(); }
    void record(plan& p, edge const& e) const override;

private:
    static exchange_terms terms_of(reverse_spec const& spec);
    void add_outside(int rank, std::vector<edge>& list) const;
    [[nodiscard]] choice choose_way(edge const& e) const;
    void note_outside(plan& p, edge const& e) const;

    reverse_spec const& spec_;
    halo_edges halo_;
    exchange_terms own_terms_;
};

} // namespace sode::internal
