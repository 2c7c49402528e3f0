// SPDX-License-Identifier: Apache-2.0
#include "collective/algorithms/between_machines/leader_plan.hpp"
#include "collective/algorithms/between_machines/torus_trees.hpp"
#include "collective/catalogue.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace sode::internal {
namespace {

int root_machine(collective_terms const& t) noexcept {
    return t.root < 0 ? 0 : t.machines.of(t.root);
}

torus_trees trees_of(collective_terms const& t) {
    auto const machines = t.machines.machines();
    auto const said = std::accumulate(t.torus.begin(), t.torus.end(), 1, std::multiplies<>{});
    return {said == machines ? t.torus : nearest_to_cube(machines), root_machine(t)};
}

/// A part for each tree, and how many bytes of it go at a time.
class parts_of_trees {
public:
    parts_of_trees(collective_terms const& t, torus_trees const& trees)
        : all_(t.bytes()), grain_(t.grain()), parts_(trees.trees()), piece_(best_piece(t, trees)) {}
    [[nodiscard]] std::int64_t begin(int part) const noexcept {
        return part == parts_ ? all_ : all_ / grain_ * part / parts_ * grain_;
    }
    [[nodiscard]] std::int64_t bytes(int part) const noexcept { return begin(part + 1) - begin(part); }
    [[nodiscard]] std::int64_t piece() const noexcept { return piece_; }
    [[nodiscard]] std::int64_t most_pieces() const noexcept { return (bytes(parts_ - 1) + piece_ - 1) / piece_; }

private:
    // A part of b bytes in n pieces is down a tree after n + depth - 1 steps of `message + b / n * byte` each: the least is where
    // both of what the pieces add, and what each of them takes on its way, are equal.
    [[nodiscard]] std::int64_t best_piece(collective_terms const& t, torus_trees const& trees) const noexcept {
        constexpr std::int64_t most = 1024;
        auto const& n = t.costs.network;
        auto const longest = bytes(parts_ - 1);
        double const messages = parts_ * n.overhead, whole = static_cast<double>(longest) * (n.byte + parts_ * n.host_byte);
        auto const pieces = std::llround(std::sqrt((trees.depth() - 1) * whole / std::max(messages, 1.0)));
        auto const each = longest / std::clamp<std::int64_t>(pieces, 1, most);
        return std::max(grain_, (each + grain_ - 1) / grain_ * grain_);
    }

    std::int64_t all_;
    std::int64_t grain_;
    int parts_;
    std::int64_t piece_;
};

/// Trinary×3: a part for each of the trees of a torus that share no link, piece by piece (paper P3; Matsumoto, Adachi et al. 2012).
/// Broadcasts down, reductions up, and what all get first up and then down, each piece as soon as it is there. Up they take the
/// links that go the other way.
class trinary_builder {
public:
    trinary_builder(collective_terms const& t, int rank)
        : terms_(t), p_(t, rank), trees_(trees_of(t)), cut_(t, trees_), top_(p_.machine() == root_machine(t)) {}

    plan build() {
        bool const up = terms_.kind != collective_kind::broadcast, down = terms_.kind != collective_kind::reduce;
        auto const bytes = terms_.bytes();
        auto const made = p_.reserve(up && !top_ ? bytes : 0);
        if (up)
            for (int t = 0; t < trees_.trees(); ++t)
                for (std::size_t i = trees_.children(t, p_.machine()).size(); i > 0; --i)
                    rooms_.push_back(p_.reserve(cut_.bytes(t)));
        auto const taken = p_.reserve(bytes);
        p_.gather();
        if (!p_.leads()) {
            p_.deliver({}, taken);
            return p_.finish();
        }
        auto got = top_ && !up ? p_.given()[0] : down || top_ ? p_.result(taken) : leader_plan::place{};
        flows_.resize(static_cast<std::size_t>(trees_.trees()));
        for (int t = 0; up && t < trees_.trees(); ++t) go_up(t, top_ ? got : p_.in_memory(made));
        for (int t = 0; down && t < trees_.trees(); ++t) go_down(t, got);
        // What others of this machine gave must have been read before they hear that it is over.
        if (down || top_ || !p_.alone())
            for (auto const& f : flows_) p_.await(f);
        p_.deliver(got, taken);
        return p_.finish();
    }

private:
    [[nodiscard]] leader_plan::flow part(int tree, leader_plan::place whole) const noexcept {
        return {.at = whole.at(cut_.begin(tree)), .bytes = cut_.bytes(tree), .piece = cut_.piece()};
    }
    // An interface for each dimension: a machine sends a part, and receives one, in each.
    [[nodiscard]] leader_plan::flow over_link(leader_plan::flow f, int tree, int lower) const {
        f.nic = static_cast<std::uint8_t>(trees_.dimension_to(tree, lower));
        return f;
    }

