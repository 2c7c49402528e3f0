// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "datatypes/ping_pong.hpp"
#include "support/race.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sode::internal::bench {

class application;

/// One case at a time, by all methods, on the ranks of one job. Every function is collective.
class workbench {
public:
    explicit workbench(mpi_world const& world);

    /// The names of all cases: patterns between two ranks, the transpositions, applications.
    [[nodiscard]] std::vector<std::string> case_names() const;
    [[nodiscard]] static std::vector<std::string> methods_of(std::string const& name);

    /// Throws std::invalid_argument for a name or a method that there is not. Returns the bytes of a message.
    std::int64_t set_up(std::string const& name, send_data data, std::vector<std::string> const& methods);
    /// Puts everything away; the ranks hold no memory of a case while another job measures a large one.
    void clear() { methods_.clear(); }

    /// Elements that did not arrive as they should, and bytes beside them that were touched.
    [[nodiscard]] long verify();

    [[nodiscard]] block_time block(std::string const& method);
    /// Of the last block: the share of communication, on average over the ranks; 1 where nothing is computed.
    [[nodiscard]] double communication_share() const { return share_; }

    /// The time from before the commit of fresh datatypes to the end of their second exchange, of the slowest rank. Not of
    /// applications, which do not end where they began.
    [[nodiscard]] block_time first_uses(std::string const& method);

    /// Mismatches of all timed exchanges of the case.
    [[nodiscard]] long wrong() { return race_.wrong() - wrong_before_ + wrong_here_; }

private:
    struct prepared {
        std::unique_ptr<communication> subject;
        int rounds = 0;
    };
    [[nodiscard]] block_time runs(application& app);
    [[nodiscard]] double probe();
    [[nodiscard]] prepared& find(std::string const& name);

    mpi_world const& world_;
    shared_window lines_;
    control shared_;
    tick_rate rate_;
    race race_;
    std::vector<pattern_case> patterns_ = all_patterns();
    std::map<std::string, prepared> methods_;
    std::uint64_t round_ = 1U << 30U; // of what is not measured by the race
    long wrong_before_ = 0, wrong_here_ = 0;
    double share_ = 1;
};

} // namespace sode::internal::bench
