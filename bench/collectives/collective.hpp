// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "support/race.hpp"

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sode::internal::bench {

/// What is raced: an operation on so many 64-bit integers of each rank (of each pair of ranks for alltoall).
struct collective_case {
    std::string operation;
    std::size_t elements = 0;

    [[nodiscard]] std::string name() const;
    /// Elements that a rank gives and gets.
    [[nodiscard]] std::size_t given(int rank, int ranks) const;
    [[nodiscard]] std::size_t got(int rank, int ranks) const;
    static constexpr int root = 0;
};
/// Those that are known, in the order of tables.
[[nodiscard]] std::span<std::string_view const> operations();

/// One way to do it, in memory of its own.
class collective_subject final : public subject {
public:
    /// `run` does it, from `in` to `out`, which are the same memory for a broadcast.
    collective_subject(std::string name, collective_case const& c, int rank, int ranks, std::span<long> in, std::span<long> out,
                       std::function<void()> run);

    [[nodiscard]] std::string const& name() const noexcept override { return name_; }
    void rewrite(std::uint64_t round, bool everything) override;
    void exchange() override { run_(); }
    void poison() override;
    [[nodiscard]] long mismatches(std::uint64_t round) override;

private:
    std::string name_;
    collective_case const& case_;
    int rank_, ranks_;
    std::span<long> in_, out_;
    std::function<void()> run_;
};

} // namespace sode::internal::bench