    void go_up(int tree, leader_plan::place into) {
        std::vector<leader_plan::flow> all;
        for (auto const& given : p_.given()) all.push_back(part(tree, given));
        for (int const child : trees_.children(tree, p_.machine())) {
            auto room = part(tree, into);
            room.at = p_.in_memory(rooms_[room_++]);
            all.push_back(p_.receive(child, over_link(room, tree, child)));
        }
        auto& sum = flows_[static_cast<std::size_t>(tree)];
        sum = p_.fold(part(tree, into), all);
        if (!top_) p_.send(trees_.parent(tree, p_.machine()), over_link(sum, tree, p_.machine()));
    }

    void go_down(int tree, leader_plan::place got) {
        auto& f = flows_[static_cast<std::size_t>(tree)];
        if (!top_) f = p_.receive(trees_.parent(tree, p_.machine()), over_link(part(tree, got), tree, p_.machine()));
        if (top_ && terms_.kind == collective_kind::broadcast) f = part(tree, got);
        for (int const child : trees_.children(tree, p_.machine())) p_.send(child, over_link(f, tree, child));
    }

    collective_terms const& terms_;
    leader_plan p_;
    torus_trees trees_;
    parts_of_trees cut_;
    bool top_;
    std::vector<std::int64_t> rooms_; // of what comes from children, tree by tree
    std::size_t room_ = 0;
    std::vector<leader_plan::flow> flows_; // what this machine has, by tree
};

class trinary_algorithm final : public algorithm { // NOLINT(cppcoreguidelines-virtual-class-destructor)
public:
    constexpr trinary_algorithm() noexcept : algorithm("trinary", true) {}
    [[nodiscard]] bool can(collective_terms const& t) const noexcept override {
        if (t.machines.one() || t.empty() || t.parts.size() != 1) return false;
        if (t.kind != collective_kind::broadcast && t.kind != collective_kind::reduce && t.kind != collective_kind::allreduce)
            return false;
        return t.bytes() / t.grain() >= trees_of(t).trees() && commutes(t);
    }
    [[nodiscard]] bool regroups(collective_terms const& t) const noexcept override { return t.kind != collective_kind::broadcast; }
    [[nodiscard]] expense cost(collective_terms const& t, distance /*apart*/) const noexcept override {
        auto const trees = trees_of(t);
        parts_of_trees const cut{t, trees};
        auto const pieces = static_cast<double>(cut.most_pieces()), piece = static_cast<double>(cut.bytes(0)) / pieces;
        auto const at_once = static_cast<double>(std::min<std::int64_t>(trees.trees(), t.costs.engines.interfaces));
        auto down = leader_round(t, trees.trees() * pieces, piece) + (trees.depth() - 1.0) * leader_round(t, 1, piece);
        down.link /= std::max(at_once, 1.0);
        return within_machine(t) + (t.kind == collective_kind::allreduce ? 2.0 : 1.0) * down;
    }
    [[nodiscard]] std::int64_t piece(collective_terms const& t) const noexcept override {
        return parts_of_trees{t, trees_of(t)}.piece();
    }
    [[nodiscard]] plan build(collective_terms const& t, int rank) const override { return trinary_builder{t, rank}.build(); }
};

constinit trinary_algorithm const trinary_object;

} // namespace

namespace algorithms {
algorithm const& trinary = trinary_object;
} // namespace algorithms

} // namespace sode::internal
