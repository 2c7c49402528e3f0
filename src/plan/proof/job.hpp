// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan/proof/origin.hpp"
#include "plan/verify.hpp"

#include <array>
#include <concepts>
#include <limits>
#include <map>
#include <utility>

namespace sode::internal::proof {

/// Any integer that is known not to be negative, as an index.
[[nodiscard]] constexpr std::size_t ix(std::integral auto i) noexcept {
    return static_cast<std::size_t>(i);
}

inline constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

/// Offsets, sizes and counts beyond this are taken for garbage: sums and products of what is below it fit into 64 bits.
inline constexpr std::int64_t largest_sane = std::int64_t{1} << 48;
[[nodiscard]] constexpr bool sane(std::int64_t n) noexcept {
    return n > -largest_sane && n < largest_sane;
}
/// Is n * count sane as well?
[[nodiscard]] constexpr bool sane(std::int64_t n, std::int64_t count) noexcept {
    std::int64_t product = 0;
    return !__builtin_mul_overflow(n, count, &product) && sane(product);
}

/// The plans of all ranks as one program. *Actors* are what can be ordered or not: of every rank its user and its streams, what
/// carries each of the messages that it receives, since those move bytes while streams go on, and for each message who tells that
/// it is over. Actors and counter lines are numbered through, rank by rank; the user comes first.
class job {
public:
    job(std::span<plan const> plans, std::span<std::vector<array_model> const> arrays, std::span<int const> machines,
        std::span<int const> wires = {});

    [[nodiscard]] std::size_t ranks() const noexcept { return plans_.size(); }
    [[nodiscard]] plan const& of(std::size_t rank) const noexcept { return plans_[rank]; }
    [[nodiscard]] std::vector<array_model> const& arrays(std::size_t rank) const noexcept { return arrays_[rank]; }
    /// nullptr if that rank has no such array.
    [[nodiscard]] array_model const* array(std::size_t rank, std::uint32_t ordinal) const noexcept;
    [[nodiscard]] bool on_one_machine(std::size_t a, std::size_t b) const noexcept {
        return machines_.empty() || machines_[a] == machines_[b];
    }
    /// Whether puts of one get into the memory of the other without a message.
    [[nodiscard]] bool stores_to(std::size_t a, std::size_t b) const noexcept {
        return on_one_machine(a, b) || (!wires_.empty() && wires_[a] >= 0 && wires_[a] == wires_[b]);
    }
    /// The parity group of a buffered array: what the plans' buffers say.
    [[nodiscard]] std::uint32_t group(std::size_t rank, std::uint32_t ordinal) const noexcept;

    /// A combiner of a rank's plan by a number that means the same on all ranks.
    [[nodiscard]] std::uint32_t combiner(std::size_t rank, std::uint32_t of_rank) const noexcept {
        return !is_users(of_rank) || of_rank == no_combiner ? of_rank : combiners_[rank][of_rank - user_combiners];
    }

    /// "sum of f64", by such a number.
    [[nodiscard]] std::string describe_combiner(std::uint32_t combiner) const;

    [[nodiscard]] std::uint32_t user(std::size_t rank) const noexcept { return first_actor_[rank]; }
    [[nodiscard]] std::uint32_t stream(std::size_t rank, std::size_t s) const noexcept {
        return first_actor_[rank] + 1 + static_cast<std::uint32_t>(s);
    }
    /// What carries the message that descriptor `index`, a receive or landing, asks for when it has asked for `before` others, or
    /// the put that it is, where no message carries that. Those of an epoch are carried apart from each other; from most_carriers
    /// on they share.
    [[nodiscard]] std::uint32_t carrier(std::size_t rank, std::uint32_t index, std::uint64_t before) const noexcept {
        auto const& m = messages_.find({rank, index})->second;
        return m.teller + 1 + static_cast<std::uint32_t>(before % m.carriers);
    }
    static constexpr std::uint32_t most_carriers = 127; // a prime: rings of places have other lengths
    /// Who tells that messages of that descriptor are over, one after another.
    [[nodiscard]] std::uint32_t teller(std::size_t rank, std::uint32_t index) const noexcept {
        return messages_.find({rank, index})->second.teller;
    }
    [[nodiscard]] std::uint32_t actors() const noexcept { return first_actor_.back(); }
    [[nodiscard]] std::uint32_t actors(std::size_t rank) const noexcept { return first_actor_[rank + 1] - first_actor_[rank]; }
    [[nodiscard]] std::uint32_t rank_of(std::uint32_t actor) const noexcept { return rank_of_[actor]; }
    /// 0: the user, else 1 + stream, or more for what carries a message.
    [[nodiscard]] std::uint32_t place_of(std::uint32_t actor) const noexcept { return actor - first_actor_[rank_of_[actor]]; }

