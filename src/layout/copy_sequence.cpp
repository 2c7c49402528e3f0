// SPDX-License-Identifier: Apache-2.0
#include "layout/copy_sequence.hpp"

#include "layout/copy_list.hpp"
#include "layout/copy_nest.hpp"
#include "layout/layout_algebra.hpp"
#include "layout/layout_factor.hpp"

#include <sode/error.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <numeric>
#include <span>

namespace sode::internal {
namespace {

using loop = copy_program::loop;

/// Up to here the rows of a nest that stands alone go into the list beside it.
constexpr index_t few_rows = 4;
/// Up to here it is cheaper to walk all blocks than to look for what repeats.
constexpr index_t few_blocks = 32;
/// So many iterations of a loop are looked at one by one where nothing else helps.
constexpr index_t few_iterations = 64;
/// Pieces of pieces of pieces: beyond, the two are out of step for good.
constexpr int deepest = 24;
/// Beyond, the pair is refused: its program would be as large as its data.
constexpr index_t most_blocks = index_t{1} << 20;

index_t body_bytes(layout const& l) {
    index_t bytes = l.bytes();
    for (auto const& outer : l.loops) bytes /= outer.count;
    return bytes;
}

/// Walks two layouts in step and writes down programs, period by period where both have one.
class pairing {
public:
    [[nodiscard]] std::vector<copy_program> finish() && {
        close_list();
        return std::move(steps_);
    }

    /// Both have equally many bytes, more than none, and are in normal form.
    void pair(layout const& source, layout const& target, std::vector<loop> const& around) {
        if (source.is_nest() && target.is_nest())
            if (auto nest = common_refinement(source, target)) return add(*std::move(nest), around);
        index_t const blocks = source.blocks() + target.blocks();
        if (blocks <= few_blocks || pays_to_walk(source, target) || pays_to_walk(target, source) || is_cut_often(source, target) ||
            is_cut_often(target, source))
            return walk(source, target, around);
        if (depth_ == deepest) return walk(source, target, around);
        ++depth_;
        if (is_sequence(source) || is_sequence(target))
            in_step(items_of(source), items_of(target), around);
        else if (!period_by_period(source, target, around) && !unroll(source, target, around))
            walk(source, target, around);
        --depth_;
    }

private:
    [[nodiscard]] static bool is_sequence(layout const& l) { return l.loops.empty() && !l.parts.empty(); }

    [[nodiscard]] static bool is_list(layout const& l) { return l.indexed() && l.loops.empty(); }

    /// A list that stands alone says nothing shorter than its blocks.
    [[nodiscard]] static bool pays_to_walk(layout const& list, layout const& other) {
        return is_list(list) && other.blocks() <= 4 * static_cast<index_t>(list.list.size()) + few_blocks;
    }

    /// To cut the lists of a sequence at the ends of all parts of the other side, each time from their beginning, may cost much
    /// more than to walk all blocks.
    [[nodiscard]] static bool is_cut_often(layout const& lists, layout const& other) {
        if (!is_sequence(lists) || !is_sequence(other)) return false;
        index_t entries = 0;
        for (layout const& p : lists.parts) entries += static_cast<index_t>(p.list.size());
        return entries * static_cast<index_t>(other.parts.size()) > 8 * (lists.blocks() + other.blocks()) &&
               other.parts.size() > 2 * lists.parts.size();
    }

    void walk(layout const& source, layout const& target, std::vector<loop> const& around) {
        if (source.blocks() > most_blocks || target.blocks() > most_blocks)
            throw error{
                error_kind::environment,
                fmt::format("a copy between layouts of {} and {} blocks cannot be described", source.blocks(), target.blocks()),
                "the blocks have no common period, so the copy would need a list of all blocks",
                "pack the source, and unpack it into the target"};
        if (around != around_) close_list();
        around_ = around;
        if (is_list(source) && is_list(target))
            walk(source.list, target.list);
        else if (is_list(source))
            walk(source.list, expand(target));
        else if (is_list(target))
            walk(expand(source), target.list);
        else
            walk(expand(source), expand(target));
    }

    void walk(std::vector<layout::piece> const& source, std::vector<layout::piece> const& target) {
        bool const alone = std::max(source.size(), target.size()) >= static_cast<std::size_t>(few_blocks);
        if (!alone || !append_uniform(steps_, around_, source, target)) append_refinement(list_, source, target);
    }

    void close_list() {
        if (!list_.empty()) append_list(steps_, around_, list_);
        list_.clear();
    }

