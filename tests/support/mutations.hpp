// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace sode::internal::testing {

/// One thing that a builder might get wrong about one descriptor.
enum class mutation_kind {
    drop,         ///< the descriptor is missing
    repeat,       ///< it is there twice
    swap,         ///< it and the next one have changed places
    no_trigger,   ///< it does not wait
    no_signal,    ///< it does not signal
    threshold_up, ///< by one …
    threshold_down,
    value_up,
    value_down,
    count_up, ///< a loop runs once more …
    count_down,
    source_shift, ///< by one element …
    target_shift,
    source_stride, ///< in the innermost loop, by one element …
    target_stride,
    threshold_stride_up, ///< in the innermost loop, by one …
    threshold_stride_down,
    value_stride_up,
    value_stride_down,
    ring_up, ///< its ring has one slot more …
    ring_down,
    ring_phase, ///< it begins one slot further on
    no_outer,   ///< it stays in the loops around the innermost one
    grow,       ///< the box has one element, or one row, more …
    shrink,
    wrong_peer,    ///< `peer` names the next rank but one
    wrong_source,  ///< it reads the memory of the next rank but one
    wrong_target,  ///< it writes there
    one_source,    ///< it reads the same instance of a stage or payload in every epoch
    one_target,    ///< it writes there
    fewer_sources, ///< it goes through one instance less of a stage or payload than there are …
    fewer_targets,
    other_sign,     ///< it forgets to change the sign
    call_writes,    ///< a function writes one element further on
    wrong_operator, ///< it combines otherwise …
    wrong_element,  ///< … or other elements
    no_operand,     ///< its target is its first operand
    operand_shift,  ///< by one element
    operand_stride, ///< in the innermost loop
    wrong_operand,  ///< its first operand is that of the next rank but one
    swap_operands   ///< the second is the first
};
inline constexpr int mutation_kinds = static_cast<int>(mutation_kind::swap_operands) + 1;

[[nodiscard]] inline std::string_view to_string(mutation_kind kind) {
    constexpr std::string_view names[] = {"drop",
                                          "repeat",
                                          "swap",
                                          "no_trigger",
                                          "no_signal",
                                          "threshold_up",
                                          "threshold_down",
                                          "value_up",
                                          "value_down",
                                          "count_up",
                                          "count_down",
                                          "source_shift",
                                          "target_shift",
                                          "source_stride",
                                          "target_stride",
                                          "threshold_stride_up",
                                          "threshold_stride_down",
                                          "value_stride_up",
                                          "value_stride_down",
                                          "ring_up",
                                          "ring_down",
                                          "ring_phase",
                                          "no_outer",
                                          "grow",
                                          "shrink",
                                          "wrong_peer",
                                          "wrong_source",
                                          "wrong_target",
                                          "one_source",
                                          "one_target",
                                          "fewer_sources",
                                          "fewer_targets",
                                          "other_sign",
                                          "call_writes",
                                          "wrong_operator",
                                          "wrong_element",
                                          "no_operand",
                                          "operand_shift",
                                          "operand_stride",
                                          "wrong_operand",
                                          "swap_operands"};
    static_assert(std::size(names) == mutation_kinds);
    return names[static_cast<std::size_t>(kind)];
}

