// SPDX-License-Identifier: Apache-2.0
#include "plan/proof/machine.hpp"

#include <algorithm>

namespace sode::internal::proof {

machine::machine(job const& all, int epochs, turns_of_ways ways, put_carrier puts)
    : job_(&all), epochs_(epochs), ways_(ways), puts_(puts), cursors_(all.actors()), values_(all.lines()),
      waiters_(all.lines(), none), ranks_(all.ranks()) {}

void machine::run(observer& o) {
    for (std::size_t r = 0; r < ranks_.size(); ++r) start(r, o);
    drain(o);
}

int machine::turn(std::size_t rank, sode::internal::stream const& s, int epoch) const {
    if (s.choice == 0) return epoch;
    auto const& c = job_->of(rank).choices[s.choice - 1];
    auto const number = job_->number_of(c);
    return ways_.way(number, epoch, c.ways) == s.way ? ways_.turn(number, epoch, s.way, c.ways) : 0;
}

void machine::start(std::size_t rank, observer& o) {
    auto& p = ranks_[rank];
    while (p.epoch < epochs_) {
        ++p.epoch;
        o.starts(rank, p.epoch);
        auto const& streams = job_->of(rank).streams;
        p.running = 0;
        for (std::size_t s = streams.size(); s-- > 0;) { // stream 0 ends up on top
            auto const now = turn(rank, streams[s], p.epoch);
            if (now == 0) continue;
            ++p.running;
            auto const actor = job_->stream(rank, s);
            cursors_[actor] = {.at = streams[s].first, .turn = now, .live = true};
            ready_.push_back(actor);
        }
        if (p.running > 0) return;
        o.ends(rank, p.epoch); // a plan without streams is over at once
    }
}

void machine::drain(observer& o) {
    while (!o.enough()) {
        if (!ready_.empty()) {
            auto const actor = ready_.back();
            ready_.pop_back();
            advance(actor, true, o);
        } else if (patient_head_ < patient_.size()) {
            advance(patient_[patient_head_++], false, o);
        } else {
            return;
        }
    }
}

step machine::next_of(std::uint32_t actor) const {
    auto const& c = cursors_[actor];
    auto const rank = job_->rank_of(actor);
    auto const& p = job_->of(rank);
    auto const& d = p.descriptors[c.at];
    auto const shift = shift_of(p.strides.data(), d.strides, c.turns.data(), c.turns.size());
    step s{.actor = actor,
           .rank = rank,
           .index = c.at,
           .epoch = ranks_[rank].epoch,
           .turn = c.turn,
           .what = &d,
           .threshold = d.threshold + shift.threshold,
           .value = d.value + shift.value,
           .src_offset = d.src_offset + shift.src,
           .dst_offset = d.dst_offset + shift.dst,
           .operand_offset = p.operands.empty() ? 0 : p.operands[d.operand].offset + shift.operand};
    s.carried = is_carried(rank, d);
    if (d.trigger != 0) {
        auto const& k = p.counters[d.trigger];
        s.trigger = job_->line(k, c.turn);
        s.trigger_is_sum = k.kind == counter_kind::sum;
        s.threshold += c.turn * k.step;
    }
    if (d.signal != 0) {
        auto const& k = p.counters[d.signal];
        s.signal = job_->line(k, c.turn);
        s.signal_is_sum = k.kind == counter_kind::sum;
        if (!s.signal_is_sum) s.value += c.turn * k.step;
    }
    return s;
}

void machine::advance(std::uint32_t actor, bool patient, observer& o) {
    auto& c = cursors_[actor];
    while (!o.enough()) {
        auto s = next_of(actor);
        if (s.trigger != none) {
            if (values_[s.trigger] < s.threshold) {
                c.next = std::exchange(waiters_[s.trigger], actor);
                return;
            }
            if (s.trigger_is_sum && patient) {
                patient_.push_back(actor);
                return;
            }
            patient = true;
        }
        if (is_message(s.what->op) || is_put(s.what->op)) s.message = messages_[{s.rank, s.index}]++;
        o.runs(s);
        switch (s.what->op) {
        case operation::loop: c.turns.push_back({c.at++, 0}); break;
        case operation::end_loop:
            if (auto& turn = c.turns.back(); ++turn.iteration < job_->of(s.rank).descriptors[turn.loop].argument) {
                c.at = turn.loop + 1;
            } else {
                ++c.at;
                c.turns.pop_back();
            }
            break;
        case operation::end: return leave(s, o);
        default:
            ++c.at;
            if (s.carried)
                post(s, o);
            else if (s.what->op != operation::landing) // the put gives its signal
                give(s);
        }
    }
}

void machine::give(step const& s) {
    if (s.signal == none) return;
    auto& value = values_[s.signal];
    value = s.signal_is_sum ? value + s.value : std::max(value, s.value);
    for (auto w = std::exchange(waiters_[s.signal], none); w != none; w = cursors_[w].next) ready_.push_back(w);
}

// A channel that holds nothing: bytes move when both ends have begun, which is the least that MPI promises.
void machine::post(step const& s, observer& o) {
    auto const leaves = [](step const& x) { return x.what->op == operation::send || x.what->op == operation::put; };
    bool const sends = leaves(s);
    if (is_put(s.what->op)) ++ranks_[s.rank].running; // an epoch ends when they are over
    auto const me = static_cast<std::int32_t>(s.rank), peer = s.what->peer;
    auto& waiting = begun_[{sends ? me : peer, sends ? peer : me, s.what->argument}];
    if (waiting.empty() || leaves(waiting.front()) == sends) {
        waiting.push_back(s);
        return;
    }
    step const other = waiting.front();
    waiting.pop_front();
    auto const& send = sends ? s : other;
    auto const& receive = sends ? other : s;
    o.moves(send, receive);
    give(receive);
    if (send.what->op != operation::put) return give(send);
    finish_one(send.rank, o);
    finish_one(receive.rank, o);
}

void machine::leave(step const& s, observer& o) {
    cursors_[s.actor].live = false;
    finish_one(s.rank, o);
}

void machine::finish_one(std::size_t rank, observer& o) {
    auto& p = ranks_[rank];
    if (--p.running > 0) return;
    o.ends(rank, p.epoch);
    start(rank, o);
}

bool machine::finished() const noexcept {
    return std::all_of(ranks_.begin(), ranks_.end(), [&](progress const& p) { return p.epoch == epochs_ && p.running == 0; });
}

std::vector<step> machine::stuck() const {
    std::vector<step> result;
    for (std::uint32_t a = 0; a < cursors_.size(); ++a)
        if (cursors_[a].live) result.push_back(next_of(a));
    return result;
}

} // namespace sode::internal::proof