    void add(copy_nest nest, std::vector<loop> const& around) {
        index_t rows = 1;
        for (loop const& l : nest.loops) rows *= l.count;
        bool const beside_others = around == around_ && !list_.empty() && nest.loops.size() <= 1 && rows <= few_rows;
        if (beside_others) {
            auto const [count, src, dst] = nest.loops.empty() ? loop{} : nest.loops.front();
            for (index_t i = 0; i < count; ++i) list_.push_back({nest.src_offset + i * src, nest.dst_offset + i * dst, nest.block});
            return;
        }
        nest.loops.insert(nest.loops.begin(), around.begin(), around.end());
        add_nest(std::move(nest));
    }

    /// A nest of more loops than a program has is taken apart, outermost loop first.
    void add_nest(copy_nest nest) {
        if (auto program = to_program(nest)) return steps_.push_back(*std::move(program));
        loop const outer = nest.loops.front();
        nest.loops.erase(nest.loops.begin());
        for (index_t i = 0; i < outer.count; ++i) {
            add_nest(nest);
            nest.src_offset += outer.src_stride;
            nest.dst_offset += outer.dst_stride;
        }
    }

    [[nodiscard]] static std::span<layout const> items_of(layout const& l) {
        return is_sequence(l) ? std::span{l.parts} : std::span{&l, 1};
    }

    void in_step(std::span<layout const> sources, std::span<layout const> targets, std::vector<loop> const& around) {
        auto s = sources.begin();
        auto t = targets.begin();
        index_t s_done = 0; // bytes of the current item that are paired already
        index_t t_done = 0;
        while (s != sources.end() && t != targets.end()) {
            index_t const s_bytes = s->bytes();
            index_t const t_bytes = t->bytes();
            index_t const n = std::min(s_bytes - s_done, t_bytes - t_done);
            if (n == s_bytes && n == t_bytes)
                pair(*s, *t, around);
            else
                pair(slice(*s, s_done, s_done + n), slice(*t, t_done, t_done + n), around);
            s_done += n;
            t_done += n;
            if (s_done == s_bytes) ++s, s_done = 0;
            if (t_done == t_bytes) ++t, t_done = 0;
        }
    }

    /// Looks for a number of bytes after which both begin again.
    bool period_by_period(layout const& source, layout const& target, std::vector<loop> const& around) {
        index_t const whole = source.bytes();
        index_t const s = body_bytes(source);
        index_t const t = body_bytes(target);
        index_t both = 0;
        bool const wraps = __builtin_mul_overflow(s, t / std::gcd(s, t), &both);
        for (index_t const period : {std::min(s, t), std::max(s, t), wraps ? whole : both}) {
            if (period >= whole) continue;
            auto const outer_source = factor(source, period);
            auto const outer_target = factor(target, period);
            if (!outer_source || !outer_target) continue;
            auto const loops = common_refinement({0, 1, outer_source->loops, {}}, {0, 1, outer_target->loops, {}});
            if (!loops || around.size() + loops->loops.size() > std::size(copy_program{}.loops)) continue;
            auto inside = around;
            inside.insert(inside.end(), loops->loops.begin(), loops->loops.end());
            pair(outer_source->inner, outer_target->inner, inside);
            return true;
        }
        return false;
    }

    /// Takes the outermost loop of one side apart.
    bool unroll(layout const& source, layout const& target, std::vector<loop> const& around) {
        auto const can = [](layout const& l) {
            return !l.is_nest() && !l.loops.empty() && l.loops.front().count <= few_iterations;
        };
        if (can(source)) {
            auto const items = iterations(source);
            in_step(items, items_of(target), around);
        } else if (can(target)) {
            auto const items = iterations(target);
            in_step(items_of(source), items, around);
        } else {
            return false;
        }
        return true;
    }

    [[nodiscard]] static std::vector<layout> iterations(layout const& l) {
        layout inner = l;
        inner.loops.erase(inner.loops.begin());
        std::vector<layout> all;
        auto const [count, stride] = l.loops.front();
        for (index_t i = 0; i < count; ++i) all.push_back(shifted(inner, i * stride));
        return all;
    }

    std::vector<copy_program> steps_;
    std::vector<copy_program::segment> list_; ///< segments that are in no program yet,
    std::vector<loop> around_;                ///< and the loops that they are in
    int depth_ = 0;
};

} // namespace

copy_sequence compile_sequence(layout const& source, layout const& target, target_overlap overlap) {
    index_t const bytes = source.bytes();
    if (bytes != target.bytes())
        throw error{error_kind::usage, fmt::format("{} bytes cannot be copied to {} bytes", bytes, target.bytes()),
                    "source and target of a copy must have the same size", "give source and target the same number of bytes"};
    if (bytes == 0) return {};
    if (overlap == target_overlap::refused && overlaps_itself(target))
        throw error{error_kind::usage, "the target of a copy overlaps itself",
                    "a byte would be written twice, and the order of writes is not defined",
                    "pass target strides that write each byte only once"};
    pairing p;
    p.pair(source, target, {});
    return {std::move(p).finish(), bytes};
}

} // namespace sode::internal
