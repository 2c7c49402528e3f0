// SPDX-License-Identifier: Apache-2.0
#include "engine/wait_watch.hpp"

#include "base/warn.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace sode::internal {
namespace {

// A stream that is over may have left messages, so there may be more of these than streams.
std::size_t most_standing(schedule const& p) {
    auto const may_be_left = [](descriptor const& d) { return is_end(d.op) || d.op == operation::put; };
    return p.streams.size() + static_cast<std::size_t>(std::ranges::count_if(p.descriptors, may_be_left));
}

} // namespace

wait_watch::wait_watch(schedule const& p, context const& c, std::uint64_t serial, engine& e, exchange_tracer* trace)
    : plan_(p), context_(c), engine_(e), trace_(trace), standing_(most_standing(p)), number_(c.ranks.plan_number(serial)),
      starts_(c.waits && c.waits->checks() ? c.waits : nullptr) {}

progress wait_watch::look(double elapsed) {
    // What is told now must be true: that this rank could do nothing.
    if (auto const news = engine_.catch_up(); news != progress::idle) return news;
    if (context_.waits) {
        if (told_)
            context_.waits->tell_round();
        else
            tell_wait();
        look_for_standstill();
    }
    if (auto const news = look_after_peers(); news != progress::idle) return news;
    look_at_the_clock(elapsed);
    return progress::idle;
}

std::span<std::uint32_t const> wait_watch::standing() {
    return {standing_.data(), engine_.standing(standing_)};
}

// The rank that a stream waits for: who sets the flag, or, for a message, whom it comes from or goes to. Negative: that is not
// known.
int wait_watch::awaited_at(std::uint32_t descriptor) const noexcept {
    auto const& d = plan_.descriptors[descriptor];
    if (d.op == operation::put) return d.peer; // who gives its credit, or has not taken it yet
    int const writer = plan_.counters[d.trigger].writer;
    return writer == plan_.rank ? d.peer : writer;
}

// Tells the others what this rank waits for, until it has done anything.
void wait_watch::tell_wait() {
    constexpr std::size_t most = 64;
    std::array<waiting_rank::source, most> from;
    std::size_t n = 0;
    auto const streams = standing();
    bool all_told = !streams.empty();
    auto const add = [&](int rank, bool by_message) {
        waiting_rank::source const s{called(rank), by_message};
        if (std::find(from.begin(), from.begin() + n, s) != from.begin() + n) return;
        if (n == most)
            all_told = false;
        else
            from[n++] = s;
    };
    for (auto const at : streams) {
        auto const trigger = plan_.descriptors[at].trigger;
        int const writer = plan_.counters[trigger].writer;
        if (writer < 0 || plan_.descriptors[at].op == operation::put) { // the library underneath may finish a put by itself
            all_told = false;
        } else if (writer != plan_.rank) {
            add(writer, false);
        } else { // another stream of this rank, which is among those told here, or a message
            for (auto const& d : plan_.descriptors) {
                if (d.signal != trigger || !is_end(d.op)) continue;
                if (d.op == operation::send) // the library underneath may finish it by itself
                    all_told = false;
                else
                    add(d.peer, true);
            }
        }
    }
    std::array<char, 256> where;
    auto const end = fmt::format_to_n(where.data(), where.size(), "in epoch {} of {}", epoch_, plan_.name);
    context_.waits->tell({where.data(), std::min(end.size, where.size())}, number_, epoch_, {from.data(), n}, all_told);
    told_ = true;
}

void wait_watch::tell_no_more() noexcept {
    if (std::exchange(told_, false)) context_.waits->tell_no_more();
}

void wait_watch::look_for_standstill() {
    if (!starts_) return;
    if (starts_->gave_up())
        give_up(error_kind::usage, fmt::format("rank {} waits in epoch {} of {}", called(plan_.rank), epoch_, plan_.name),
                "this rank has already reported a deadlock of the job", "read the first error of this rank");
    if (!standstill_) standstill_ = std::make_unique<standstill_watch>(*starts_);
    auto const found = standstill_->look();
    if (!found) return;
    auto const why = fmt::format("rank {} waits {}, while rank {} waits for rank {} {}", found->rank, found->rank_where,
                                 found->peer, found->third, found->peer_where);
    starts_->give_up();
    give_up(error_kind::usage, fmt::format("rank {} waits for rank {}, which will never arrive", found->rank, found->peer), why,
            "run the same exchanges, reductions and other collective calls in the same order on every rank");
}

