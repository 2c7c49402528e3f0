// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan/proof/clock.hpp"

namespace sode::internal::proof {

/// What is certain to happen before what, in every run and not only in the one that is watched: within a stream; from a signal to
/// the waits that cannot pass without it; from the end of an epoch's streams to the next start of the same rank.
class order {
public:
    explicit order(job const& all);

    /// The present time of `actor`: what it does now carries this stamp.
    [[nodiscard]] std::uint32_t now(std::uint32_t actor) const noexcept { return state_[actor].now; }
    /// Was what `earlier` did at `time` over before whatever `later` does now?
    [[nodiscard]] bool before(std::uint32_t earlier, std::uint32_t time, std::uint32_t later) const noexcept {
        return earlier == later || pool_.at(state_[later].seen, earlier) >= time;
    }

    void start(std::size_t rank); ///< streams know what the user knows
    void end(std::size_t rank);   ///< the user knows what the streams know

    /// What `actor` knows now: it begins a message. Both ends' knowledge is what its carrier has when it moves the bytes.
    [[nodiscard]] clock begin_message(std::uint32_t actor) { return stamp(actor); }
    void carry(std::uint32_t carrier, clock const& sender, clock const& receiver);
    /// `actor` knows what `other` has done so far.
    void hear(std::uint32_t actor, std::uint32_t other);

    /// `actor` sets a flag. False if the flag's last setting may come after this one, or is not smaller.
    [[nodiscard]] bool set(std::uint32_t actor, std::uint32_t line, std::int64_t value);
    /// `actor` adds to a sum.
    void add(std::uint32_t actor, std::uint32_t line, std::int64_t value);

    /// `actor` has seen a flag at `threshold` or more: certain is only the first setting that suffices.
    void pass_flag(std::uint32_t actor, std::uint32_t line, std::int64_t threshold);

    /// An addition that could come, though it has not yet, while the waiting actor stands.
    struct possible {
        std::uint32_t actor;
        std::int64_t value;
    };
    /// `actor` has seen a sum at `threshold` or more: certain are the additions without which all others together would not
    /// suffice; if these are not enough, one of the others has come as well, and what is common to all of them is certain.
    void pass_sum(std::uint32_t actor, std::uint32_t line, std::int64_t threshold, std::span<possible const> ahead);

private:
    struct actor_state {
        clock seen;
        std::uint32_t now = 1;
    };
    struct addition {
        clock stamp;
        std::uint32_t time = 0;
        std::int64_t upto = 0; // by this actor, this one included
    };
    struct adder {
        std::uint32_t actor = 0;
        std::vector<addition> done{};
    };
    struct outlook {                      // additions that are possible, not done
        std::vector<std::int64_t> adders; // by those who have added before
        std::int64_t strangers = 0;
    };
    struct setting {
        std::int64_t value = 0;
        std::uint32_t actor = 0;
        std::uint32_t time = 0;
        clock stamp;
    };
    struct history {
        std::vector<setting> settings; // flags
        std::vector<adder> adders;     // sums
    };

    [[nodiscard]] clock stamp(std::uint32_t actor);
    [[nodiscard]] std::int64_t most_without(std::vector<adder> const& all, outlook const& ahead, std::size_t one,
                                            std::size_t i) const;

    job const& job_;
    clock_pool pool_;
    std::vector<actor_state> state_;
    std::vector<history> lines_;
};

} // namespace sode::internal::proof
