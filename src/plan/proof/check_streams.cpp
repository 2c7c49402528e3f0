// SPDX-License-Identifier: Apache-2.0
#include "layout/copy_rows.hpp"
#include "plan/combiners.hpp"
#include "plan/proof/well_formed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace sode::internal::proof {
namespace {

class stream_check {
public:
    stream_check(job const& all, std::size_t rank, report& findings) : job_(all), plan_(all.of(rank)), report_(findings) {}

    void run() {
        check_choices();
        covered_.assign(plan_.descriptors.size(), false);
        for (std::size_t s = 0; s < plan_.streams.size(); ++s) walk(s);
        for (std::size_t i = 0; i < covered_.size(); ++i)
            if (!covered_[i]) wrong(i, "is in no stream", "no stream reaches it", "close each stream with one end");
    }

private:
    void check_choices() {
        std::set<std::uint64_t> keys;
        for (auto const& c : plan_.choices)
            if (c.ways < 2 || !keys.insert(c.key).second)
                say(
                    0,
                    [&] {
                        return fmt::format("a choice of rank {} has {} ways, or the key of another choice", plan_.rank, c.ways);
                    },
                    "give each choice its own key, and two ways or more");
        for (std::size_t s = 0; s < plan_.streams.size(); ++s) {
            auto const& of = plan_.streams[s];
            if (of.choice > plan_.choices.size() || (of.choice != 0 && of.way >= plan_.choices[of.choice - 1].ways))
                say(
                    s,
                    [&] {
                        return fmt::format("stream {} of rank {} is way {} of choice {}, which does not exist", s, plan_.rank,
                                           of.way, of.choice);
                    },
                    "add the choice");
        }
    }
    template <class Text> void say(std::size_t where, Text text, std::string_view advice) {
        report_.add(finding::type::malformed, ix(plan_.rank), where, [&] { return fmt::format("{} {}", text(), advice); });
    }

    void walk(std::size_t s) {
        turns_.clear();
        for (std::size_t i = plan_.streams[s].first;; ++i) {
            if (i >= plan_.descriptors.size()) {
                report_.add(finding::type::malformed, ix(plan_.rank), s, [&] {
                    return fmt::format("stream {} of rank {} has no end (it runs out of the table) close it with end", s,
                                       plan_.rank);
                });
                return;
            }
            if (covered_[i])
                return wrong(i, fmt::format("is reached by stream {}", s), "it belongs to another stream",
                             "close that stream with end");
            covered_[i] = true;
            check(i);
            if (plan_.descriptors[i].op == operation::end) return;
        }
    }

    void check(std::size_t i) {
        auto const& d = plan_.descriptors[i];
        bool const is_control = d.op == operation::end || d.op == operation::loop || d.op == operation::end_loop;
        if (d.op > operation::end_loop) return wrong(i, "is unknown", "there is no such operation", "check the builder");
        if (!sane(d.src_offset) || !sane(d.dst_offset))
            return wrong(i, "has an offset that is too large", "it is beyond 2^48", "correct it");
        if (d.trigger >= plan_.counters.size() || d.signal >= plan_.counters.size())
            return wrong(i, "names a counter that is not in the table", "an index is too large", "add the counter");
        if (is_control && (d.trigger != 0 || d.signal != 0))
            wrong(i, "waits or signals", "it only marks a place in the stream", "add a wait or a signal next to it");
        if (is_control && (d.threshold != 0 || d.value != 0 || d.src_offset != 0 || d.dst_offset != 0 || d.strides != 0))
            wrong(i, "has offsets, a threshold, a value or strides", "each descriptor in the loop must state its own",
                  "move them there");
        if (!check_strides(i)) return;
        if ((d.op == operation::wait || d.op == operation::credit) && (d.trigger == 0 || d.signal != 0))
            wrong(i, "has more than one trigger", "a branch has exactly one", "set trigger, and leave signal to others");
        if (d.op == operation::signal && d.signal == 0) wrong(i, "signals nothing", "signal is 0", "name a counter");
        if (d.signal != 0) {
            auto const& c = plan_.counters[d.signal];
            if (c.kind == counter_kind::flag && c.writer != (d.op == operation::landing ? d.peer : plan_.rank))
                wrong(i, "sets a flag of another writer", fmt::format("only rank {} may set this flag", c.writer),
                      "use a flag of its own or a sum");
        }
        check_loops(i);
        if (d.operand != 0 && d.op != operation::reduce)
            return wrong(i, "has a first operand", "it combines nothing", "leave it out");
        if (moves_data(d.op)) check_transfer(i);
        if (d.op == operation::reduce) check_reduction(i);
        if (d.op == operation::negate && !has_sign(static_cast<element>(d.argument)))
            wrong(i, "changes the sign of elements without a sign", "its elements are not numbers", "name their element type");
        if (d.op == operation::put) check_put(i);
        if (is_end(d.op)) check_message(i);
        if (d.op == operation::call) check_call(i);
    }

