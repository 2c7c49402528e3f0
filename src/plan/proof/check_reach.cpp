// SPDX-License-Identifier: Apache-2.0
#include "plan/proof/well_formed.hpp"

#include <fmt/format.h>

namespace sode::internal::proof {
namespace {

class reach_check {
public:
    reach_check(job const& all, std::size_t rank, report& findings) : job_(all), rank_(rank), report_(findings) {}

    void run() {
        auto const& p = job_.of(rank_);
        for (std::size_t i = 0; i < p.descriptors.size(); ++i) {
            auto const& d = p.descriptors[i];
            bool const puts = d.op == operation::put && !job_.on_one_machine(rank_, ix(d.peer)); // gets anywhere
            if (d.trigger != 0) check(i, p.counters[d.trigger]);
            if (d.signal != 0 && !puts) check(i, p.counters[d.signal]);
            if (moves_data(d.op) || is_end(d.op)) check(i, p.buffers[d.src]);
            if ((moves_data(d.op) && !puts) || d.op == operation::call) check(i, p.buffers[d.dst]);
            if (d.operand != 0) check(i, p.buffers[p.operands[d.operand].buffer]);
        }
    }

private:
    void check(std::size_t i, counter const& c) {
        if (!job_.on_one_machine(rank_, ix(c.host))) far(i, fmt::format("counter line {} of rank {}", c.index, c.host), c.host);
    }

    void check(std::size_t i, buffer const& b) {
        if (ix(b.host) == rank_) return;
        if (!job_.on_one_machine(rank_, ix(b.host))) return far(i, name_of(b), b.host);
        if (b.role == buffer_role::array && !job_.array(ix(b.host), b.ordinal)->shared)
            wrong(i, name_of(b), "it is not shared memory", "let its owner copy it to a stage, or from one");
    }

    void far(std::size_t i, std::string const& what, std::int32_t host) {
        wrong(i, what, fmt::format("rank {} is on another machine", host), "send a message, or put");
    }

    void wrong(std::size_t i, std::string const& what, std::string const& why, std::string_view advice) {
        report_.add(finding::type::unreachable, rank_, i,
                    [&] { return fmt::format("{} touches {} ({}) {}", name_of(job_.of(rank_), i), what, why, advice); });
    }

    job const& job_;
    std::size_t rank_;
    report& report_;
};

} // namespace

void check_reach(job const& all, report& findings) {
    for (std::size_t r = 0; r < all.ranks(); ++r) reach_check{all, r, findings}.run();
}

} // namespace sode::internal::proof
