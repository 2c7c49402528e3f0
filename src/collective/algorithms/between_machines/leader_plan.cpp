// SPDX-License-Identifier: Apache-2.0
#include "collective/algorithms/between_machines/leader_plan.hpp"

#include "layout/cache_line.hpp"

#include <algorithm>

namespace sode::internal {

leader_plan::leader_plan(collective_terms const& t, int rank)
    : terms_(t), rank_(rank), leader_(t.leader_on(t.machines.of(rank))), b_(t.title(), rank, t.ranks()), own_(b_.add_stream(-1)) {
    add_operators(b_, t);
    record_share(b_, t, rank);
    if (leads()) {
        arriving_ = b_.add_stream(-1);
        main_ = b_.add_stream(-1);
    } else {
        main_ = b_.add_stream(leader_);
    }
    if (combines())
        contributions_ = reserve(whole_lines(t.bytes()) * t.machines.on(machine()).size());
    else if (is_handed_over())
        contributions_ = reserve(t.bytes());
}

std::int64_t leader_plan::reserve(std::int64_t bytes) {
    auto const at = reserved_;
    reserved_ += whole_lines(bytes);
    return at;
}

leader_plan::place leader_plan::in_memory(std::int64_t reserved) {
    return {.buffer = memory(), .offset = reserved};
}

int leader_plan::leader_of(int machine) const noexcept {
    return terms_.leader_on(machine);
}

std::uint32_t leader_plan::contributed() {
    return b_.add(counter{
        .host = leader_, .writer = -1, .index = 1, .kind = counter_kind::sum, .step = terms_.machines.on(machine()).size() - 1});
}

std::uint32_t leader_plan::complete() {
    return b_.add(counter{.host = leader_, .writer = leader_, .index = 2});
}

std::uint32_t leader_plan::memory() {
    if (!memory_)
        memory_ = b_.add(buffer{.host = leader_, .role = buffer_role::stage, .instances = parity::epoch, .bytes = reserved_});
    return *memory_;
}

std::uint32_t leader_plan::next_flag(std::int64_t step) {
    return b_.add(counter{.host = rank_, .writer = rank_, .index = 3 + flags_++, .step = step});
}

bool leader_plan::gets() const noexcept {
    auto const share = terms_.got_by(rank_);
    return share.last > share.first && share.bytes > 0;
}

// What it gives is not written over while others still need it.
bool leader_plan::reads_own_array() const noexcept {
    return leads() && !terms_.works_in_place(rank_);
}

void leader_plan::gather() {
    if ((combines() && !reads_own_array()) || (is_handed_over() && rank_ == terms_.root)) {
        auto const room = whole_lines(terms_.bytes());
        auto& d = b_.copy(leads() ? main_ : own_, operation::pack, memory(), b_.add(input_of(terms_, rank_)),
                          block_copy(terms_.bytes()), leads() ? -1 : leader_);
        d.dst_offset = contributions_ + (combines() ? room * terms_.machines.place(rank_) : 0);
        if (!leads()) {
            d.signal = contributed();
            d.value = 1;
        }
    } else if (!leads()) {
        auto& d = b_.emit(own_, operation::signal);
        d.signal = contributed();
        d.value = 1;
    }
    if (!leads() || alone()) return;
    auto& all = b_.emit(main_, operation::wait);
    all.trigger = contributed();
    // Nothing of the other one is read or overwritten that early: it has to be done with what was there two epochs ago.
    if (two_here() && terms_.kind == collective_kind::broadcast && rank_ == terms_.root) all.threshold = -1;
}

std::vector<leader_plan::place> leader_plan::given() {
    if (is_handed_over()) return {in_memory(contributions_)};
    if (terms_.kind == collective_kind::broadcast) return {{.buffer = b_.add(input_of(terms_, rank_))}};
    auto const room = whole_lines(terms_.bytes());
    std::vector<place> list;
    for (int const r : terms_.machines.on(machine()))
        if (r == rank_ && reads_own_array())
            list.push_back({.buffer = b_.add(input_of(terms_, r))});
        else
            list.push_back(in_memory(contributions_ + room * terms_.machines.place(r)));
    return list;
}

descriptor& leader_plan::message(std::uint32_t stream, operation op, int machine, place const& at, std::int64_t bytes,
                                 std::uint32_t flag) {
    auto& d = b_.copy(stream, op, at.buffer, at.buffer, block_copy(bytes), leader_of(machine));
    d.src_offset = d.dst_offset = at.offset;
    d.signal = flag;
    auto& counts = op == operation::send ? sent_to_ : heard_of_;
    auto with = std::ranges::find(counts, machine, &message_count::machine);
    if (with == counts.end()) with = counts.insert(with, {.machine = machine});
    d.argument = with->messages++;
    return d;
}

leader_plan::place leader_plan::receive(int machine, place to, std::int64_t bytes) {
    to.ready = next_flag();
    message(arriving_, operation::receive, machine, to, bytes, to.ready);
    return to;
}

void leader_plan::await(place const& p) {
    if (p.ready != 0) b_.emit(main_, operation::wait).trigger = p.ready;
}

void leader_plan::send(int machine, place from, std::int64_t bytes) {
    auto const flag = next_flag();
    await(from);
    message(main_, operation::send, machine, from, bytes, flag);
    sent_.push_back(flag);
}

void leader_plan::tell(int to) {
    send(to, {.buffer = memory()}, 0);
}

void leader_plan::hear(int from) {
    await(receive(from, {.buffer = memory()}, 0));
}

void leader_plan::fold(place to, std::vector<place> const& of, std::int64_t offset, std::int64_t bytes) {
    emit_fold(b_, main_, terms_, {.first = 0, .last = static_cast<int>(of.size()), .offset = offset, .bytes = bytes},
              {.buffer = to.buffer, .offset = to.offset}, [&](int i) {
                  auto const& p = of[static_cast<std::size_t>(i)];
                  return contribution{.buffer = p.buffer, .offset = p.offset, .ready = p.ready};
              });
}

// An array in which it works in place is read while messages begin to come.
leader_plan::place leader_plan::result(std::int64_t reserved) {
    bool const own = gets() && (alone() || terms_.kind == collective_kind::reduce) && !terms_.works_in_place(rank_);
    return own ? place{.buffer = b_.add(output_of(terms_, rank_))} : in_memory(reserved);
}

void leader_plan::deliver(place const& from, std::int64_t reserved) {
    auto const share = terms_.got_by(rank_);
    if (leads()) {
        await(from);
        bool const at_other_root = terms_.kind == collective_kind::reduce && machine() == root_machine() && rank_ != terms_.root;
        bool const others_get =
            !alone() && (at_other_root || (terms_.kind != collective_kind::reduce && terms_.kind != collective_kind::barrier));
        if (others_get && from.buffer != memory())
            b_.copy(main_, operation::pack, memory(), from.buffer, block_copy(terms_.bytes())).dst_offset = reserved;
        if (!alone()) b_.emit(main_, operation::signal).signal = complete();
        if (gets())
            if (auto const to = b_.add(output_of(terms_, rank_)); to != from.buffer)
                b_.copy(main_, operation::copy, to, from.buffer, block_copy(share.bytes)).src_offset = from.offset;
        for (auto const flag : sent_) b_.emit(main_, operation::wait).trigger = flag;
        return;
    }
    auto& done = b_.emit(main_, operation::wait);
    done.trigger = complete();
    // It gets nothing, and what it gave must be read before the epoch after the next. (Of more ranks, one that is ahead would count
    // for one that is late.)
    if (two_here() && terms_.kind == collective_kind::reduce && !gets()) done.threshold = -1;
    if (gets())
        b_.copy(main_, operation::unpack, b_.add(output_of(terms_, rank_)), memory(), block_copy(share.bytes), leader_).src_offset =
            is_handed_over() ? contributions_ : reserved;
}

plan leader_plan::finish() {
    if (leads()) {
        b_.target().own_lines = 3 + flags_;
        b_.target().own_stage = 2 * reserved_;
    }
    return b_.finish();
}

bool machines_in_order(collective_terms const& t) {
    for (int r = 1; r < t.ranks(); ++r)
        if (t.machines.of(r) < t.machines.of(r - 1)) return false;
    return true;
}

bool commutes(collective_terms const& t) noexcept {
    return std::ranges::all_of(t.operators, [](user_operator const& o) { return o.commutes; });
}

expense leader_round(collective_terms const& t, double count, double bytes) noexcept {
    auto const& n = t.costs.network;
    auto const each = n.overhead + bytes * n.host_byte;
    return {.source = count * each, .target = count * each, .link = count * bytes * n.byte, .latency = n.latency};
}

expense within_machine(collective_terms const& t) noexcept {
    auto const& c = t.costs.of(distance::near).memory;
    int most = 0;
    for (int m = 0; m < t.machines.machines(); ++m) most = std::max(most, t.machines.on(m).size());
    if (most == 1) return {};
    auto const bytes = static_cast<double>(t.bytes());
    bool const combines = t.kind != collective_kind::broadcast && t.kind != collective_kind::barrier;
    return {.source = combines ? bytes * t.costs.local_byte : 0,
            .target = bytes * c.stream_byte * (combines ? most : 1),
            .latency = 2 * c.flag};
}

} // namespace sode::internal