    void check_loops(std::size_t i) {
        auto const& d = plan_.descriptors[i];
        if (d.op == operation::loop) {
            if (d.argument == 0) wrong(i, "has no iterations", "a loop runs at least once", "leave it out");
            if (turns_.size() == most_loops)
                wrong(i, "is too deep", fmt::format("loops nest {} times", most_loops), "unroll one of the loops");
            turns_.push_back({static_cast<std::uint32_t>(i), 0});
        }
        if (d.op == operation::end_loop) {
            if (turns_.empty()) return wrong(i, "closes nothing", "no loop is open", "pair loop and end_loop");
            turns_.pop_back();
        }
        if (d.op == operation::end && !turns_.empty())
            wrong(i, "comes inside a loop", "the loop is still open", "put end_loop before it");
    }

    /// What loops add to descriptor `i`. False, if that cannot be followed.
    [[nodiscard]] bool check_strides(std::size_t i) {
        auto const& d = plan_.descriptors[i];
        auto const fail = [&](std::string_view problem, std::string_view why, std::string_view advice) {
            wrong(i, problem, why, advice);
            return false;
        };
        auto level = turns_.size();
        for (auto index = d.strides; index != 0;) {
            if (index >= plan_.strides.size())
                return fail("names strides that are not in the table", "an index is too large", "add them");
            if (level == 0)
                return fail("has strides for more loops than there are", fmt::format("it is inside {} loops", turns_.size()),
                            "chain as many as there are loops");
            auto const& s = plan_.strides[index];
            std::int64_t const times = plan_.descriptors[turns_[--level].loop].argument;
            for (auto const& one : {s.src, s.dst, s.operand}) {
                if (!sane(one.bytes, std::max<std::int64_t>(times, one.slots)))
                    return fail("has a stride that is too large", "it leads to offsets beyond 2^48", "correct it");
                if (one.slots == 0 ? one.phase != 0 : one.phase >= one.slots)
                    return fail("begins outside of its ring", fmt::format("phase {} of {} slots", one.phase, one.slots),
                                "count phases from 0 to slots - 1");
            }
            if (!sane(s.threshold, times) || !sane(s.value, times))
                return fail("has a threshold or value that is too large", "a loop increases it beyond 2^48", "correct it");
            index = s.outer;
        }
        if (d.strides != 0 && plan_.strides.front() != loop_strides{})
            return fail("is in a plan whose first strides are not empty", "entry 0 means: no strides", "leave entry 0 empty");
        return true;
    }

    void check_call(std::size_t i) {
        auto const& d = plan_.descriptors[i];
        if (d.dst >= plan_.buffers.size() || d.argument >= plan_.calls.size())
            return wrong(i, "names a buffer or call that is not in the table", "an index is too large", "add it");
        auto const& b = plan_.buffers[d.dst];
        if (b.role != buffer_role::array || b.host != plan_.rank || b.ordinal != plan_.calls[d.argument].array)
            wrong(i, "writes to another array than that of its call", "a function writes elements of one array of this rank",
                  "name that array");
    }

    void check_message(std::size_t i) {
        auto const& d = plan_.descriptors[i];
        if (d.src >= plan_.buffers.size() || d.program >= plan_.programs.size())
            return wrong(i, "names a buffer or program that is not in the table", "an index is too large", "add it");
        auto const& b = plan_.buffers[d.src];
        auto const& p = plan_.programs[d.program];
        bool same = d.dst == d.src && d.dst_offset == d.src_offset;
        for (auto index = d.strides; index != 0; index = plan_.strides[index].outer)
            same = same && plan_.strides[index].src == plan_.strides[index].dst;
        if (!same) wrong(i, "names two places", "a message has one place on this rank", "make dst equal to src");
        if (b.host != plan_.rank && b.role != buffer_role::stage)
            wrong(i, "moves bytes of another rank", fmt::format("they belong to rank {}", b.host), "let that rank move them");
        if (b.role == buffer_role::payload)
            wrong(i, "moves the payload of a counter", "other ranks write to the same line", "pack it");
        bool const stored =
            d.op == operation::landing && d.peer >= 0 && d.peer < plan_.ranks && job_.stores_to(ix(d.peer), ix(plan_.rank));
        if (!is_block(p) && !stored) wrong(i, "moves more than one block of bytes", "its program is not one block", "pack first");
        if (d.op == operation::landing && (d.peer < 0 || d.peer == plan_.rank || d.peer >= plan_.ranks))
            return wrong(i, "waits for a put from no rank", fmt::format("rank {} is not another rank", d.peer),
                         "name the rank that puts");
        if (d.op == operation::landing && (d.signal == 0 || plan_.counters[d.signal].host != plan_.rank))
            return wrong(i, "has no signal on this rank", "a landing signals its own rank", "name the put's counter");
        bool const awaited = d.signal != 0 && std::any_of(plan_.descriptors.begin(), plan_.descriptors.end(),
                                                          [&](descriptor const& w) { return w.trigger == d.signal; });
        if (!awaited) wrong(i, "is begun and never waited for", "it may be in progress when the epoch ends", "wait for its signal");
    }

