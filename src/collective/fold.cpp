// SPDX-License-Identifier: Apache-2.0
#include "collective/fold.hpp"

#include <algorithm>

namespace sode::internal {
namespace {

struct piece_of_part {
    std::int64_t at = 0; // in the share
    std::int64_t bytes = 0;
    std::uint32_t combiner = 0;
};

// The parts of the terms that lie in these bytes of the share.
std::vector<piece_of_part> parts_of(collective_terms const& t, collective_terms::share const& share, fold_piece const& piece) {
    std::vector<piece_of_part> list;
    std::int64_t begin = 0;
    auto const first = share.offset + piece.offset, last = first + piece.bytes;
    for (auto const& p : t.parts) {
        auto const from = std::max(begin, first), to = std::min(begin + p.bytes, last);
        if (from < to) list.push_back({from - share.offset, to - from, p.combiner});
        begin += p.bytes;
    }
    return list;
}

class folding {
public:
    folding(plan_builder& b, std::uint32_t stream, collective_terms const& t, collective_terms::share const& share,
            fold_target const& target, contribution_of const& where)
        : b_(b), stream_(stream), terms_(t), share_(share), target_(target), where_(where) {}

    void wait_for_all() {
        for (int r = share_.first; r < share_.last; ++r)
            if (auto const c = where_(r); c.ready != 0) {
                auto& d = b_.emit(stream_, operation::wait);
                d.trigger = c.ready;
                d.threshold = c.threshold;
            }
    }

    // `waits`: each step for what it reads.
    void emit(fold_piece const& piece, bool waits) {
        for (auto const& part : parts_of(terms_, share_, piece)) {
            bool const aside = target_.aside != fold_target::no_place && share_.last - share_.first > 2;
            for (int r = share_.first + 1; r < share_.last; ++r) {
                auto const second = where_(r);
                bool const begins = r == share_.first + 1, ends = r + 1 == share_.last;
                auto const into = aside && !ends ? target_.aside : target_.buffer;
                auto const at = aside && !ends ? part.at - piece.offset : target_.offset + part.at;
                std::uint32_t first = 0;
                if (begins) {
                    auto const c = where_(share_.first);
                    if (waits && c.ready != 0) {
                        auto& w = b_.emit(stream_, operation::wait);
                        w.trigger = c.ready;
                        w.threshold = c.threshold;
                    }
                    if (c.buffer != into || c.offset + part.at != at) first = b_.add(operand{c.buffer, c.offset + part.at});
                } else if (aside && ends) {
                    first = b_.add(operand{target_.aside, part.at - piece.offset});
                }
                auto& d = b_.copy(stream_, operation::reduce, into, second.buffer, block_copy(part.bytes), second.peer);
                d.src_offset = second.offset + part.at;
                d.dst_offset = at;
                d.operand = first;
                d.argument = part.combiner;
                d.strides = piece.strides == 0 ? 0 : strides(into == target_.buffer, begins && first != 0, piece);
                if (waits && second.ready != 0) {
                    d.trigger = second.ready;
                    d.threshold = second.threshold;
                }
            }
        }
    }

    void copy_only() {
        auto const c = where_(share_.first);
        if (c.buffer == target_.buffer && c.offset == target_.offset) return;
        auto& d = b_.copy(stream_, operation::copy, target_.buffer, c.buffer, block_copy(share_.bytes), c.peer);
        d.src_offset = c.offset;
        d.dst_offset = target_.offset;
        d.trigger = c.ready;
        d.threshold = c.threshold;
    }

private:
    // What lies aside stays where it is; all else goes on by a piece.
    std::uint32_t strides(bool target_moves, bool operand_moves, fold_piece const& piece) {
        stride const on{.bytes = piece.bytes};
        return b_.add(loop_strides{.src = on, .dst = target_moves ? on : stride{}, .operand = operand_moves ? on : stride{}});
    }

    plan_builder& b_;
    std::uint32_t stream_;
    collective_terms const& terms_;
    collective_terms::share share_;
    fold_target target_;
    contribution_of const& where_;
};

bool folds_whole(collective_terms const& t, collective_terms::share const& share) noexcept {
    return share.bytes <= fold_piece_bytes || t.parts.size() > 1 || fold_piece_bytes % t.grain() != 0;
}

} // namespace

void emit_fold(plan_builder& b, std::uint32_t stream, collective_terms const& t, collective_terms::share const& share,
               fold_target const& target, contribution_of const& where, std::function<void(fold_piece const&)> const& after) {
    if (share.last <= share.first || share.bytes == 0) return;
    folding f{b, stream, t, share, target, where};
    bool const whole = folds_whole(t, share) || (share.last - share.first <= 2 && !after);
    if (share.last - share.first == 1) {
        f.copy_only();
        if (after) after({.offset = 0, .bytes = share.bytes});
    } else if (whole) {
        f.emit({.offset = 0, .bytes = share.bytes}, true);
        if (after) after({.offset = 0, .bytes = share.bytes});
    } else {
        f.wait_for_all();
        auto const pieces = share.bytes / fold_piece_bytes, rest = share.bytes % fold_piece_bytes;
        auto const on = b.add(loop_strides{.src = {.bytes = fold_piece_bytes}, .dst = {.bytes = fold_piece_bytes}});
        fold_piece const repeated{.offset = 0, .bytes = fold_piece_bytes, .strides = on};
        b.emit(stream, operation::loop).argument = static_cast<std::uint32_t>(pieces);
        f.emit(repeated, false);
        if (after) after(repeated);
        b.emit(stream, operation::end_loop);
        if (rest > 0) {
            fold_piece const last{.offset = pieces * fold_piece_bytes, .bytes = rest};
            f.emit(last, false);
            if (after) after(last);
        }
    }
}

std::int64_t aside_bytes(collective_terms const& t, collective_terms::share const& share) noexcept {
    return folds_whole(t, share) ? share.bytes : fold_piece_bytes;
}

buffer input_of(collective_terms const& t, int rank) {
    if (t.works_in_place(rank)) return output_of(t, rank);
    return {.host = rank, .role = buffer_role::array, .ordinal = 0, .bytes = t.bytes()};
}

buffer output_of(collective_terms const& t, int rank) {
    auto const got = t.got_by(rank).bytes;
    return {
        .host = rank, .role = buffer_role::array, .ordinal = 1, .bytes = t.works_in_place(rank) ? std::max(got, t.bytes()) : got};
}

void add_operators(plan_builder& b, collective_terms const& t) {
    for (auto const& o : t.operators) static_cast<void>(b.add(o));
}

void record_share(plan_builder& b, collective_terms const& t, int rank) {
    if (!t.proofs) return;
    auto const share = t.got_by(rank);
    auto& owed = b.target().deliveries;
    owed.reserve(owed.size() + t.parts.size() * static_cast<std::size_t>(std::max(share.last - share.first, 0)));
    std::int64_t begin = 0;
    for (auto const& p : t.parts) {
        auto const from = std::max(begin, share.offset), to = std::min(begin + p.bytes, share.offset + share.bytes);
        begin += p.bytes;
        if (from >= to) continue;
        for (int r = share.first; r < share.last; ++r)
            owed.push_back({.source_rank = r,
                            .source_array = t.works_in_place(r) ? 1U : 0U,
                            .source = contiguous(from, to - from),
                            .target_array = 1,
                            .target = contiguous(from - share.offset, to - from),
                            .combiner = share.last - share.first > 1 ? p.combiner : no_combiner});
    }
}

} // namespace sode::internal
