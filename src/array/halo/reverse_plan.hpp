// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/halo/halo_spec.hpp"
#include "engine/combine.hpp"
#include "plan/verify.hpp"

namespace sode::internal {

/// A halo exchange the other way round: everything that it would bring into a halo goes back to where that came from, and is
/// combined with what is there.
struct reverse_spec {
    halo_spec const* halo = nullptr;
    reduction op = reduction::sum;
    std::vector<element> elements; ///< by field

    [[nodiscard]] std::uint64_t fingerprint() const noexcept;
};

/// What one rank does in it. Pure, as build_halo().
///
/// Protocol: a rank packs its halo into its stage, for those who share its memory, and into messages for the others, and says that
/// it has. When all who contribute to its block have, it combines what they have packed: by rank and slot, in one stream, so that
/// the result is the same bits every time. That it waits for all of them before it writes at all also means that no neighbour is
/// still reading the block from a halo exchange before. Nobody reads a halo but its owner, so that an epoch ends without
/// acknowledgements; only who gets nothing back from a reader must hear from it before the same half of the stage is packed again.
/// Cost: O(neighbours * slots).
[[nodiscard]] plan build_reverse(reverse_spec const& spec, int rank);

/// How that rank's user meets its arrays: it writes blocks and halos. What verify() needs to know beside the plan.
[[nodiscard]] std::vector<array_model> reverse_models(reverse_spec const& spec, int rank);

} // namespace sode::internal
