// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collective/collective_terms.hpp"
#include "plan/builder.hpp"

#include <functional>

namespace sode::internal {

/// Where what one rank contributes lies.
struct contribution {
    std::uint32_t buffer = 0;
    std::int64_t offset = 0; ///< of its first byte, there
    std::uint32_t ready = 0; ///< the counter that says so; 0: it is known already
    std::int32_t threshold = 0;
    int peer = -1;
};
using contribution_of = std::function<contribution(int rank)>;

/// Where the combination of some bytes goes.
struct fold_target {
    std::uint32_t buffer = 0;
    std::int64_t offset = 0;
    /// Of more than two ranks, what has been combined so far lies in this private place of aside_bytes(), not in the target:
    /// because that holds a contribution, too, or is in another core's cache.
    std::uint32_t aside = no_place;

    static constexpr std::uint32_t no_place = ~0U;
};

/// Some bytes of a share that are combined at a time.
struct fold_piece {
    std::int64_t offset = 0; ///< in the share; of the first iteration, where it is in a loop
    std::int64_t bytes = 0;
    std::uint32_t strides = 0; ///< of a loop over pieces: what moves source and target by a piece; 0: there is no loop
};
/// Bytes of a piece: a few of them stay in the nearest cache.
inline constexpr std::int64_t fold_piece_bytes = 16 << 10;
/// Bytes of what a fold puts aside.
[[nodiscard]] std::int64_t aside_bytes(collective_terms const& t, collective_terms::share const& share) noexcept;

/// Emits what combines a share of the contributions of its ranks, in their order. Reads each of them once, and waits for each of
/// them before.
///
/// Large shares are combined piece by piece, so that what has been combined so far stays in the nearest cache. `after` emits what
/// is to be done with a piece while it is there.
void emit_fold(plan_builder& b, std::uint32_t stream, collective_terms const& t, collective_terms::share const& share,
               fold_target const& target, contribution_of const& where, std::function<void(fold_piece const&)> const& after = {});

/// One array of a rank, as its user has it.
[[nodiscard]] buffer input_of(collective_terms const& t, int rank);
[[nodiscard]] buffer output_of(collective_terms const& t, int rank);
/// The operators of the terms, in the plan.
void add_operators(plan_builder& b, collective_terms const& t);
/// Writes down what every algorithm owes: what each share is made of, in order.
void record_share(plan_builder& b, collective_terms const& t, int rank);

} // namespace sode::internal
