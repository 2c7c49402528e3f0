// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "space/wait_table.hpp"

#include <functional>
#include <map>

namespace sode::internal {

/// Two ranks of which the first waits for what the second cannot do: it waits elsewhere, for something that cannot come either.
struct standstill {
    int rank = -1;
    int peer = -1;
    int third = -1; ///< whom `peer` waits for; often `rank` itself
    std::string rank_where;
    std::string peer_where;

    friend bool operator==(standstill const&, standstill const&) = default;
};

/// What all ranks wait in, at about one time.
struct wait_picture {
    std::vector<std::optional<waiting_rank>> ranks; ///< nothing: it may do anything
    /// Whether a rank may have started an epoch of a plan.
    std::function<bool(int rank, std::uint64_t plan, std::uint64_t epoch)> may_have_started;
};

/// The ranks whose waits can never end if the picture is true: nobody who could end them can get so far. A rank that waits in the
/// same epoch of the same plan may still serve others there, as long as any of those it waits for may do anything; a rank that
/// waits elsewhere serves nobody before that wait has ended. (Coffman's circular wait, with all of what several ranks wait for
/// needed.)
[[nodiscard]] std::vector<bool> without_end(wait_picture const& all);

/// One pair among `stuck` that says why, the same on whichever rank it is asked; nothing if none is stuck.
[[nodiscard]] std::optional<standstill> explain(wait_picture const& all, std::vector<bool> const& stuck);

/// Looks for waits that cannot end, again and again while a rank waits. A picture is taken piece by piece while ranks go on, and
/// may show what never was at one time: what it shows is true if all who are stuck in it have tried once more since, in vain, and
/// have done nothing. Then nothing depends on how long anybody takes.
class standstill_watch {
public:
    explicit standstill_watch(wait_table const& table) noexcept : table_(table) {}
    /// What keeps this rank waiting for ever, once it is certain.
    [[nodiscard]] std::optional<standstill> look();

private:
    struct seen {
        std::uint64_t version = 0;
        std::uint64_t rounds = 0;
    };
    wait_table const& table_;
    std::map<int, seen> candidates_;
};

} // namespace sode::internal
