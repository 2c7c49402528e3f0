// SPDX-License-Identifier: Apache-2.0
#include "layout/copy_nest.hpp"

#include <algorithm>

namespace sode::internal {
namespace {

/// Walks a nest from the inside out, byte by byte: the block is a loop of stride 1.
class radices {
public:
    explicit radices(layout const& l) : layout_(l), next_(l.loops.rbegin()), count_(l.block) {}

    [[nodiscard]] index_t count() const { return count_; }
    [[nodiscard]] index_t stride() const { return stride_; }
    [[nodiscard]] bool done() const { return count_ == 1 && next_ == layout_.loops.rend(); }

    /// Leaves the innermost `n` iterations behind; `n` divides count().
    void take(index_t n) {
        count_ /= n;
        stride_ *= n;
        if (count_ > 1 || next_ == layout_.loops.rend()) return;
        count_ = next_->count;
        stride_ = next_->stride;
        ++next_;
    }

private:
    layout const& layout_;
    std::vector<layout::loop>::const_reverse_iterator next_;
    index_t count_;
    index_t stride_ = 1;
};

} // namespace

std::optional<copy_nest> common_refinement(layout const& source, layout const& target) {
    copy_nest nest{source.offset, target.offset, 1, {}};
    radices s{source};
    radices t{target};
    if (s.count() == 1) s.take(1);
    if (t.count() == 1) t.take(1);
    while (!s.done() || !t.done()) {
        index_t const n = std::min(s.count(), t.count());
        if (s.count() % n != 0 || t.count() % n != 0) return std::nullopt;
        nest.loops.push_back({n, s.stride(), t.stride()});
        s.take(n);
        t.take(n);
    }
    std::reverse(nest.loops.begin(), nest.loops.end());
    return nest;
}

void append_refinement(std::vector<copy_program::segment>& segments, std::vector<layout::piece> const& source,
                       std::vector<layout::piece> const& target) {
    // Each list cuts the other once a piece, at most; without room for all, a vector would grow as it does.
    if (segments.empty()) segments.reserve(std::max(source.size(), target.size()) + std::min(source.size(), target.size()) / 8);
    auto s = source.begin();
    auto t = target.begin();
    index_t s_done = 0; // bytes of the current piece that are in segments already
    index_t t_done = 0;
    while (s != source.end() && t != target.end()) {
        index_t const bytes = std::min(s->bytes - s_done, t->bytes - t_done);
        segments.push_back({s->offset + s_done, t->offset + t_done, bytes});
        s_done += bytes;
        t_done += bytes;
        if (s_done == s->bytes) {
            ++s;
            s_done = 0;
        }
        if (t_done == t->bytes) {
            ++t;
            t_done = 0;
        }
    }
}

} // namespace sode::internal