namespace detail {

inline bool moves_data(descriptor const& d) {
    return sode::internal::moves_data(d.op);
}

inline void insert(plan& p, std::size_t at, descriptor const& d) {
    p.descriptors.insert(p.descriptors.begin() + static_cast<std::ptrdiff_t>(at), d);
    for (auto& s : p.streams)
        if (s.first > at) ++s.first;
}

inline void erase(plan& p, std::size_t at) {
    p.descriptors.erase(p.descriptors.begin() + static_cast<std::ptrdiff_t>(at));
    for (auto& s : p.streams)
        if (s.first > at) --s.first;
}

/// One row more or less in the innermost loop, or one element in the only block.
inline bool resize(copy_program& p, std::int64_t element, int by) {
    auto const before = p.bytes;
    auto const twice = p.twin ? 2 : 1;
    if (!p.segments().empty()) {
        std::vector<copy_program::segment> all(p.segments().begin(), p.segments().end());
        if (all.back().bytes + by * element <= 0) return false;
        all.back().bytes += by * element;
        p.set_table(std::move(all));
        p.bytes += by * element;
    } else if (p.loop_count > 0) {
        auto& loop = p.loops[p.loop_count - 1];
        p.bytes += by * (p.bytes / loop.count);
        loop.count += by;
    } else {
        p.block += by * element;
        p.bytes += twice * by * element;
    }
    return p.bytes > 0 && p.bytes != before;
}

template <class Change> bool change_buffer(plan& p, std::uint32_t& index, Change change) {
    auto b = p.buffers[index];
    if (!change(b)) return false;
    index = static_cast<std::uint32_t>(p.buffers.size());
    p.buffers.push_back(b);
    return true;
}

} // namespace detail

