// SPDX-License-Identifier: Apache-2.0
#include "collectives/collective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace sode::internal::bench {
namespace {

constexpr std::array<std::string_view, 11> known{"barrier", "bcast",  "reduce",  "allreduce", "reduce_scatter", "scan",
                                                 "exscan",  "gather", "scatter", "allgather", "alltoall"};

// Element i of what a rank gives in a round. Sums over ranks are as easy to know.
long value(long rank, std::uint64_t round, std::size_t i) {
    return 1000003 * (rank + 1) + static_cast<long>(round) * 7919 + static_cast<long>(i) * (rank + 3);
}
long sum(long first, long last, std::uint64_t round, std::size_t i) {
    long s = 0;
    for (long r = first; r < last; ++r) s += value(r, round, i);
    return s;
}

} // namespace

std::span<std::string_view const> operations() {
    return known;
}

std::string collective_case::name() const {
    return operation == "barrier" ? operation : fmt::format("{} {} B", operation, elements * sizeof(long));
}

std::size_t collective_case::given(int rank, int ranks) const {
    auto const p = static_cast<std::size_t>(ranks);
    if (operation == "barrier") return 0;
    if (operation == "alltoall" || operation == "reduce_scatter") return elements * p;
    if (operation == "scatter") return rank == root ? elements * p : 0;
    return elements;
}

std::size_t collective_case::got(int rank, int ranks) const {
    auto const p = static_cast<std::size_t>(ranks);
    if (operation == "barrier") return 0;
    if (operation == "alltoall" || operation == "allgather") return elements * p;
    if (operation == "gather") return rank == root ? elements * p : 0;
    if (operation == "reduce") return rank == root ? elements : 0;
    return elements;
}

collective_subject::collective_subject(std::string name, collective_case const& c, int rank, int ranks, std::span<long> in,
                                       std::span<long> out, std::function<void()> run)
    : name_(std::move(name)), case_(c), rank_(rank), ranks_(ranks), in_(in), out_(out), run_(std::move(run)) {}

void collective_subject::rewrite(std::uint64_t round, bool /*everything*/) {
    for (std::size_t i = 0; i < in_.size(); ++i) in_[i] = value(rank_, round, i);
}

void collective_subject::poison() {
    if (in_.data() != out_.data()) std::ranges::fill(out_, -1);
}

long collective_subject::mismatches(std::uint64_t round) {
    auto const& op = case_.operation;
    auto const n = case_.elements;
    auto const expected = [&](std::size_t i) -> long {
        if (op == "bcast") return value(collective_case::root, round, i);
        if (op == "reduce" || op == "allreduce") return sum(0, ranks_, round, i);
        if (op == "reduce_scatter") return sum(0, ranks_, round, n * static_cast<std::size_t>(rank_) + i);
        if (op == "scan") return sum(0, rank_ + 1, round, i);
        if (op == "exscan") return sum(0, rank_, round, i);
        auto const other = static_cast<long>(i / n);
        if (op == "gather" || op == "allgather") return value(other, round, i % n);
        if (op == "scatter") return value(collective_case::root, round, n * static_cast<std::size_t>(rank_) + i);
        return value(other, round, n * static_cast<std::size_t>(rank_) + i % n);
    };
    if (op == "exscan" && rank_ == 0) return 0;
    long wrong = 0;
    for (std::size_t i = 0; i < out_.size(); ++i) wrong += out_[i] != expected(i) ? 1 : 0;
    return wrong;
}

} // namespace sode::internal::bench