    [[nodiscard]] static bool is_block(copy_program const& p) {
        return p.loop_count == 0 && !is_list(p) && !p.twin && p.src_offset == 0 && p.dst_offset == 0;
    }

    void check_put(std::size_t i) {
        auto const& d = plan_.descriptors[i];
        if (d.dst >= plan_.buffers.size() || d.src >= plan_.buffers.size() || d.program >= plan_.programs.size())
            return; // has been said
        auto const &from = plan_.buffers[d.src], &to = plan_.buffers[d.dst];
        if (d.peer < 0 || d.peer == plan_.rank || d.peer >= plan_.ranks || to.host != d.peer)
            return wrong(i, "puts into memory that does not belong to its peer", fmt::format("it is memory of rank {}", to.host),
                         "name that rank");
        if (from.host != plan_.rank || from.role == buffer_role::payload || to.role == buffer_role::payload)
            wrong(i, "moves bytes of another rank, or bytes in the line of a counter", "only a message may move them", "pack it");
        if (!is_block(plan_.programs[d.program]) && !job_.stores_to(ix(plan_.rank), ix(d.peer)))
            wrong(i, "moves more than one block of bytes", "its program is not one block", "pack first");
        if (d.signal == 0 || plan_.counters[d.signal].host != d.peer)
            wrong(i, "does not signal its peer", "a put is complete when it has set a counter of its peer", "name a counter");
    }

    void check_transfer(std::size_t i) {
        auto const& d = plan_.descriptors[i];
        if (d.src >= plan_.buffers.size() || d.dst >= plan_.buffers.size() || d.program >= plan_.programs.size())
            return wrong(i, "names a buffer or program that is not in the table", "an index is too large", "add it");
        auto const from = plan_.buffers[d.src].role, to = plan_.buffers[d.dst].role;
        auto const staged = [](buffer_role role) { return role == buffer_role::stage || role == buffer_role::scratch; };
        if ((d.op == operation::pack && !staged(to)) || (d.op == operation::unpack && !staged(from)) ||
            (d.op == operation::inline_put && to != buffer_role::payload) ||
            (d.op == operation::inline_get && from != buffer_role::payload))
            wrong(i, "has the wrong kind of source or target", "it must use a stage, or the payload of a counter",
                  "make it a copy");
        if (to == buffer_role::constant) wrong(i, "writes a constant", "constants must not change", "write somewhere else");
    }

    void check_reduction(std::size_t i) {
        auto const& d = plan_.descriptors[i];
        if (!has_combiner(plan_, d.argument))
            return wrong(i, fmt::format("combines by operation {}", d.argument), "no operator and element type have that number",
                         "make it with combiner()");
        if (d.operand >= plan_.operands.size() || (d.operand != 0 && plan_.operands[d.operand].buffer >= plan_.buffers.size()))
            return wrong(i, "names an operand that is not in the table", "an index is too large", "add it");
        if (d.operand != 0 && !sane(plan_.operands[d.operand].offset))
            return wrong(i, "has an operand that is too large", "it is beyond 2^48", "correct it");
        if (d.program >= plan_.programs.size()) return; // has been said
        auto const bytes = static_cast<std::int64_t>(element_bytes(plan_, d.argument));
        bool whole = true;
        for_each_row(plan_.programs[d.program], [&](auto, auto, std::int64_t n) { whole = whole && n % bytes == 0; });
        if (!whole)
            wrong(i, "combines parts of elements", fmt::format("elements have {} bytes, and rows are not multiples of this", bytes),
                  "name their element type");
    }

    void wrong(std::size_t i, std::string_view problem, std::string_view why, std::string_view advice) {
        report_.add(finding::type::malformed, ix(plan_.rank), i,
                    [&] { return fmt::format("{} {} ({}) {}", name_of(plan_, i), problem, why, advice); });
    }

    job const& job_;
    plan const& plan_;
    report& report_;
    std::vector<bool> covered_;
    std::vector<loop_turn> turns_; // the loops around what is checked
};

} // namespace

void check_streams(job const& all, report& findings) {
    std::map<std::uint64_t, std::uint8_t> ways;
    for (std::size_t r = 0; r < all.ranks(); ++r)
        for (auto const& c : all.of(r).choices)
            if (auto const known = ways.try_emplace(c.key, c.ways).first->second; known != c.ways)
                findings.add(finding::type::malformed, r, c.key, [&] {
                    return fmt::format(
                        "a choice has {} ways at rank {} and {} at another rank (all ranks make the same choice) make them equal",
                        c.ways, r, known);
                });
    for (std::size_t r = 0; r < all.ranks(); ++r) stream_check{all, r, findings}.run();
}

} // namespace sode::internal::proof
