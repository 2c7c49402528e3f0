// SPDX-License-Identifier: Apache-2.0
#include "collective/algorithms/between_machines/circulant_graph.hpp"

#include <algorithm>

namespace sode::internal {

circulant_graph::circulant_graph(int all) {
    for (skips_.push_back(all); skips_.back() > 1;) skips_.push_back((skips_.back() + 1) / 2);
    std::ranges::reverse(skips_);
}

// A number is a sum of skips, the largest first; the smallest of them names the block that comes there first. In round k, v hears
// of v - skip(k), which can only have what has come to it or to those before it. So the largest sum not beyond that whose last skip
// no other round has taken yet names the block, one phase of rounds() blocks ago.
class circulant_graph::search {
public:
    search(circulant_graph const& g, int v) : g_(g), goal_(g.all() + v), low_(2 * g.all()), first_(first_block(v)) {
        auto const q = g_.rounds();
        next_.resize(static_cast<std::size_t>(q) + 1);
        for (int e = q; e >= 0; --e) next_[static_cast<std::size_t>(e)] = e - 1;
        before_.resize(next_.size());
        for (int e = q; e >= 0; --e) before_[static_cast<std::size_t>(e)] = e == q ? none : e + 1;
        first_unused_ = q;
        take(first_);
        look_beyond(0, first_unused_);
    }
    [[nodiscard]] std::vector<int> blocks() const {
        auto all = found_;
        for (int& e : all) e = e == g_.rounds() ? first_ : e - g_.rounds();
        return all;
    }

private:
    static constexpr int none = -1;

    [[nodiscard]] int first_block(int v) const noexcept {
        int k = g_.rounds() - 1;
        for (; g_.skip(k) != v; --k)
            if (g_.skip(k) < v) v -= g_.skip(k);
        return k;
    }
    [[nodiscard]] int round() const noexcept { return static_cast<int>(found_.size()); }
    [[nodiscard]] bool complete() const noexcept { return round() == g_.rounds(); }
    [[nodiscard]] bool reaches(int sum, int round) const noexcept { return sum <= goal_ - g_.skip(round); }

    void take(int e) noexcept {
        auto const after = next_[static_cast<std::size_t>(e)], before = before_[static_cast<std::size_t>(e)];
        (before == none ? first_unused_ : next_[static_cast<std::size_t>(before)]) = after;
        if (after != none) before_[static_cast<std::size_t>(after)] = before;
    }
    void look_beyond(int sum, int e) {
        for (; e != none; e = next_[static_cast<std::size_t>(e)]) {
            int const further = sum + g_.skip(e);
            if (!reaches(further, round()) || further >= low_) continue;
            if (reaches(further, round() + 1)) look_beyond(further, next_[static_cast<std::size_t>(e)]);
            if (complete()) return;
            if (!reaches(further, round()) || further >= low_) continue;
            low_ = further;
            found_.push_back(e);
            take(e);
            if (complete() || !reaches(sum, round() + 1)) return;
        }
    }

    circulant_graph const& g_;
    int goal_;
    int low_; // sums are found in falling order
    int first_;
    int first_unused_ = none;
    std::vector<int> next_, before_; // of skips that are not taken, the largest first
    std::vector<int> found_;         // by round
};

// By round of a phase: the block that comes to v, of the same phase if it is not negative, else of the one before.
std::vector<int> circulant_graph::phase(int v) const {
    return search{*this, v}.blocks();
}

std::vector<circulant_graph::step> circulant_graph::arrivals(int v, int blocks) const {
    std::vector<step> list;
    if (v == 0) return list;
    auto const per_phase = phase(v);
    int const q = rounds(), skipped = (q - (blocks - 1) % q) % q; // so that the last phase is a whole one
    bool have_last = false;
    for (int i = skipped; i < skipped + blocks - 1 + q; ++i) {
        int const k = i % q, block = per_phase[static_cast<std::size_t>(k)] + i - k - skipped;
        // Beyond the last block, it comes again.
        if (block < 0 || (block >= blocks - 1 && have_last)) continue;
        have_last = block >= blocks - 1;
        list.push_back({.round = i - skipped, .other = (v - skip(k) + all()) % all(), .block = std::min(block, blocks - 1)});
    }
    return list;
}

std::vector<circulant_graph::step> circulant_graph::departures(int v, int blocks) const {
    std::vector<step> list;
    for (int k = 0; k < rounds(); ++k) {
        int const to = (v + skip(k)) % all();
        for (auto const& a : arrivals(to, blocks))
            if (a.other == v) list.push_back({.round = a.round, .other = to, .block = a.block});
    }
    std::ranges::sort(list, {}, &step::round);
    return list;
}

} // namespace sode::internal