/// Makes the mistake `kind` in descriptor `at` of `p`. False, and `p` unchanged or of no use, where the descriptor offers no
/// occasion.
[[nodiscard]] inline bool mutate(plan& p, std::size_t at, mutation_kind kind, std::int64_t element) {
    auto& d = p.descriptors[at];
    bool const is_loop = d.op == operation::loop;
    auto const elsewhere = [&](int rank) {
        for (int by = 2; by <= p.ranks; ++by)
            if (int const other = (rank + by) % p.ranks; other != rank && other != p.rank) return other;
        return -1;
    };
    auto const other_host = [&](buffer& b) {
        int const other = elsewhere(b.host);
        return std::exchange(b.host, other) != other && other >= 0;
    };
    auto const one_instance = [](buffer& b) { return b.slots > 1 && std::exchange(b.instances, parity::none) == parity::epoch; };
    auto const fewer = [](buffer& b) { return b.instances == parity::epoch && b.slots > 2 && --b.slots != 0; };
    auto const resized = [&](int by) {
        if (!moves_data(d.op)) return false;
        auto program = p.programs[d.program];
        if (!detail::resize(program, element, by)) return false;
        d.program = static_cast<std::uint32_t>(p.programs.size());
        p.programs.push_back(std::move(program));
        return true;
    };
    auto const add_if = [](bool applies, auto& field, auto by) {
        if (applies) field += by;
        return applies;
    };
    bool const has_source = moves_data(d.op) || is_message(d.op), has_target = has_source || d.op == operation::call;
    // Of the innermost loop, for this descriptor alone.
    auto const strides = [&](auto change) {
        if (d.strides == 0) return false;
        auto s = p.strides[d.strides];
        if (!change(s)) return false;
        d.strides = static_cast<std::uint32_t>(p.strides.size());
        p.strides.push_back(s);
        return true;
    };
    auto const operands = [&](auto change) {
        if (d.operand == 0) return false;
        auto o = p.operands[d.operand];
        if (!change(o)) return false;
        d.operand = static_cast<std::uint32_t>(p.operands.size());
        p.operands.push_back(o);
        return true;
    };
    auto const rings = [&](auto change) {
        return strides([&](auto& s) {
            bool any = false;
            for (auto* side : {&s.src, &s.dst})
                if (side->slots > 1 || (side->slots == 1 && kind == mutation_kind::ring_up)) any |= change(*side);
            return any;
        });
    };
    using enum mutation_kind;
    switch (kind) {
    case drop: detail::erase(p, at); return true;
    case repeat: detail::insert(p, at + 1, descriptor{d}); return true;
    case swap:
        if (at + 1 == p.descriptors.size() || d.op == operation::end) return false;
        std::swap(d, p.descriptors[at + 1]);
        return true;
    case no_trigger: return std::exchange(d.trigger, 0U) != 0;
    case no_signal: return std::exchange(d.signal, 0U) != 0;
    case threshold_up: return add_if(d.trigger != 0, d.threshold, 1);
    case threshold_down: return add_if(d.trigger != 0, d.threshold, -1);
    case value_up: return add_if(d.signal != 0, d.value, 1);
    case value_down: return add_if(d.signal != 0, d.value, -1);
    case count_up: return add_if(is_loop, d.argument, 1U);
    case count_down: return add_if(is_loop, d.argument, ~0U);
    case source_shift: return add_if(moves_data(d.op), d.src_offset, element);
    case target_shift: return add_if(moves_data(d.op), d.dst_offset, element);
    case source_stride: return strides([&](auto& s) { return add_if(has_source, s.src.bytes, element); });
    case target_stride: return strides([&](auto& s) { return add_if(has_target, s.dst.bytes, element); });
    case threshold_stride_up: return strides([&](auto& s) { return add_if(d.trigger != 0, s.threshold, 1); });
    case threshold_stride_down: return strides([&](auto& s) { return add_if(d.trigger != 0, s.threshold, -1); });
    case value_stride_up: return strides([&](auto& s) { return add_if(d.signal != 0, s.value, 1); });
    case value_stride_down: return strides([&](auto& s) { return add_if(d.signal != 0, s.value, -1); });
    case ring_up: return rings([](auto& ring) { return ++ring.slots != 0; });
    case ring_down: return rings([](auto& ring) { return --ring.slots > ring.phase; });
    case ring_phase: return rings([](auto& ring) { return ++ring.phase != ring.slots || (ring.phase = 0) == 0; });
    case no_outer: return strides([](auto& s) { return std::exchange(s.outer, 0U) != 0; });
    case grow: return resized(1);
    case shrink: return resized(-1);
    case wrong_peer: return d.peer >= 0 && (d.peer = elsewhere(d.peer)) >= 0;
    case wrong_source: return moves_data(d.op) && detail::change_buffer(p, d.src, other_host);
    case wrong_target: return moves_data(d.op) && detail::change_buffer(p, d.dst, other_host);
    case one_source: return moves_data(d.op) && detail::change_buffer(p, d.src, one_instance);
    case one_target: return moves_data(d.op) && detail::change_buffer(p, d.dst, one_instance);
    case fewer_sources: return moves_data(d.op) && detail::change_buffer(p, d.src, fewer);
    case fewer_targets: return moves_data(d.op) && detail::change_buffer(p, d.dst, fewer);
    case other_sign: return d.op == operation::negate && std::exchange(d.op, operation::copy) != d.op;
    case wrong_operator: // the order matters to one of the user's, and to no other
        if (d.op != operation::reduce) return false;
        d.argument = is_users(d.argument) ? combiner(reduction::sum, sode::internal::element::f64)
                                          : combiner(operation_of(d.argument) == reduction::max ? reduction::min : reduction::max,
                                                     element_of(d.argument));
        return true;
    case wrong_element:
        if (d.op != operation::reduce || is_users(d.argument)) return false;
        d.argument =
            combiner(operation_of(d.argument), element_of(d.argument) == sode::internal::element::u8 ? sode::internal::element::i8
                                                                                                     : sode::internal::element::u8);
        return true;
    case no_operand: return std::exchange(d.operand, 0U) != 0;
    case operand_shift: return operands([&](operand& o) { return (o.offset += element) != 0; });
    case operand_stride: return d.operand != 0 && strides([&](auto& s) { return (s.operand.bytes += element) != 0; });
    case wrong_operand: return operands([&](operand& o) { return detail::change_buffer(p, o.buffer, other_host); });
    case swap_operands:
        return operands([&](operand& o) {
            std::swap(o.buffer, d.src);
            std::swap(o.offset, d.src_offset);
            return true;
        });
    case call_writes:
        if (d.op != operation::call) return false;
        p.calls.push_back(p.calls[d.argument]);
        d.argument = static_cast<std::uint32_t>(p.calls.size() - 1);
        p.calls.back().writes.offset += element;
        return true;
    }
    return false;
}

