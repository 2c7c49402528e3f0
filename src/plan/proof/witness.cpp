// SPDX-License-Identifier: Apache-2.0
#include "plan/proof/witness.hpp"

#include "plan/combiners.hpp"
#include "plan/proof/origin.hpp"
#include "plan/proof/transfer.hpp"

#include <fmt/format.h>

namespace sode::internal::proof {
namespace {

/// Collects what is added to one line while the machine runs ahead.
class additions : public observer {
public:
    additions(job const& all, std::uint32_t line) : job_(all), line_(line) {}
    void starts(std::size_t, int) override {}
    void ends(std::size_t, int) override {}
    void runs(step const& s) override {
        if (s.signal != line_ || s.carried || s.what->op == operation::landing) return;
        found.push_back({s.what->op == operation::put ? job_.teller(s.rank, s.index) : s.actor, s.value});
    }
    void moves(step const& send, step const& receive) override {
        for (auto const* s : {&send, &receive})
            if (s->signal == line_ && s->what->op != operation::put) found.push_back({job_.teller(s->rank, s->index), s->value});
    }
    std::vector<order::possible> found;

private:
    job const& job_;
    std::uint32_t line_;
};

} // namespace

witness::witness(job const& all, flips halves, int epochs, machine const& running, report& findings)
    : job_(all), halves_(halves), epochs_(epochs), machine_(running), report_(findings), memory_(all), order_(all),
      accesses_(all, memory_, order_, findings) {}

std::uint32_t witness::instance(buffer const& b, step const& s) const noexcept {
    if (b.instances == parity::epoch) return slot_of(b, ix(s.turn));
    return b.instances == parity::array ? halves_.half(b.group, s.epoch) : 0;
}

std::uint32_t witness::region(std::size_t rank, array_model const& a, int epoch) const {
    return memory_.array_region(rank, a.ordinal, a.buffered ? halves_.half(job_.group(rank, a.ordinal), epoch) : 0);
}

void witness::starts(std::size_t rank, int epoch) {
    write_owned(rank, epoch);
    order_.start(rank);
    if (halves_.alternating) write_early(rank, epoch); // where halves stay, there is no next one to write
}

void witness::ends(std::size_t rank, int epoch) {
    order_.end(rank);
    for (auto const& m : std::exchange(moved_[rank], {}))
        if (is_put(job_.of(rank).descriptors[m.index].op))
            order_.hear(job_.user(rank), m.carrier); // an epoch ends when its puts have left, and what messages carry has come
        else if (!order_.before(m.carrier, m.time, job_.user(rank)))
            report_.add(finding::type::race, rank, m.index, [&] {
                return fmt::format("{} may still be in progress when epoch {} ends (nothing waits for its signal) wait for it",
                                   name_of(job_.of(rank), m.index), epoch);
            });
    expect(rank, epoch);
    for (auto const& a : job_.arrays(rank)) compare(rank, a, epoch);
    read_readable(rank, epoch);
}

void witness::write_owned(std::size_t rank, int epoch) {
    auto const user = job_.user(rank);
    accesses_.begin({.actor = user, .time = order_.now(user), .index = event::user_writes, .epoch = epoch});
    for (auto const& a : job_.arrays(rank)) {
        auto const here = region(rank, a, epoch);
        memory_.for_each_run(here, [&](std::int64_t offset, std::span<cell> cells) {
            for (auto& c : cells) {
                c.copies = 0;
                // What is borrowed may be anything of the user's.
                if (c.marks & (cell::owned | cell::borrowed)) {
                    accesses_.write(here, offset, c);
                    c.held = {value_of({.rank = static_cast<std::uint32_t>(rank),
                                        .array = a.ordinal,
                                        .granule = static_cast<std::uint64_t>(offset / memory_.granule()),
                                        .epoch = static_cast<std::uint32_t>(epoch)})};
                } else if (a.buffered && (c.marks & cell::delivered)) {
                    accesses_.write(here, offset, c); // with a new block its shadow may come, too
                }
                offset += memory_.granule();
            }
        });
    }
}

void witness::write_early(std::size_t rank, int epoch) {
    auto const user = job_.user(rank);
    accesses_.begin({.actor = user, .time = order_.now(user), .index = event::user_writes_early, .epoch = epoch});
    for (auto const& a : job_.arrays(rank)) {
        auto const next = region(rank, a, epoch + 1);
        memory_.for_each_run(next, [&](std::int64_t offset, std::span<cell> cells) {
            for (auto& c : cells) {
                if (c.marks & cell::early) accesses_.write(next, offset, c);
                offset += memory_.granule();
            }
        });
    }
}

void witness::read_readable(std::size_t rank, int epoch) {
    auto const user = job_.user(rank);
    accesses_.begin({.actor = user, .time = order_.now(user), .index = event::user_reads, .epoch = epoch});
    for (auto const& a : job_.arrays(rank)) {
        auto const here = region(rank, a, epoch);
        memory_.for_each_run(here, [&](std::int64_t offset, std::span<cell> cells) {
            for (auto& c : cells) {
                if (c.marks & cell::readable) accesses_.read(here, offset, c);
                offset += memory_.granule();
            }
        });
    }
}

void witness::runs(step const& s) {
    if (s.trigger != none) pass(s);
    if (s.carried) {
        if (s.what->op == operation::receive || s.what->op == operation::landing) lend(s);
        return begun_[{s.rank, s.index}].push_back(order_.begin_message(s.actor));
    }
    if (s.what->op == operation::landing) return;
    if (s.what->op == operation::put) return put(s);
    if (moves_data(s.what->op)) transfer(s);
    if (s.what->op == operation::call) call(s);
    if (s.signal != none) give(s, s.actor);
}

void witness::moves(step const& send, step const& receive) {
    auto const taken = [&](step const& s) {
        auto& list = begun_[{s.rank, s.index}];
        clock c = std::move(list.front());
        list.pop_front();
        return c;
    };
    auto const carrier = job_.carrier(receive.rank, receive.index, receive.message);
    order_.carry(carrier, taken(send), taken(receive));
    accesses_.begin({.actor = carrier, .time = order_.now(carrier), .index = receive.index, .epoch = receive.epoch});
    auto const place = [&](step const& s) {
        auto const& p = job_.of(s.rank);
        return std::pair{at(s, s.what->src, s.src_offset), std::int64_t{p.programs[s.what->program].bytes}};
    };
    auto const [from, sent_bytes] = place(send);
    auto const [to, expected_bytes] = place(receive);
    auto const sent = sent_bytes, expected = expected_bytes; // clang 14: a lambda cannot hold what is bound like that
    if (sent != expected || send.epoch != receive.epoch)
        return report_.add(finding::type::malformed, receive.rank, receive.index, [&] {
            return fmt::format(
                "{} of epoch {} gets {} bytes of epoch {} (it expects {} bytes of its own epoch) make both ends equal",
                name_of(job_.of(receive.rank), receive.index), receive.epoch, sent, send.epoch, expected);
        });
    copy_cells({send, from}, {receive, to}, sent);
    for (auto const* s : {&send, &receive}) moved_[s->rank].push_back({carrier, order_.now(carrier), s->index});
    for (auto const* s : {&send, &receive}) {
        if (s->signal == none || s->what->op == operation::put) continue;
        auto const teller = job_.teller(s->rank, s->index);
        order_.hear(teller, carrier);
        give(*s, teller);
    }
}

memory::place witness::at(step const& s, std::uint32_t buffer, std::int64_t offset) const {
    auto const& b = job_.of(s.rank).buffers[buffer];
    auto place = memory_.locate(b, instance(b, s));
    place.offset += offset;
    return place;
}

// From when it is begun, the place of what arrives belongs to the messages' carrier, whatever comes (MPI 3.7.2): nobody else is
// using it, nor another message.
void witness::lend(step const& s) {
    accesses_.begin({.actor = s.actor, .time = order_.now(s.actor), .index = s.index, .epoch = s.epoch});
    auto place = at(s, s.what->src, s.src_offset);
    for (auto& c : memory_.cells(place.region, place.offset, job_.of(s.rank).programs[s.what->program].bytes)) {
        accesses_.write(place.region, place.offset, c);
        place.offset += memory_.granule();
    }
}

// Something takes the bytes while the stream goes on; something else brings them, one put after another, and tells.
void witness::put(step const& s) {
    auto const carrier = job_.carrier(s.rank, s.index, s.message), teller = job_.teller(s.rank, s.index);
    auto const begun = order_.begin_message(s.actor);
    order_.carry(carrier, begun, begun);
    auto const by = [&](std::uint32_t actor) {
        accesses_.begin({.actor = actor, .time = order_.now(actor), .index = s.index, .epoch = s.epoch});
    };
    by(carrier);
    auto const from = at(s, s.what->src, s.src_offset), to = at(s, s.what->dst, s.dst_offset);
    auto const for_each_piece = [&](auto f) {
        for_each_row(job_.of(s.rank), *s.what, [&](std::int64_t src, std::int64_t dst, std::int64_t bytes) {
            f(where{s, {from.region, from.offset + src}}, where{s, {to.region, to.offset + dst}}, bytes);
        });
    };
    for_each_piece([&](where source, where target, std::int64_t bytes) { read_cells(source, target, bytes); });
    moved_[s.rank].push_back({carrier, order_.now(carrier), s.index});
    order_.hear(teller, carrier);
    by(teller);
    for_each_piece([&](where source, where target, std::int64_t bytes) { write_cells(source, target, bytes, false); });
    give(s, teller);
}

void witness::pass(step const& s) {
    if (!s.trigger_is_sum) return order_.pass_flag(s.actor, s.trigger, s.threshold);
    // The actor stands still in the copy: it is in none of its queues.
    machine ahead = machine_;
    additions later{job_, s.trigger};
    ahead.run_ahead(later);
    order_.pass_sum(s.actor, s.trigger, s.threshold, later.found);
}

void witness::transfer(step const& s) {
    auto const& p = job_.of(s.rank);
    auto const& d = *s.what;
    accesses_.begin({.actor = s.actor, .time = order_.now(s.actor), .index = s.index, .epoch = s.epoch});
    auto const from = memory_.locate(p.buffers[d.src], instance(p.buffers[d.src], s));
    auto const to = memory_.locate(p.buffers[d.dst], instance(p.buffers[d.dst], s));
    auto const shifted = [](memory::place at, std::int64_t by) { return memory::place{at.region, at.offset + by}; };
    auto first = to;
    if (d.op == operation::reduce && d.operand != 0) {
        auto const& b = p.buffers[p.operands[d.operand].buffer];
        first = shifted(memory_.locate(b, instance(b, s)), s.operand_offset - s.dst_offset);
    }
    for_each_row(p, d, [&](std::int64_t src, std::int64_t dst, std::int64_t bytes) {
        auto const source = shifted(from, src + s.src_offset), target = shifted(to, dst + s.dst_offset);
        if (d.op == operation::reduce)
            combine_cells(s, shifted(first, dst + s.dst_offset), source, target, bytes);
        else
            copy_cells({s, source}, {s, target}, bytes, d.op == operation::negate);
    });
}

// What a function makes is a value of its own, named by where it was made. What it reads must be there in this epoch.
void witness::call(step const& s) {
    auto const& p = job_.of(s.rank);
    auto const& c = p.calls[s.what->argument];
    auto const& b = p.buffers[s.what->dst];
    auto const array = memory_.locate(b, instance(b, s));
    auto const here = array.region;
    auto const begin = array.offset + s.dst_offset;
    auto const g = memory_.granule();
    auto const found = [&](finding::type kind, std::int64_t offset, std::string_view why) { find(kind, {s, {here, offset}}, why); };
    auto const for_each_cell = [&](layout const& l, auto f) {
        for (auto const& piece : expand(l)) {
            auto offset = begin + piece.offset;
            for (auto& cell : memory_.cells(here, offset, piece.bytes)) f(cell, std::exchange(offset, offset + g));
        }
    };
    accesses_.begin({.actor = s.actor, .time = order_.now(s.actor), .index = s.index, .epoch = s.epoch});
    for_each_cell(c.reads, [&](cell& x, std::int64_t offset) {
        accesses_.read(here, offset, x);
        auto const from = origin_in(x.held.value);
        if (x.held.value == 0 || (from && from->epoch != static_cast<std::uint32_t>(s.epoch)))
            found(finding::type::uninitialised, offset, "(nobody has written there in this epoch) call it later");
    });
    for_each_cell(c.writes, [&](cell& x, std::int64_t offset) {
        if (!(x.marks & cell::delivered))
            found(finding::type::stray_write, offset, "(no delivery puts anything there) shrink or shift the box");
        if (++x.copies > 1)
            found(finding::type::duplicate, offset, "(another write of this epoch was there before) leave one of them out");
        accesses_.write(here, offset, x);
        x.held = {value_of({.rank = s.rank,
                            .array = c.array,
                            .granule = static_cast<std::uint64_t>(offset / g),
                            .epoch = static_cast<std::uint32_t>(s.epoch)})};
    });
}

void witness::find(finding::type kind, where const& at, std::string_view why) {
    report_.add(kind, at.at.rank, at.at.index, [&] {
        return fmt::format("{} in epoch {} touches {} {}", name_of(job_.of(at.at.rank), at.at.index), at.at.epoch,
                           memory_.describe(at.place.region, at.place.offset, memory_.granule()), why);
    });
}

// What lands somewhere is the target's affair, what is taken from somewhere the source's.
void witness::copy_cells(where source, where target, std::int64_t bytes, bool negates) {
    read_cells(source, target, bytes);
    write_cells(source, target, bytes, negates);
}

void witness::read_cells(where source, where target, std::int64_t bytes) {
    bool const into_array = memory_.is_array(target.place.region);
    auto const g = memory_.granule();
    auto const sources = memory_.cells(source.place.region, source.place.offset, bytes);
    auto const targets = memory_.cells(target.place.region, target.place.offset, bytes);
    for (std::size_t k = 0; k < sources.size(); ++k, source.place.offset += g) {
        auto& a = sources[k];
        auto const& b = targets[k];
        accesses_.read(source.place.region, source.place.offset, a);
        // Gaps may travel along, between packed boxes or between rows; what counts is what ends up in an array and stays there.
        bool const passes = into_array && (b.marks & cell::borrowed) && !(b.marks & cell::delivered);
        if (a.held.value == 0 && into_array && !passes)
            find(finding::type::uninitialised, source, "(nobody has written there) pack or send it first");
    }
}

void witness::write_cells(where source, where target, std::int64_t bytes, bool negates) {
    auto const g = memory_.granule();
    auto const sources = memory_.cells(source.place.region, source.place.offset, bytes);
    auto const targets = memory_.cells(target.place.region, target.place.offset, bytes);
    for (std::size_t k = 0; k < sources.size(); ++k, target.place.offset += g)
        arrive(target, targets[k], negates ? negated(sources[k].held) : sources[k].held, true);
}

void witness::combine_cells(step const& s, memory::place first, memory::place second, memory::place to, std::int64_t bytes) {
    auto const& p = job_.of(s.rank);
    auto const combiner = job_.combiner(s.rank, s.what->argument);
    bool const any_order = commutes(p, s.what->argument);
    auto const g = memory_.granule();
    auto const firsts = memory_.cells(first.region, first.offset, bytes);
    auto const seconds = memory_.cells(second.region, second.offset, bytes);
    auto const targets = memory_.cells(to.region, to.offset, bytes);
    for (std::size_t k = 0; k < targets.size(); ++k, first.offset += g, second.offset += g, to.offset += g) {
        auto &a = firsts[k], &b = seconds[k], &c = targets[k];
        // An element is read before it is written: an operand may be where the target is, element by element.
        if (&a != &c) accesses_.read(first.region, first.offset, a);
        if (&b != &c) accesses_.read(second.region, second.offset, b);
        if (b.held.value == 0) find(finding::type::uninitialised, {s, second}, "(nobody has written there) pack or send it first");
        if (a.held.value == 0)
            find(finding::type::uninitialised, {s, first}, "(it combines with bytes that nobody has written) copy there first");
        arrive({s, to}, c, combined(a.held, b.held, combiner, any_order), &a != &c && &b != &c);
    }
}

void witness::arrive(where target, cell& there, content const& what, bool overwrites) {
    bool const into_array = memory_.is_array(target.place.region);
    bool const passes = into_array && (there.marks & cell::borrowed) && !(there.marks & cell::delivered);
    if (into_array && !passes && !(there.marks & cell::delivered))
        find(finding::type::stray_write, target, "(no delivery puts anything there) shrink or shift the box");
    bool const again = into_array ? overwrites && !passes && ++there.copies > 1
                                  : overwrites && (there.marks & cell::unread) && there.held.value != 0;
    if (again)
        find(finding::type::duplicate, target,
             into_array ? "(another copy of this epoch was there before) leave one of them out"
                        : "(and overwrites bytes that nobody has read) leave one of the writes out");
    accesses_.write(target.place.region, target.place.offset, there);
    there.marks |= cell::unread;
    there.held = what;
}

void witness::give(step const& s, std::uint32_t actor) {
    auto const bad = [&](std::string_view why) {
        report_.add(finding::type::malformed, s.rank, s.index, [&] {
            return fmt::format("{} in epoch {} gives {} to {} {}", name_of(job_.of(s.rank), s.index), s.epoch, s.value,
                               job_.name_of_line(s.signal), why);
        });
    };
    if (s.signal_is_sum) {
        if (s.value <= 0) bad("(a sum must not decrease) add 1 or more");
        return order_.add(actor, s.signal, s.value);
    }
    auto const step = job_.of(s.rank).counters[s.what->signal].step;
    if (s.value <= (s.turn - 1) * step || s.value > s.turn * step)
        bad(fmt::format("(epoch e takes it from (e - 1) * {0} to e * {0}) correct value or step", step));
    if (!order_.set(actor, s.signal, s.value))
        bad("(the value of a flag must increase each time it is set) set greater values, from one stream");
}

void witness::expect(std::size_t rank, int epoch) {
    auto const g = memory_.granule();
    auto const& p = job_.of(rank);
    for (auto const& d : p.deliveries) {
        bool const any_order = d.combiner == no_combiner || commutes(p, d.combiner);
        auto const there = region(rank, *job_.array(rank, d.target_array), epoch);
        auto const sources = expand(d.source);
        auto source = sources.begin();
        std::int64_t taken = 0; // of *source
        for (auto const& target : expand(d.target))
            for (auto& c : memory_.cells(there, target.offset, target.bytes)) {
                auto const granule = static_cast<std::uint64_t>((source->offset + taken) / g);
                auto const value = d.constant ? constant_value(static_cast<std::uint32_t>(rank), granule)
                                              : value_of({.rank = static_cast<std::uint32_t>(d.source_rank),
                                                          .array = d.source_array,
                                                          .granule = granule,
                                                          .epoch = static_cast<std::uint32_t>(epoch)});
                content const one{d.negated ? 0 - value : value};
                c.expected = c.marks & cell::awaited ? combined(c.expected, one, job_.combiner(rank, d.combiner), any_order) : one;
                c.marks |= cell::awaited;
                if ((taken += g) == source->bytes) {
                    ++source;
                    taken = 0;
                }
            }
    }
}

void witness::compare(std::size_t rank, array_model const& a, int epoch) {
    auto const here = region(rank, a, epoch);
    auto const g = memory_.granule();
    memory_.for_each_run(here, [&](std::int64_t offset, std::span<cell> cells) {
        for (auto& c : cells) {
            auto const expected = std::exchange(c.expected, {});
            c.marks &= static_cast<std::uint8_t>(~cell::awaited);
            if ((c.marks & cell::borrowed) && !(c.marks & cell::delivered)) must_be_back(rank, a, epoch, here, offset, c);
            if ((c.marks & cell::delivered) && c.held != expected) {
                auto const held = origin_in(c.held.value);
                auto const kind = c.held.value == 0 || (held && held->epoch != static_cast<std::uint32_t>(epoch))
                                      ? finding::type::missing
                                  : c.held.value == expected.value ? finding::type::wrong_operator
                                                                   : finding::type::wrong_source;
                report_.add(kind, rank, here, [&] {
                    return fmt::format("{} holds {} after epoch {} ({} was to be delivered there) look for a copy that is missing, "
                                       "misplaced, or done twice",
                                       memory_.describe(here, offset, g), name_of_content(c.held), epoch,
                                       name_of_content(expected));
                });
            }
            offset += g;
        }
    });
}

void witness::must_be_back(std::size_t rank, array_model const& a, int epoch, std::uint32_t here, std::int64_t offset,
                           cell const& c) {
    auto const g = memory_.granule();
    if (c.held == content{value_of({.rank = static_cast<std::uint32_t>(rank),
                                    .array = a.ordinal,
                                    .granule = static_cast<std::uint64_t>(offset / g),
                                    .epoch = static_cast<std::uint32_t>(epoch)})})
        return;
    report_.add(finding::type::stray_write, rank, here, [&] {
        return fmt::format("{} holds {} after epoch {} (it was borrowed) restore the bytes that were there before",
                           memory_.describe(here, offset, g), name_of_content(c.held), epoch);
    });
}

std::string witness::name_of_content(content const& c) const {
    if (c.value == 0) return "nothing";
    if (c.combiner != no_combiner) return fmt::format("{} values by {}", c.count, job_.describe_combiner(c.combiner));
    auto const value = c.value;
    auto const o = origin_in(value);
    if (!o) return "a constant, or the result of two operators";
    return fmt::format("byte {} of array {} of rank {} as of epoch {}{}", static_cast<std::int64_t>(o->granule) * memory_.granule(),
                       o->array, o->rank, o->epoch, value_of(*o) == value ? "" : ", with the other sign");
}

std::optional<origin> witness::origin_in(std::uint64_t value) const {
    auto const ranks = static_cast<std::uint32_t>(job_.ranks()), epochs = static_cast<std::uint32_t>(epochs_);
    auto const o = origin_of(value, ranks, epochs);
    return o ? o : origin_of(0 - value, ranks, epochs);
}

} // namespace sode::internal::proof
