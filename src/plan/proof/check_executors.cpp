// SPDX-License-Identifier: Apache-2.0
#include "plan/combiners.hpp"
#include "plan/proof/well_formed.hpp"

#include <fmt/format.h>

#include <map>
#include <vector>

namespace sode::internal::proof {
namespace {

class executor_check {
public:
    executor_check(job const& all, std::size_t rank, report& findings) : job_(all), plan_(all.of(rank)), report_(findings) {}

    void run() {
        for (std::size_t s = 0; s < plan_.streams.size(); ++s) {
            auto const& e = plan_.streams[s].runs_on;
            if (e.kind > executor_kind::proxy) {
                wrong(s, "is for no executor", "there is no such kind", "check the builder");
                continue;
            }
            if (e.kind == executor_kind::caller && e.number != 0)
                wrong(s, fmt::format("is for {}", describe(e)), "a rank has only one caller", "leave its number 0");
            if (e.kind == executor_kind::queue) check_queue(s, e);
            for (std::size_t i = plan_.streams[s].first; plan_.descriptors[i].op != operation::end; ++i)
                check(s, e, plan_.descriptors[i]);
        }
    }

private:
    // What is in a queue is issued in its order: of two streams one would hold up the other. Of the ways of a choice only one has
    // anything to issue in an epoch.
    void check_queue(std::size_t s, executor const& e) {
        auto const& all = plan_.streams;
        auto& there = queues_[e.number];
        for (auto const other : there)
            if (all[s].choice == 0 || all[s].choice != all[other].choice || all[s].way == all[other].way)
                return wrong(s, fmt::format("is for {}", describe(e)), fmt::format("stream {} uses it already", other),
                             "give each stream a queue of its own");
        there.push_back(s);
    }

    void check(std::size_t s, executor const& e, descriptor const& d) {
        bool const carried = is_put(d.op) && !job_.stores_to(ix(plan_.rank), ix(d.peer));
        if ((is_message(d.op) || carried) && !can_message(e.kind))
            wrong(s, fmt::format("has messages, and is for {}", describe(e)), "only the host can start messages",
                  "give them to the caller or a proxy");
        bool const calls = d.op == operation::call || (d.op == operation::reduce && is_users(d.argument));
        if (calls && e.kind != executor_kind::caller)
            wrong(s, fmt::format("calls functions of the program, and is for {}", describe(e)),
                  "only the rank's own thread can call them", "give them to the caller");
    }

    void wrong(std::size_t s, std::string_view problem, std::string_view why, std::string_view advice) {
        report_.add(finding::type::malformed, ix(plan_.rank), s,
                    [&] { return fmt::format("rank {}, stream {} {} ({}) {}", plan_.rank, s, problem, why, advice); });
    }

    job const& job_;
    plan const& plan_;
    report& report_;
    std::map<std::uint32_t, std::vector<std::size_t>> queues_; // the streams that each has
};

} // namespace

void check_executors(job const& all, report& findings) {
    for (std::size_t r = 0; r < all.ranks(); ++r) executor_check{all, r, findings}.run();
}

} // namespace sode::internal::proof
