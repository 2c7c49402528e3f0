// SPDX-License-Identifier: Apache-2.0
#include "engine/triggered/interface_share.hpp"

#include "base/clock.hpp"
#include "base/contract.hpp"
#include "engine/combine.hpp"
#include "engine/triggered/chain_proof.hpp"

#include <utility>

namespace sode::internal {

using pass = round_thread::pass;
using turn = round_thread::turn;

interface_share::interface_share(schedule const& p, network_interface& nic, std::vector<row_function> const& rows,
                                 std::atomic<std::size_t>& left, std::atomic<std::uint64_t>& moves)
    : plan_(p), nic_(nic), rows_(rows), left_(left), moves_(moves) {
    nic_.thread.add(*this);
}

interface_share::~interface_share() {
    nic_.thread.remove(*this);
    turn const mine{nic_.thread};
    nic_.channels.drop(&under_way_);
    for (auto& [descriptor, chain] : chains_) nic_.homes.release(chain);
}

void interface_share::add(std::uint32_t stream, std::vector<std::uint32_t> const& branches) {
    turn const mine{nic_.thread};
    auto& queue = queues_.emplace_back(plan_, stream, branches, 0U);
    bool puts = false;
    for (auto i = plan_.streams[stream].first; plan_.descriptors[i].op != operation::end; ++i) {
        auto const& d = plan_.descriptors[i];
        if (d.op != operation::put || d.program >= plan_.programs.size()) continue;
        auto const& program = plan_.programs[d.program];
        auto const steps = chain_of(program);
        if (steps.empty()) continue;
        SODE_EXPECT(wrong_in_chain(program, steps).empty(), "a chain moves what its program does");
        chains_[i] = nic_.homes.keep(steps);
        puts = true;
    }
    if (puts) queue.channel = nic_.putting_queues++;
}

void interface_share::ring(std::uint64_t number, epoch_tables::table places, std::span<std::uint8_t const> ways) {
    places_ = places;
    ways_ = ways;
    rung_.store(number, std::memory_order_release);
    nic_.thread.wake();
}

void interface_share::help() {
    static_cast<void>(nic_.thread.help(*this));
}

void interface_share::catch_up() {
    turn const mine{nic_.thread};
    static_cast<void>(go());
}

void interface_share::abandon(std::uint64_t number) noexcept {
    turn const mine{nic_.thread};
    nic_.channels.drop(&under_way_);
    under_way_ = 0;
    for (auto& q : queues_) q.live = false;
    live_ = 0;
    begun_ = done_ = number;
}

bool interface_share::standing(std::uint64_t number, std::span<std::uint32_t> at, std::size_t& n) const noexcept {
    turn const mine{nic_.thread};
    if (begun_ != number) return false;
    for (auto const& q : queues_)
        if (q.live && n < at.size()) at[n++] = q.session.at();
    return true;
}

std::uint64_t interface_share::executed() const noexcept {
    turn const mine{nic_.thread};
    return executed_;
}

void interface_share::count_chains(chain_counts& all) const {
    for (auto const& [descriptor, chain] : chains_) {
        ++all.chains;
        (chain.internal ? all.internal : all.host) += chain.steps.size();
    }
}

void interface_share::begin(std::uint64_t number) {
    begun_ = number;
    for (auto& q : queues_) {
        auto const& s = plan_.streams[q.stream];
        q.live = s.choice == 0 || ways_[s.choice - 1] == s.way;
        if (!q.live) continue;
        ++live_;
        q.session.begin(places_, number, nic_.counts);
    }
}

pass interface_share::go() {
    auto const wanted = rung_.load(std::memory_order_acquire);
    if (wanted == done_) return pass::nothing_to_do;
    bool moved = false;
    if (begun_ != wanted) {
        begin(wanted);
        moved = true;
    }
    for (auto& q : queues_) {
        if (!q.live) continue;
        moved |= q.session.go([&](ready_descriptor const& r) { issue(q, r); }, nic_.counts);
        if (!q.session.over()) continue;
        q.live = false;
        --live_;
    }
    moved |= nic_.channels.go(); // also what others have handed over, and they ours
    bool const over = live_ == 0 && under_way_ == 0;
    if (!moved && !over) return pass::idle;
    if (over) {
        done_ = wanted;
        over_at_.store(now_ns(), std::memory_order_relaxed);
        left_.fetch_sub(1, std::memory_order_acq_rel);
    }
    moves_.fetch_add(1, std::memory_order_release);
    return pass::moved;
}

void interface_share::issue(queue const& q, ready_descriptor const& r) {
    using kind = ready_descriptor::kind;
    executed_ += r.covers;
    switch (r.does) {
    case kind::put:
        if (auto const chain = chains_.find(r.descriptor); chain != chains_.end()) {
            ++under_way_;
            ++nic_.counts.chains;
            return nic_.channels.start(q.channel, {chain->second.steps, r, &under_way_}); // which gives its signal
        }
        [[fallthrough]];
    case kind::copy: r.kernel(*r.program, r.target, r.source); break;
    case kind::assist:
        ++nic_.counts.assists;
        run(rows_[r.descriptor], *r.program, r.target, r.first, r.source);
        break;
    default: break;
    }
    r.publish();
}

} // namespace sode::internal
