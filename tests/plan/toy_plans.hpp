// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan/verify.hpp"

namespace sode::internal::toy {

/// Plans of all ranks of a job, and the arrays they work on.
struct job {
    std::vector<plan> plans;
    std::vector<std::vector<array_model>> arrays;
};

/// What moves: doubles.
inline constexpr std::int64_t element = 8;

/// The first `bytes` of array 0 of rank `source` come to the same place of array `target`.
[[nodiscard]] inline delivery whole(int source, std::int64_t bytes, std::uint32_t target = 0,
                                    std::uint32_t combiner = no_combiner) {
    return {.source_rank = source,
            .source_array = 0,
            .source = contiguous(0, bytes),
            .target_array = target,
            .target = contiguous(0, bytes),
            .combiner = combiner};
}
/// The arrays of a rank that has one: some ranks give it, all may read it.
[[nodiscard]] inline std::vector<array_model> given(bool gives, std::int64_t bytes) {
    auto const all = contiguous(0, bytes);
    return {{.ordinal = 0, .bytes = bytes, .buffered = false, .owned = gives ? all : layout{}, .readable = all}};
}
/// The arrays of a rank that gives one and gets another.
[[nodiscard]] inline std::vector<array_model> given_and_got(std::int64_t bytes) {
    auto const all = contiguous(0, bytes);
    return {{.ordinal = 0, .bytes = bytes, .buffered = false, .owned = all, .readable = {}},
            {.ordinal = 1, .bytes = bytes, .buffered = false, .owned = {}, .readable = all}};
}

/// A periodic ring in which every rank pulls one element from each of the `reach` ranks before it and behind it, and acknowledges.
[[nodiscard]] job ring_pull(int ranks, int reach = 1);
/// The same ring through stages by epoch parity: no acknowledgements.
[[nodiscard]] job ring_staged(int ranks);
/// The same ring with the elements in the payload of two flag lines an edge, used in turn.
[[nodiscard]] job ring_in_line(int ranks);
/// The same ring on a buffered array, pulling without acknowledgements.
[[nodiscard]] job ring_buffered(int ranks);
/// The same ring with flags between ranks and a sum between the streams of a rank: when both pulls are over, both halos are copied
/// to a second array and one flag acknowledges both.
[[nodiscard]] job ring_joined(int ranks);
/// The same ring in two ways, by stages and by pulling: they share the flag that says that a rank is ready.
[[nodiscard]] job ring_two_ways(int ranks);
/// The same ring with puts: into the halo of who has said, by putting nothing, that it may be written. Rank r / 2 is the machine of
/// rank r, or any other.
[[nodiscard]] job ring_put(int ranks);
/// A chain in which each rank pulls a broadcast from the one before, chunk by chunk, in a `loop`.
[[nodiscard]] job chain_pipeline(int ranks);
/// Pairs of ranks that pass an array through a stage of two slots: a `loop` of two steps on each side, with credits.
[[nodiscard]] job conveyor(int ranks);
/// The same through a stage that is a ring of three slots, in a loop in a loop.
[[nodiscard]] job carousel(int ranks);
/// Pairs of ranks that pass two elements, one through a stage and one through the payload of a flag, each with `slots` instances:
/// the source may be so many epochs ahead.
[[nodiscard]] job epochs_ahead(int ranks, std::uint16_t slots);
/// Pairs of ranks that pass an array by messages in loops, into two places in turn: one stream receives ahead of the other.
[[nodiscard]] job couriers(int ranks);
/// The same by puts in loops into a ring of three slots, with credits that are puts of nothing.
[[nodiscard]] job parcels(int ranks);
/// Each rank has in a second array what all up to it have given, in their order, by an operator of the user's that does not
/// commute: from the rank before it and its own, in blocks whose two halves change places, in a `loop`.
[[nodiscard]] job scan(int ranks);
/// Rank 0 reduces the stages of all others, counted by a sum, and all fetch the result.
[[nodiscard]] job allreduce(int ranks);
/// Rank 0 adds up what the others pack into their stages, chunk by chunk: reductions in a `loop`, with credits.
[[nodiscard]] job sum_by_chunks(int ranks);

} // namespace sode::internal::toy
