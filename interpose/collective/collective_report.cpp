// SPDX-License-Identifier: Apache-2.0
#include "interpose/collective/collective_report.hpp"

#include "interpose/transport/pmpi_bootstrap.hpp"

#include <fmt/format.h>

#include <numeric>
#include <vector>

namespace sode::internal::interpose {

namespace {

constexpr std::array<char const*, left_to_mpi_reasons> reasons{
    "with one rank on each machine, or without a step within a machine",
    "first calls on a communicator, or of a kind",
    "of 0 bytes, or too large for a stored plan",
    "all plans of the communicator, or all memory for plans, are in use",
    "MPI is faster, or a trial is in progress",
    "nonblocking, and no blocking collective followed in which ranks could agree on a plan",
    "an operator or a datatype that only MPI knows",
    "persistent, on several machines, without MPI_THREAD_MULTIPLE"};

} // namespace

std::string collective_report::text(pmpi_bootstrap& ranks) const {
    std::vector<decltype(rows_)> all(static_cast<std::size_t>(ranks.size()));
    static_cast<bootstrap&>(ranks).allgather(&rows_, sizeof rows_, all.data());
    if (ranks.rank() != 0) return {};
    auto sum = all.front();
    for (std::size_t r = 1; r < all.size(); ++r)
        for (std::size_t f = 0; f < sum.size(); ++f)
            for (std::size_t i = 0; i < sum[f].size(); ++i) sum[f][i] += all[r][f][i];
    std::int64_t carried = 0, calls = 0;
    row left{};
    for (auto const& r : sum) {
        carried += r.back();
        calls += std::accumulate(r.begin(), r.end(), std::int64_t{0});
        for (std::size_t i = 0; i < left_to_mpi_reasons; ++i) left[i] += r[i];
    }
    if (calls == 0) return {};
    auto text = fmt::format("sode: {} of {} collective calls of all ranks went by plans ({} %)\n  {:<26} {:>12} {:>12}\n", carried,
                            calls, 100 * carried / calls, "function", "by plans", "by MPI");
    for (std::size_t f = 0; f < sum.size(); ++f)
        if (auto const n = std::accumulate(sum[f].begin(), sum[f].end(), std::int64_t{0}); n > 0)
            text += fmt::format("  {:<26} {:>12} {:>12}\n", name_of(static_cast<planned_function>(f % functions), f >= functions),
                                sum[f].back(), n - sum[f].back());
    if (carried < calls) text += "  passed on to MPI:\n";
    for (std::size_t i = 0; i < left_to_mpi_reasons; ++i)
        if (left[i] > 0) text += fmt::format("  {:>12} calls: {}\n", left[i], reasons[i]);
    return text;
}

} // namespace sode::internal::interpose
