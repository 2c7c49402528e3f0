// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/profile_file.hpp"
#include "tune/campaign.hpp"

#include <span>
#include <string>
#include <vector>

namespace sode::internal::tools {

/// What the check of a part of the constants came to.
struct checked_part {
    std::string what; ///< "halos"
    verdict outcome;
    std::vector<checked_pattern> patterns;
};

/// A profile, and where it is from.
struct tuned {
    profile costs;
    profile_origin origin;
    std::vector<checked_part> checks{}; ///< by which it was decided what may be stored
};

/// The medians of what was measured on this machine, now. What was not seen keeps its default; so does what is at the bound of its
/// range, and what would choose worse than the built-in constants. Pure, but for the machine's name and the time.
[[nodiscard]] tuned conclude(campaign_result const& result);

/// Virtual machines show one distance today and the other tomorrow: what `earlier` had seen on the same processor, and `t` had not,
/// stays; and so do networks, which somebody has described.
void keep_what_was_seen(tuned& t, tuned const& earlier);

/// Puts the medians of these blocks, of which there must be one, in place of the `network` of `t`.
void conclude_messages(tuned& t, std::span<message_costs const> blocks);

/// What messages of derived datatypes came to, by one MPI.
struct typed_result {
    std::string mpi; ///< its name and version
    std::vector<typed_costs> near;
    std::vector<typed_costs> far;
    std::vector<message_check_times> near_checks{}; ///< of the same blocks
    std::vector<message_check_times> far_checks{};
    message_terms how{}; ///< but for the distance
};
/// Puts the medians into `t`; a distance that was not seen keeps what there is, and so does what is at the bound of its range. If
/// messages would then go slower ways than by the built-in constants, those of the MPI become the built-in ones; and if they still
/// would, all that are of messages of datatypes.
void conclude_typed(tuned& t, typed_result const& result);

/// What was checked, and what came of it; empty: nothing.
[[nodiscard]] std::string checks_table(tuned const& t);

/// A few lines for people: each constant, beside the built-in one.
[[nodiscard]] std::string table(tuned const& t);

} // namespace sode::internal::tools