    [[nodiscard]] std::uint32_t lines() const noexcept { return first_line_.back(); }
    [[nodiscard]] std::uint32_t line(counter const& c, int epoch) const noexcept {
        auto const instance = c.instances == parity::epoch ? slot_of(c, ix(epoch)) : 0U;
        return first_line_[ix(c.host)] + c.index + instance;
    }
    /// Choices by a number that means the same on all ranks.
    [[nodiscard]] std::uint32_t number_of(plan_choice const& c) const { return choices_.at(c.key); }
    /// How many ways the one with the most has; 1 if there is none.
    [[nodiscard]] std::uint8_t most_ways() const noexcept { return most_ways_; }

    /// "counter line 3 of rank 1".
    [[nodiscard]] std::string name_of_line(std::uint32_t line) const;

private:
    std::span<plan const> plans_;
    std::span<std::vector<array_model> const> arrays_;
    std::span<int const> machines_;
    std::span<int const> wires_;
    std::vector<std::uint32_t> first_actor_;
    std::vector<std::uint32_t> rank_of_;
    std::vector<std::uint32_t> first_line_;
    std::vector<std::vector<std::uint32_t>> combiners_; // by rank and operator
    std::map<std::uint64_t, std::uint32_t> choices_;    // by key
    std::uint8_t most_ways_ = 1;
    struct message_actors {
        std::uint32_t teller = 0;
        std::uint32_t carriers = 0; // behind the teller; none for what is sent
    };
    [[nodiscard]] std::uint32_t number_messages(std::size_t rank, std::uint32_t first);
    std::map<std::pair<std::size_t, std::uint32_t>, message_actors> messages_; // by rank and descriptor
    std::map<std::pair<std::size_t, std::uint32_t>, std::uint32_t> groups_;    // by rank and ordinal
};

/// Which way every choice of the plans goes, epoch by epoch: over three of them in turn, each choice beginning at another one; or
/// as it comes.
struct turns_of_ways {
    std::array<std::uint8_t, 3> ways{};
    std::uint64_t seed = 0; ///< not 0: as it comes
    bool own = false;       ///< each way counts the epochs in which it is active, and no others

    /// `number`: as job::number_of().
    [[nodiscard]] std::uint8_t way(std::uint32_t number, int epoch, std::uint8_t of) const noexcept {
        if (seed == 0) return ways[(static_cast<std::uint32_t>(epoch) + number) % ways.size()] % of;
        auto const mixed = value_of({.rank = number, .granule = seed, .epoch = static_cast<std::uint32_t>(epoch)});
        return static_cast<std::uint8_t>((mixed >> 32U) % of);
    }
    /// What epoch it is for a way that is active in `epoch`.
    [[nodiscard]] int turn(std::uint32_t number, int epoch, std::uint8_t active, std::uint8_t of) const noexcept {
        if (!own) return epoch;
        int n = 0;
        for (int e = 1; e <= epoch; ++e) n += way(number, e, of) == active ? 1 : 0;
        return n;
    }
};

/// At which half every group of buffered arrays is, epoch by epoch.
struct flips {
    bool alternating = true;

    // Shifted against the epoch's own parity, so that a plan that takes one for the other is found out.
    [[nodiscard]] std::uint32_t half(std::uint32_t group, int epoch) const noexcept {
        return (alternating ? static_cast<std::uint32_t>(epoch) + group + 1 : group) & 1U;
    }
};

} // namespace sode::internal::proof
