// SPDX-License-Identifier: Apache-2.0
#include "plan/verify.hpp"

#include "plan/proof/origin.hpp"
#include "plan/proof/well_formed.hpp"
#include "plan/proof/witness.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace sode::internal {
namespace proof {
namespace {

void report_deadlock(job const& all, machine const& m, report& findings) {
    for (auto const& s : m.stuck()) {
        auto const& p = all.of(s.rank);
        findings.add(finding::type::deadlock, s.rank, s.actor, [&] {
            auto const& c = p.counters[s.what->trigger];
            auto const writer =
                c.kind == counter_kind::sum ? std::string{"several ranks add to it"} : fmt::format("rank {} sets it", c.writer);
            return fmt::format("{} waits forever in epoch {} ({} stays at {}, {} is needed; {}) find out where that rank waits",
                               name_of(p, s.index), s.epoch, all.name_of_line(s.trigger), m.value(s.trigger), s.threshold, writer);
        });
    }
}

/// What an epoch adds to a sum is its step; else thresholds drift away from it.
void check_sums(job const& all, machine const& m, int epochs, report& findings) {
    for (std::size_t r = 0; r < all.ranks(); ++r)
        for (std::size_t i = 1; i < all.of(r).counters.size(); ++i) {
            auto const& c = all.of(r).counters[i];
            if (c.kind != counter_kind::sum || ix(c.host) != r || m.value(all.line(c, 0)) == epochs * c.step) continue;
            findings.add(finding::type::malformed, r, i, [&] {
                return fmt::format("{} grows by {} in {} epochs (its step is {}) make the two agree",
                                   all.name_of_line(all.line(c, 0)), m.value(all.line(c, 0)), epochs, c.step);
            });
        }
}

void run(job const& all, flips halves, turns_of_ways ways, put_carrier puts, int epochs, report& findings) {
    machine m{all, epochs, ways, puts};
    witness w{all, halves, epochs, m, findings};
    m.run(w);
    if (findings.full()) return;
    if (!m.finished()) return report_deadlock(all, m, findings);
    if (!ways.own) check_sums(all, m, epochs, findings);
}

/// Whether there are puts that may be carried in two ways.
bool puts_between_machines(job const& all) {
    for (std::size_t r = 0; r < all.ranks(); ++r)
        if (std::ranges::any_of(all.of(r).descriptors,
                                [&](descriptor const& d) { return d.op == operation::put && !all.stores_to(r, ix(d.peer)); }))
            return true;
    return false;
}

/// The most instances that epochs go through in turn.
std::uint32_t slots_of(std::span<plan const> plans) {
    std::uint32_t most = 1;
    auto const see = [&](auto const& entry) {
        if (entry.instances == parity::epoch) most = std::max(most, instances_of(entry));
    };
    for (auto const& p : plans) {
        std::ranges::for_each(p.buffers, see);
        for (std::size_t i = 1; i < p.counters.size(); ++i) see(p.counters[i]); // "none" may say anything
    }
    return most;
}

} // namespace
} // namespace proof

std::string_view to_string(finding::type kind) {
    switch (kind) {
    case finding::type::bounds: return "bounds";
    case finding::type::missing: return "missing";
    case finding::type::duplicate: return "duplicate";
    case finding::type::wrong_source: return "wrong source";
    case finding::type::wrong_operator: return "wrong operator";
    case finding::type::stray_write: return "stray write";
    case finding::type::uninitialised: return "uninitialised";
    case finding::type::deadlock: return "deadlock";
    case finding::type::race: return "race";
    case finding::type::unreachable: return "unreachable";
    case finding::type::malformed: return "malformed";
    }
    return "unknown";
}

std::vector<finding> verify(std::span<plan const> plans, std::span<std::vector<array_model> const> arrays,
                            verify_options const& options) {
    constexpr int most_epochs = proof::most_slots + 1;
    if (options.epochs < 1 || options.epochs > most_epochs)
        throw error{error_kind::usage, fmt::format("verify cannot run over {} epochs", options.epochs),
                    fmt::format("verify can distinguish 1 to {} epochs", most_epochs),
                    "use 3 epochs for plans with two alternating instances, or k + 1 epochs for plans with k instances"};
    if (!options.machines.empty() && options.machines.size() != plans.size())
        throw error{
            error_kind::usage,
            fmt::format("verify got the machines of {} ranks, and the plans of {} ranks", options.machines.size(), plans.size()),
            "each rank is on one machine", "pass the machine of each rank, or no machines"};
    if (!options.wires.empty() && options.wires.size() != plans.size())
        throw error{
            error_kind::usage,
            fmt::format("verify got the networks of {} ranks, and the plans of {} ranks", options.wires.size(), plans.size()),
            "each rank is on one network, or on none", "pass the network of each rank, or no networks"};
    proof::report findings{options.most_findings};
    if (plans.empty()) return {};
    proof::check_identity(plans, arrays, findings);
    if (!findings.empty()) return findings.take();

    proof::job const all{plans, arrays, options.machines, options.wires};
    for (auto const check :
         {proof::check_counters, proof::check_buffers, proof::check_programs, proof::check_streams, proof::check_executors,
          proof::check_kinds, proof::check_puts, proof::check_bounds, proof::check_peers, proof::check_reach}) {
        check(all, findings);
        if (!findings.empty()) return findings.take();
    }
    int const epochs = std::max(options.epochs, static_cast<int>(proof::slots_of(plans)) + 1);
    bool const may_stay = !plans.front().alternates && plans.front().groups > 0;
    bool const any_carried = proof::puts_between_machines(all);
    auto const try_ways = [&](proof::turns_of_ways const& ways) {
        for (auto const puts : {proof::put_carrier::network, proof::put_carrier::messages}) {
            if (puts == proof::put_carrier::messages && !any_carried) continue;
            if (findings.empty()) proof::run(all, {.alternating = true}, ways, puts, epochs, findings);
            if (may_stay && findings.empty()) proof::run(all, {.alternating = false}, ways, puts, epochs, findings);
        }
    };
    // All that three epochs in a row can do: any two ways follow each other, with any third one before or after.
    auto const n = all.most_ways();
    auto const digit = [&](int of) { return static_cast<std::uint8_t>(of % n); };
    for (int k = 0; k < n * n * n; ++k) try_ways({.ways = {digit(k), digit(k / n), digit(k / n / n)}, .own = options.own_epochs});
    // Epochs further apart meet in the same slot, and several choices in one epoch: what comes by chance.
    constexpr std::uint64_t drawn = 16;
    for (std::uint64_t seed = 1; n > 1 && seed <= drawn; ++seed) try_ways({.seed = seed, .own = options.own_epochs});
    return findings.take();
}

} // namespace sode::internal
