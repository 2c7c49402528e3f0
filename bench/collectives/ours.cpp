// SPDX-License-Identifier: Apache-2.0
#include "collectives/ours.hpp"

#include <sode/sode.hpp>

namespace sode::internal::bench {
namespace {

std::unique_ptr<planned> plan(runtime& rt, collective_case const& c, std::span<long> in, std::span<long> out) {
    std::span<long const> const given = in;
    auto const& op = c.operation;
    auto const keep = [](auto p) { return std::make_unique<planned>(std::move(p)); };
    if (op == "barrier") return keep(barrier_init(rt));
    if (op == "bcast") return keep(broadcast_init(rt, in, collective_case::root));
    if (op == "reduce") return keep(reduce_init(rt, given, out, sum, collective_case::root));
    if (op == "allreduce") return keep(allreduce_init(rt, given, out, sum));
    if (op == "reduce_scatter") return keep(reduce_scatter_init(rt, given, out, sum));
    if (op == "scan") return keep(scan_init(rt, given, out, sum));
    if (op == "exscan") return keep(exscan_init(rt, given, out, sum));
    if (op == "gather") return keep(gather_init(rt, given, out, collective_case::root));
    if (op == "scatter") return keep(scatter_init(rt, given, out, collective_case::root));
    if (op == "allgather") return keep(allgather_init(rt, given, out));
    return keep(alltoall_init(rt, given, out));
}

} // namespace

std::vector<std::unique_ptr<collective_subject>> our_collectives(runtime& rt, collective_case const& c) {
    auto const in_elements = c.given(rt.rank(), rt.size()), out_elements = c.got(rt.rank(), rt.size());
    bool const one = c.operation == "bcast";
    std::vector<std::unique_ptr<collective_subject>> all;
    auto const add = [&](char const* name, std::shared_ptr<void> keep, std::span<long> in, std::span<long> out) {
        auto const p = std::make_shared<std::unique_ptr<planned>>();
        collective_steps steps{[p, in, out, &rt, &c] { *p = plan(rt, c, in, out); }, [p] { (*p)->start(); }, [p] { (*p)->wait(); },
                               [p] { p->reset(); }};
        all.push_back(
            std::make_unique<collective_subject>(name, c, rt.rank(), rt.size(), in, out, std::move(steps), std::move(keep)));
    };
    auto const own = std::make_shared<std::vector<long>>(in_elements + out_elements + 64);
    auto const in = std::span{*own}.first(in_elements);
    add("own", own, in, one ? in : std::span{*own}.subspan(in_elements + 8, out_elements));
    auto const block = detail::allocate(rt.job(), (in_elements + out_elements + 64) * sizeof(long));
    auto const shared = std::span{reinterpret_cast<long*>(block.get()), in_elements + out_elements + 64};
    add("shared", block, shared.first(in_elements),
        one ? shared.first(in_elements) : shared.subspan((in_elements + 7) / 8 * 8, out_elements));
    return all;
}

} // namespace sode::internal::bench