/// Where a mistake was made.
struct spot {
    plan const& sound;
    std::size_t at;
    bool everywhere; ///< in this place on all ranks with such a plan, as a builder would make it; else on one rank

    [[nodiscard]] descriptor const& here() const { return sound.descriptors[at]; }
    [[nodiscard]] descriptor const& next() const { return sound.descriptors[at + 1]; }
    [[nodiscard]] std::uint32_t stream() const { return stream_of(sound, at); }
};

/// A mistake that changes nothing, and why.
struct harmless {
    mutation_kind kind;
    std::string_view reason;
    std::function<bool(spot const&)> applies;
};

struct mutation_result {
    std::size_t tried = 0;
    std::vector<std::string> survivors; ///< not found and not known to be harmless
    std::vector<std::string> refuted;   ///< said to be harmless, and found
    std::vector<std::size_t> excused;   ///< how often each entry of the list applied
};

/// Makes every mistake in every descriptor of the plans of `ranks` (all, if empty), one at a time, first on that rank alone and
/// then on all ranks whose plans have the same operations, and looks whether verify finds it.
[[nodiscard]] inline mutation_result try_mutations(std::vector<plan> plans, std::span<std::vector<array_model> const> arrays,
                                                   std::span<harmless const> known, std::int64_t element,
                                                   std::vector<std::size_t> ranks = {}, std::vector<int> const& machines = {}) {
    mutation_result result;
    result.excused.resize(known.size());
    if (ranks.empty())
        for (std::size_t r = 0; r < plans.size(); ++r) ranks.push_back(r);
    std::vector<plan> const sound = plans;

    auto const judge = [&](spot const& where, mutation_kind kind) {
        ++result.tried;
        auto const excuse =
            std::find_if(known.begin(), known.end(), [&](harmless const& h) { return h.kind == kind && h.applies(where); });
        auto const findings = verify(plans, arrays, {.epochs = 3, .most_findings = 1, .machines = machines});
        if (excuse != known.end()) ++result.excused[static_cast<std::size_t>(excuse - known.begin())];
        if (findings.empty() == (excuse != known.end())) return;
        auto const& d = where.here();
        auto text = fmt::format("{} of descriptor {} ({}, stream {}) of rank {} of {}{}", to_string(kind), where.at,
                                sode::internal::to_string(d.op), where.stream(), where.sound.rank, plans.size(),
                                where.everywhere ? " and its like" : "");
        if (findings.empty())
            result.survivors.push_back(std::move(text));
        else
            result.refuted.push_back(text + ": " + findings.front().message);
    };
    auto const alike = [](plan const& a, plan const& b) {
        return std::equal(a.descriptors.begin(), a.descriptors.end(), b.descriptors.begin(), b.descriptors.end(),
                          [](auto const& x, auto const& y) { return x.op == y.op; });
    };

    std::vector<bool> done(plans.size(), false);
    for (auto const r : ranks) {
        std::vector<std::size_t> family;
        if (!done[r])
            for (std::size_t q = 0; q < plans.size(); ++q)
                if (alike(sound[q], sound[r])) {
                    family.push_back(q);
                    done[q] = true;
                }
        for (std::size_t at = 0; at < sound[r].descriptors.size(); ++at)
            for (int k = 0; k < mutation_kinds; ++k) {
                auto const kind = static_cast<mutation_kind>(k);
                if (mutate(plans[r], at, kind, element)) judge({sound[r], at, false}, kind);
                plans[r] = sound[r];
                if (family.size() < 2) continue;
                bool changed = false;
                for (auto const q : family) changed |= mutate(plans[q], at, kind, element);
                if (changed) judge({sound[r], at, true}, kind);
                for (auto const q : family) plans[q] = sound[q];
            }
    }
    return result;
}

} // namespace sode::internal::testing
