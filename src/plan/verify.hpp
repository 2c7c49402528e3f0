// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan/plan.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace sode::internal {

/// A defect that verify() found; message in the house grammar.
struct finding {
    enum class type {
        bounds,
        missing,
        duplicate,
        wrong_source,
        wrong_operator, ///< what arrives was combined in another way than the deliveries say
        stray_write,
        uninitialised,
        deadlock,
        race,
        unreachable, ///< a rank would load or store memory that it does not share
        malformed
    } kind;
    std::int32_t rank = -1;
    std::string message;
};
[[nodiscard]] std::string_view to_string(finding::type kind);

/// How user arrays look: verify() models the user's own accesses with this.
struct array_model {
    std::uint32_t ordinal = 0;
    std::int64_t bytes = 0; ///< of one instance
    bool buffered = false;
    layout owned;       ///< what the user writes between wait(e) and start(e + 1)
    layout readable;    ///< what the user may read then: owned and halo
    layout early{};     ///< buffered: what of the instance of e + 1 the user may write before wait(e) (the interior of an overlap)
    bool shared = true; ///< other ranks of the same machine can load and store it
    memory_kind memory = memory_kind::host;
};

struct verify_options {
    int epochs = 3; ///< at least; one more than the slots of what has the most, if that is more
    std::size_t most_findings = 16;
    /// The machine of each rank. Ranks of one machine load and store each other's stages, counters and shared arrays; others
    /// can only send messages. Empty: all ranks are on one machine.
    std::vector<int> machines{};
    /// The network of each rank by which interfaces put into memory of other machines, of rows as they lie; -1: it is on none. Puts
    /// between machines that no network joins may be carried by messages. Empty: there are no networks.
    std::vector<int> wires{};
    /// The ways of a choice count epochs of their own, as plans do that take turns. Then `epochs` is for all of them together, and
    /// what an epoch adds to a sum is not checked.
    bool own_epochs = false;
};

/// Proves before anything runs, for the plans of *all* ranks of a job together: every access in bounds; every byte of every
/// delivery arrives exactly once in every epoch, from the right place, with that epoch's value; nothing else is written; no rank
/// touches memory that it does not share; no
/// deadlock (one greedy run decides it: counters are monotone and streams in order); no two unordered overlapping accesses of
/// which one writes, the user's own included, with ranks skewed over several epochs: where
/// something has k slots, over k + 1, as a rank may be k epochs ahead of those that read what it writes there.
///
/// Puts between machines are tried twice: written by the network, whatever the peer does, and carried by messages that wait for
/// their landings.
///
/// Where an edge can go several ways, every sequence of three ways is tried again and again, all choices at a time, each at another
/// place of it; and 16 that are drawn: those are no proof for epochs that meet in the same of three slots or more, nor for all that
/// several choices can do together.
///
/// The user is modelled as: writes all of `owned` of the instance of epoch e before start(e) (after wait(e - 1)), reads `readable`
/// of it after wait(e), and for an `alternates` plan changes parity every epoch. Buffered arrays that alternate are also written
/// (instance of e + 1) after wait(e), or, where `early` says so, between start(e) and wait(e). A plan that does not alternate is
/// tried with halves that flip and with halves that stay. Several deliveries to the same byte mean their combination by the
/// operator that they name, each once and, where that does not commute, in their order (the rank's own value, if it takes part, is
/// a delivery too). How they are grouped is free. Bytes of a stage that are written again before anybody has read them are a
/// duplicate. plans[r] and arrays[r] are those of rank r. Errors: usage, if `epochs` is not 1 to 63, if `machines` names other
/// ranks than there are, or for an array too large (2^30 elements). Cost: O(bytes moved * epochs); meant for tests and
/// SODE_CHECK=plan.
[[nodiscard]] std::vector<finding> verify(std::span<plan const> plans, std::span<std::vector<array_model> const> arrays,
                                          verify_options const& options = {});

} // namespace sode::internal
