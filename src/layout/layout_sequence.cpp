// SPDX-License-Identifier: Apache-2.0
#include "layout/layout_algebra.hpp"
#include "layout/normal_form.hpp"

#include <algorithm>
#include <utility>

namespace sode::internal {
namespace {

/// Up to here the blocks of a part are worth no part of their own.
constexpr index_t few_copies = 8;
/// From here on a list is: to join it with its neighbours would cost a copy, and mix blocks of different sizes.
constexpr std::size_t long_list = 64;

bool same_shape(layout const& a, layout const& b) {
    return a.block == b.block && a.loops == b.loops && a.is_nest() && b.is_nest();
}

/// Whether `b` only goes on where the outermost loop of `a` ends.
bool continues(layout const& a, layout const& b) {
    return a.is_nest() && b.is_nest() && a.block == b.block && !a.loops.empty() && a.loops.size() == b.loops.size() &&
           a.loops.front().stride == b.loops.front().stride &&
           b.offset == a.offset + a.loops.front().count * a.loops.front().stride &&
           std::equal(a.loops.begin() + 1, a.loops.end(), b.loops.begin() + 1);
}

/// Joins neighbours of which one continues the other, and makes loops of neighbours that are equal but for a constant distance.
/// True if anything changed.
bool fold_neighbours(std::vector<layout>& parts) {
    std::vector<layout> folded;
    folded.reserve(parts.size());
    for (std::size_t i = 0; i < parts.size();) {
        std::size_t end = i + 1;
        if (end < parts.size() && same_shape(parts[i], parts[end])) {
            index_t const distance = parts[end].offset - parts[i].offset;
            while (end < parts.size() && same_shape(parts[i], parts[end]) && parts[end].offset - parts[end - 1].offset == distance)
                ++end;
            folded.push_back(repeated(std::move(parts[i]), static_cast<index_t>(end - i), distance));
        } else if (!folded.empty() && continues(folded.back(), parts[i])) {
            auto loops = folded.back().loops;
            loops.front().count += parts[i].loops.front().count;
            folded.back().loops.clear();
            folded.back() = with_loops(std::move(loops), std::move(folded.back()));
        } else {
            folded.push_back(std::move(parts[i]));
        }
        i = end;
    }
    bool const changed = folded.size() != parts.size();
    parts = std::move(folded);
    return changed;
}

} // namespace

layout normal_sequence(std::vector<layout> parts) {
    while (fold_neighbours(parts)) {
    }
    if (parts.empty()) return {};
    if (parts.size() == 1) return std::move(parts.front());
    index_t bytes = 0;
    for (layout const& p : parts)
        if (__builtin_add_overflow(bytes, p.bytes(), &bytes) || bytes >= longest_span) layout_too_large();
    return {0, 0, {}, {}, std::move(parts)};
}

void layout_sequence::refuse(index_t bytes) {
    static_cast<void>(normalised({0, bytes, {}, {}})); // throws for a negative one
    layout_too_large();
}

void layout_sequence::close_list() {
    if (pending_.empty()) return;
    parts_.push_back(normal_list(std::move(pending_)));
    pending_.clear();
}

/// Puts `l` into the list if its blocks belong there; whether nothing of it is left to append.
bool layout_sequence::gathers(layout const& l, index_t offset, index_t count, index_t stride) {
    if (count == 0 || l.blocks() == 0) return true;
    if (offset <= -longest_span || offset >= longest_span) layout_too_large();
    bool const plain = l.is_nest() && l.loops.empty();
    if (plain && (count == 1 || stride == l.block)) {
        index_t bytes = 0;
        if (__builtin_mul_overflow(l.block, count, &bytes)) layout_too_large();
        add_block(l.offset + offset, bytes);
        return true;
    }
    if (l.parts.empty() && l.blocks() <= few_copies && count <= few_copies / l.blocks()) {
        static_cast<void>(repeated(l, count, stride)); // throws where it is too large
        for (index_t i = 0; i < count; ++i)
            for (auto const& p : expand(l)) append_piece(pending_, p.offset + offset + i * stride, p.bytes);
        return true;
    }
    if (count == 1 && l.loops.empty() && l.indexed() && l.list.size() < long_list) {
        for (auto const& p : l.list) append_piece(pending_, p.offset + offset, p.bytes);
        return true;
    }
    return false;
}

void layout_sequence::append(layout l, index_t offset, index_t count, index_t stride) {
    if (count == 1 && l.loops.empty() && !l.parts.empty()) {
        for (layout& p : l.parts) add(std::move(p), offset);
        return;
    }
    if (offset != 0) {
        auto const [first, end] = l.extent();
        if (first + offset <= -longest_span || end + offset >= longest_span) layout_too_large();
    }
    close_list();
    parts_.push_back(repeated(shifted(std::move(l), offset), count, stride));
}

void layout_sequence::add(layout const& l, index_t offset, index_t count, index_t stride) {
    if (!gathers(l, offset, count, stride)) append(l, offset, count, stride);
}

void layout_sequence::add(layout&& l, index_t offset, index_t count, index_t stride) {
    if (!gathers(l, offset, count, stride)) append(std::move(l), offset, count, stride);
}

layout layout_sequence::finish() {
    close_list();
    auto parts = std::move(parts_);
    parts_.clear();
    return normal_sequence(std::move(parts));
}

} // namespace sode::internal
