// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "support/race.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace sode::internal::bench {

/// The ranks whose values one rank gets: of each a piece, or all of them combined.
struct givers {
    int first = 0, last = 0; ///< first == last: nobody
    bool combined = false;
};

/// What is raced: an operation on so many 64-bit integers of each rank (of each pair of ranks for alltoall).
struct collective_case {
    std::string operation;
    std::size_t elements = 0;

    [[nodiscard]] std::string name() const;
    /// Elements that a rank gives and gets.
    [[nodiscard]] std::size_t given(int rank, int ranks) const;
    [[nodiscard]] std::size_t got(int rank, int ranks) const;
    /// What a rank gives has a piece for each rank, of which that rank gets no other.
    [[nodiscard]] bool gives_pieces() const;
    /// Those whose values a rank gets; nobody for the root of a broadcast, which has them.
    [[nodiscard]] givers of(int rank, int ranks) const;
    static constexpr int root = 0;
};
/// Those that are known, in the order of tables.
[[nodiscard]] std::span<std::string_view const> operations();

/// The four parts of a collective that is planned. Each is called by all ranks.
struct collective_steps {
    std::function<void()> init = [] {}; ///< before the first start, and again after `free`
    std::function<void()> start;
    std::function<void()> wait = [] {};
    std::function<void()> free = [] {};
    bool returns_early = false; ///< others may still read what this rank has given: ranks meet, outside the time
};

/// One way to do it, in memory of its own.
class collective_subject final : public subject {
public:
    /// `steps` do it, from `in` to `out`, which are the same memory for a broadcast. `keep` outlives them. Calls init.
    collective_subject(std::string name, collective_case const& c, int rank, int ranks, std::span<long> in, std::span<long> out,
                       collective_steps steps, std::shared_ptr<void> keep);
    /// Calls free.
    ~collective_subject() override;
    collective_subject(collective_subject const&) = delete;
    collective_subject& operator=(collective_subject const&) = delete;

    [[nodiscard]] std::string const& name() const noexcept override { return name_; }
    void rewrite(std::uint64_t round, bool everything) override;
    void exchange() override {
        steps_.start();
        steps_.wait();
    }
    [[nodiscard]] double timed(tick_rate const& rate, control& shared) override {
        double const us = subject::timed(rate, shared);
        if (steps_.returns_early) shared.barrier();
        return us;
    }
    void poison() override;
    [[nodiscard]] long mismatches(std::uint64_t round) override;

    [[nodiscard]] collective_steps const& steps() const noexcept { return steps_; }

private:
    std::shared_ptr<void> keep_;
    std::string name_;
    collective_case const& case_;
    int rank_, ranks_;
    std::span<long> in_, out_;
    collective_steps steps_;
};

} // namespace sode::internal::bench
