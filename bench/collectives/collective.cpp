// SPDX-License-Identifier: Apache-2.0
#include "collectives/collective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace sode::internal::bench {
namespace {

constexpr std::array<std::string_view, 11> known{"barrier", "bcast",  "reduce",  "allreduce", "reduce_scatter", "scan",
                                                 "exscan",  "gather", "scatter", "allgather", "alltoall"};

// Element i of what ranks first to last - 1 give in a round, together. Equal to the sum of what each of them gives alone.
long sum(long first, long last, std::uint64_t round, std::size_t i) {
    long const count = last - first, ranks = (first + last - 1) * count / 2;
    return 1000003 * (ranks + count) + static_cast<long>(round) * 7919 * count + static_cast<long>(i) * (ranks + 3 * count);
}

} // namespace

std::span<std::string_view const> operations() {
    return known;
}

std::string collective_case::name() const {
    return operation == "barrier" ? operation : fmt::format("{} {} B", operation, elements * sizeof(long));
}

bool collective_case::gives_pieces() const {
    return operation == "alltoall" || operation == "reduce_scatter" || operation == "scatter";
}

std::size_t collective_case::given(int rank, int ranks) const {
    if (operation == "barrier" || (operation == "scatter" && rank != root)) return 0;
    return gives_pieces() ? elements * static_cast<std::size_t>(ranks) : elements;
}

std::size_t collective_case::got(int rank, int ranks) const {
    auto const p = static_cast<std::size_t>(ranks);
    if (operation == "barrier") return 0;
    if (operation == "alltoall" || operation == "allgather") return elements * p;
    if (operation == "gather") return rank == root ? elements * p : 0;
    if (operation == "reduce") return rank == root ? elements : 0;
    return elements;
}

givers collective_case::of(int rank, int ranks) const {
    bool const is_root = rank == root;
    if (operation == "bcast") return is_root ? givers{} : givers{root, root + 1};
    if (operation == "scatter") return {root, root + 1};
    if (operation == "gather") return is_root ? givers{0, ranks} : givers{};
    if (operation == "reduce") return is_root ? givers{0, ranks, true} : givers{};
    if (operation == "scan") return {0, rank + 1, true};
    if (operation == "exscan") return {0, rank, true};
    return {0, ranks, operation == "allreduce" || operation == "reduce_scatter"};
}

collective_subject::collective_subject(std::string name, collective_case const& c, int rank, int ranks, std::span<long> in,
                                       std::span<long> out, collective_steps steps, std::shared_ptr<void> keep)
    : keep_(std::move(keep)), name_(std::move(name)), case_(c), rank_(rank), ranks_(ranks), in_(in), out_(out),
      steps_(std::move(steps)) {
    steps_.init();
}

collective_subject::~collective_subject() {
    steps_.free();
}

void collective_subject::rewrite(std::uint64_t round, bool /*everything*/) {
    for (std::size_t i = 0; i < in_.size(); ++i) in_[i] = sum(rank_, rank_ + 1, round, i);
}

void collective_subject::poison() {
    if (in_.data() != out_.data()) std::ranges::fill(out_, -1);
}

long collective_subject::mismatches(std::uint64_t round) {
    auto const from = case_.of(rank_, ranks_);
    if (from.first == from.last) return 0; // it gets nothing, or has it
    auto const n = case_.elements;
    std::size_t const skipped = case_.gives_pieces() ? n * static_cast<std::size_t>(rank_) : 0;
    long wrong = 0;
    for (std::size_t i = 0; i < out_.size(); ++i) {
        long const giver = from.first + (from.combined ? 0 : static_cast<long>(i / n));
        long const last = from.combined ? from.last : giver + 1;
        wrong += out_[i] != sum(giver, last, round, skipped + (from.combined ? i : i % n)) ? 1 : 0;
    }
    return wrong;
}

} // namespace sode::internal::bench
