// SPDX-License-Identifier: Apache-2.0
#include "array/grid_shape.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>

namespace sode::internal {
namespace {

// How good a choice of nodes is; the smallest wins.
struct merit {
    double idle = 0;          // ranks that own nothing
    int kept_whole = 0;       // dimensions that should be cut and are not
    bool last_is_cut = false; // though it was left to us: halos across the contiguous dimension are strided
    double surface = 0;       // elements on one side of all cuts together
    double largest = 1;       // the largest block: what the slowest rank computes

    [[nodiscard]] auto as_wanted() const { return std::tie(idle, kept_whole, last_is_cut); }
    friend bool operator<(merit const& a, merit const& b) {
        return std::tuple_cat(a.as_wanted(), std::tie(a.surface, a.largest)) <
               std::tuple_cat(b.as_wanted(), std::tie(b.surface, b.largest));
    }
};

struct search {
    int ranks;
    std::span<index_t const> extents;
    std::span<node_extent const> wanted;

    std::vector<int> nodes{}, best{};
    merit best_merit{};
    bool had_a_choice = false; // between ways that differ in their surface only

    [[nodiscard]] bool last_is_ours() const { return extents.size() > 1 && wanted.back().open() && !wanted.back().asked(); }

    [[nodiscard]] merit judge() const {
        merit m{.last_is_cut = last_is_ours() && nodes.back() > 1};
        double used = 1;
        for (std::size_t d = 0; d < extents.size(); ++d) {
            used *= static_cast<double>(std::min<index_t>(nodes[d], extents[d]));
            m.kept_whole += wanted[d].asked() && nodes[d] == 1 ? 1 : 0;
            index_t const largest = (extents[d] + nodes[d] - 1) / nodes[d];
            m.largest *= static_cast<double>(largest);
            double area = nodes[d] - 1;
            for (std::size_t e = 0; e < extents.size(); ++e)
                if (e != d) area *= static_cast<double>(extents[e]);
            m.surface += area;
        }
        m.idle = ranks - used;
        return m;
    }

    void consider() {
        auto const m = judge();
        if (best.empty() || m < best_merit) {
            had_a_choice = !best.empty() && m.as_wanted() == best_merit.as_wanted();
            best = nodes;
            best_merit = m;
        } else if (m.as_wanted() == best_merit.as_wanted()) {
            had_a_choice = true;
        }
    }

    // All ways to write `rest` as a product over the open dimensions from `d` on. Larger factors come first in the slow dimensions,
    // so that of two equally good ways the one with the longer rows is met first.
    void run(std::size_t d, int rest) {
        if (d == nodes.size()) {
            if (rest == 1) consider();
            return;
        }
        if (!wanted[d].open()) return run(d + 1, rest);
        for (int f = rest; f >= 1; --f) {
            if (rest % f != 0) continue;
            nodes[d] = f;
            run(d + 1, rest / f);
        }
    }

    void run() {
        int rest = ranks;
        for (auto const& w : wanted) {
            nodes.push_back(w.open() ? 1 : w.value());
            rest /= nodes.back();
        }
        run(0, rest);
    }
};

int prime_factors(int n) {
    int count = 0;
    for (int p = 2; n > 1; n % p == 0 ? n /= p, ++count : ++p) {
    }
    return count;
}

std::string dimensions(std::vector<std::size_t> const& list, std::string_view one, std::string_view several) {
    if (list.size() == 1) return fmt::format("dimension {} {}", list[0], one);
    auto const head = std::span{list}.first(list.size() - 1);
    return fmt::format("dimensions {} and {} {}", fmt::join(head, ", "), list.back(), several);
}

std::string cuts(std::vector<std::size_t> const& list) {
    return list.empty() ? "no dimension is cut" : dimensions(list, "is cut", "are cut");
}

std::string reason_of(search const& s) {
    std::vector<std::size_t> cut, refused;
    int open_ranks = s.ranks, asked = 0;
    for (std::size_t d = 0; d < s.best.size(); ++d) {
        if (s.best[d] > 1) cut.push_back(d);
        if (s.wanted[d].asked() && s.best[d] == 1) refused.push_back(d);
        if (!s.wanted[d].open()) open_ranks /= s.best[d];
        asked += s.wanted[d].asked() ? 1 : 0;
    }
    auto text = cuts(cut);
    if (std::ranges::none_of(s.wanted, &node_extent::open)) return text + ", as the program says";
    if (s.had_a_choice) text += " (of all such splits, the one with the least surface)";
    if (s.best_merit.last_is_cut) {
        std::vector<node_extent> kept(s.wanted.begin(), s.wanted.end());
        kept.back() = 1;
        search whole{.ranks = s.ranks, .extents = s.extents, .wanted = kept};
        whole.run();
        text += fmt::format("; the last one is contiguous in memory, but if it stayed whole, {:.0f} of {} ranks would own nothing",
                            whole.best_merit.idle, s.ranks);
    } else if (s.last_is_ours()) {
        text += fmt::format("; dimension {} stays whole, since it is contiguous in memory", s.best.size() - 1);
    }
    if (!refused.empty() && s.ranks > 1)
        text += fmt::format("; {}, since {}", dimensions(refused, "stays whole", "stay whole"),
                            prime_factors(open_ranks) < asked
                                ? fmt::format("{} ranks cannot be divided among more dimensions", open_ranks)
                                : std::string{"ranks would own nothing otherwise"});
    if (s.best_merit.idle > 0) text += fmt::format("; {:.0f} of {} ranks own nothing", s.best_merit.idle, s.ranks);
    return text;
}

} // namespace

grid_shape choose_shape(int ranks, std::span<index_t const> extents, std::span<node_extent const> wanted) {
    search s{.ranks = ranks, .extents = extents, .wanted = wanted};
    s.run();
    return {s.best, reason_of(s)};
}

std::string describe_grid(geometry const& g) {
    if (g.grid.size() == 1) return {};
    auto const extents = std::span{g.grid.extent}.first(static_cast<std::size_t>(g.grid.dims));
    auto reason = g.grid.reason;
    if (reason.empty()) { // of a distribution: its dimensions need not be the grid's
        std::vector<std::size_t> cut;
        for (std::size_t d = 0; d < static_cast<std::size_t>(g.dims); ++d)
            if (g.axes[d].grid_dim >= 0 && g.axes[d].nodes() > 1) cut.push_back(d);
        reason = cuts(cut) + ", as the distribution says";
    }
    return fmt::format("grid: {}, {}\n", fmt::join(extents, " x "), reason);
}

} // namespace sode::internal