std::string wait_watch::name_of(int peer) const {
    return peer < 0 ? "other ranks" : fmt::format("rank {}", called(peer));
}

std::string wait_watch::what_keeps(int peer) const {
    if (peer < 0) return "it is not known which ranks are late";
    // Of ranks on other machines nobody knows.
    if (!context_.memory.contains(peer)) return "that rank is on another machine";
    auto const they = context_.waits ? context_.waits->look_at(called(peer)) : std::nullopt;
    if (!they) return "that rank is alive";
    if (!they->waits) return "that rank is alive, and waits for no other rank";
    if (they->awaited.empty()) return fmt::format("that rank is alive, and waits {}", they->where);
    return fmt::format("that rank is alive, and waits for rank {} {}", they->awaited.front().rank, they->where);
}

progress wait_watch::look_after_peers() {
    for (auto const at : standing()) {
        auto news = progress::idle;
        if (int const peer = awaited_at(at); peer >= 0)
            news = look_after(peer);
        else if (plan_.counters[plan_.descriptors[at].trigger].kind == counter_kind::sum) // who adds to it, a plan does not say
            for (int r = 0; r < plan_.ranks && news == progress::idle; ++r)
                if (context_.memory.contains(r)) news = look_after(r);
        if (news != progress::idle) return news;
    }
    return progress::idle;
}

progress wait_watch::look_after(int peer) {
    auto const how = peer == plan_.rank ? std::nullopt : context_.alive.departed(called(peer));
    if (!how) return progress::idle;
    // What it published before it left still counts.
    if (auto const news = engine_.catch_up(); news != progress::idle) return news;
    // A peer that gave up because of another one is not the news: name the one that died first, if it is known.
    for (int r = 0; r < plan_.ranks; ++r)
        if (auto const other = context_.ranks.boot().departed(r); r != peer && other && other->find("killed") != std::string::npos)
            give_up(error_kind::peer,
                    fmt::format("rank {} has terminated ({}), and rank {} too ({})", called(r), *other, called(peer), *how),
                    fmt::format("this rank waited for rank {} in epoch {} of {}", called(peer), epoch_, plan_.name),
                    "look at the output of the rank that died first");
    give_up(error_kind::peer, fmt::format("rank {} has terminated: {}", called(peer), *how),
            fmt::format("this rank waited for that rank in epoch {} of {}", epoch_, plan_.name), "look at the output of that rank");
}

void wait_watch::look_at_the_clock(double elapsed) {
    auto const& limits = context_.waiting;
    bool const late = limits.timeout_s > 0 && elapsed > limits.timeout_s;
    bool const slow = limits.warn_s > 0 && elapsed > limits.warn_s && !warned_;
    if (!late && !slow) return;
    auto const streams = standing();
    int const peer = streams.empty() ? -1 : awaited_at(streams.front());
    if (late)
        give_up(error_kind::timeout,
                fmt::format("this rank waited {:.1f} s for {} in epoch {} of {}", elapsed, name_of(peer), epoch_, plan_.name),
                fmt::format("SODE_TIMEOUT is {} s; {}", limits.timeout_s, what_keeps(peer)),
                peer < 0 ? "check what the other ranks do, or raise SODE_TIMEOUT"
                         : "check what that rank does, or raise SODE_TIMEOUT");
    warned_ = true;
    if (trace_) trace_->warn(called(peer));
    warn(fmt::format("this rank has waited {:.0f} s for {} in epoch {} of {}", elapsed, name_of(peer), epoch_, plan_.name),
         what_keeps(peer),
         starts_ ? "" : "if the wait never ends, set SODE_CHECK=collective, which names ranks that wait for each other");
}

void wait_watch::give_up(error_kind kind, std::string const& problem, std::string const& why, std::string const& suggestion) {
    if (trace_) trace_->fail();
    tell_no_more();
    throw error{kind, problem, why, suggestion};
}

} // namespace sode::internal
