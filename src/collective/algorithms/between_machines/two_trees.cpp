// SPDX-License-Identifier: Apache-2.0
#include "collective/algorithms/between_machines/leader_plan.hpp"
#include "collective/catalogue.hpp"

#include <algorithm>
#include <array>

namespace sode::internal {
namespace {

/// A binary tree of the numbers 1 to all - 1 in their order, below number 0, in which odd numbers are leaves.
struct ordered_tree {
    int parent = -1;
    std::vector<int> children;

    ordered_tree(int v, int all) {
        int bit = 1;
        while (bit < all && (v & bit) == 0) bit *= 2;
        if (v == 0) {
            if (all > 1) children.push_back(bit / 2);
            return;
        }
        parent = (v ^ bit) | (2 * bit);
        if (parent >= all) parent = v ^ bit;
        if (bit > 1) children.push_back(v - bit / 2);
        for (int step = bit / 2; step > 0; step /= 2)
            if (v + step < all) {
                children.push_back(v + step);
                return;
            }
    }
};

/// The second tree is the first one of numbers in the reverse order, or, of an even number of machines, one further: leaves of one
/// are the inner ones of the other.
ordered_tree second_tree(int v, int all) {
    int const others = all - 1;
    bool const reversed = others % 2 == 0;
    auto const to = [&](int n) { return n == 0 ? 0 : reversed ? all - n : n % others + 1; };
    auto const back = [&](int n) { return n == 0 ? 0 : reversed ? all - n : (n + others - 2) % others + 1; };
    ordered_tree t{back(v), all};
    if (t.parent > 0) t.parent = to(t.parent);
    for (int& c : t.children) c = to(c);
    return t;
}

/// How many bytes go by each tree, and in how many pieces.
struct halves {
    static constexpr std::int64_t long_piece = 64 << 10;
    static constexpr std::int64_t fewest = 4, most = 32;

    explicit halves(collective_terms const& t) : all(t.bytes()), grain(t.grain()), grains(all / grain) {
        auto const half = grains / 2;
        pieces = std::min(half, std::clamp(half * grain / long_piece, fewest, most));
    }
    /// Where the piece of a tree begins.
    [[nodiscard]] std::int64_t cut(int tree, std::int64_t piece) const noexcept {
        if (tree == 1 && piece == pieces) return all;
        auto const half = grains / 2, first = tree == 0 ? 0 : half, count = tree == 0 ? half : grains - half;
        return (first + count * piece / pieces) * grain;
    }
    [[nodiscard]] std::int64_t bytes(int tree, std::int64_t piece) const noexcept {
        return cut(tree, piece + 1) - cut(tree, piece);
    }

    std::int64_t all;
    std::int64_t grain;
    std::int64_t grains;
    std::int64_t pieces;
};

/// Broadcasts and reductions of large amounts: one half goes by one binary tree of machines, the other half by another one, in
/// which those that only listened in the first do the work; piece by piece. So each machine sends and receives everything about
/// once, at a latency of two trees. Source: Sanders, Speck, Träff, "Two-tree algorithms for full bandwidth broadcast, reduction and
/// scan", Parallel Computing 35 (2009).
class two_trees_builder {
public:
    two_trees_builder(collective_terms const& t, int rank)
        : terms_(t), p_(t, rank), cut_(t),
          number_((p_.machine() - p_.root_machine() + p_.machines()) % p_.machines()), trees_{ordered_tree{number_, p_.machines()},
                                                                                              second_tree(number_, p_.machines())} {
    }

    plan build() {
        bool const up = terms_.kind == collective_kind::reduce;
        auto const bytes = terms_.bytes();
        std::array<std::int64_t, 2> rooms{};
        auto const made = p_.reserve(up ? bytes : 0);
        if (up)
            for (auto& r : rooms) r = p_.reserve(bytes);
        auto const taken = p_.reserve(bytes);
        p_.gather();
        leader_plan::place got;
        if (p_.leads()) got = up ? go_up(made, rooms, taken) : go_down(taken);
        p_.deliver(got, taken);
        return p_.finish();
    }

private:
    [[nodiscard]] int machine_of(int v) const noexcept { return (v + p_.root_machine()) % p_.machines(); }

    // Two machines may be neighbours in both trees: their messages meet in the order of pieces, and then of trees.
    template <class Action> void for_each_piece(Action action) const {
        for (std::int64_t piece = 0; piece < cut_.pieces; ++piece)
            for (int tree = 0; tree < 2; ++tree) action(tree, cut_.cut(tree, piece), cut_.bytes(tree, piece));
    }

    leader_plan::place go_down(std::int64_t taken) {
        auto const all = number_ == 0 ? p_.given()[0] : p_.result(taken);
        std::vector<leader_plan::place> come;
        for_each_piece([&](int tree, std::int64_t at, std::int64_t bytes) {
            auto const& t = trees_[static_cast<std::size_t>(tree)];
            auto piece = all.at(at);
            if (t.parent >= 0) come.push_back(piece = p_.receive(machine_of(t.parent), piece, bytes));
            for (int const child : t.children) p_.send(machine_of(child), piece, bytes);
        });
        for (auto const& piece : come) p_.await(piece);
        return all;
    }

    leader_plan::place go_up(std::int64_t made, std::array<std::int64_t, 2> const& rooms, std::int64_t taken) {
        auto const parts = p_.given();
        auto const whole = number_ == 0 ? p_.result(taken) : p_.in_memory(made);
        // What a leaf gives waits for nobody, and must not stand behind what its machine combines in the other tree: machines would
        // wait for each other piece by piece.
        for (bool const leaf : {true, false})
            for_each_piece([&](int tree, std::int64_t at, std::int64_t bytes) {
                auto const& t = trees_[static_cast<std::size_t>(tree)];
                if (t.children.empty() != leaf) return;
                std::vector<leader_plan::place> all;
                for (auto const& part : parts) all.push_back(part.at(at));
                for (std::size_t i = 0; i < t.children.size(); ++i)
                    all.push_back(p_.receive(machine_of(t.children[i]), p_.in_memory(rooms[i]).at(at), bytes));
                auto piece = all.front();
                if (all.size() > 1) {
                    piece = whole.at(at);
                    p_.fold(piece, all, at, bytes);
                }
                if (t.parent >= 0) p_.send(machine_of(t.parent), piece, bytes);
            });
        return number_ == 0 ? whole : leader_plan::place{};
    }

    collective_terms const& terms_;
    leader_plan p_;
    halves cut_;
    int number_; // of this machine, from the root's
    std::array<ordered_tree, 2> trees_;
};

class two_trees_algorithm final : public algorithm { // NOLINT(cppcoreguidelines-virtual-class-destructor)
public:
    constexpr two_trees_algorithm() noexcept : algorithm("two-trees", true) {}
    [[nodiscard]] bool can(collective_terms const& t) const noexcept override {
        if (t.machines.machines() < 3 || t.empty() || t.parts.size() != 1 || t.bytes() / t.grain() < 2) return false;
        return t.kind == collective_kind::broadcast || (t.kind == collective_kind::reduce && commutes(t));
    }
    [[nodiscard]] bool regroups(collective_terms const& t) const noexcept override { return t.kind != collective_kind::broadcast; }
    [[nodiscard]] expense cost(collective_terms const& t, distance /*apart*/) const noexcept override {
        halves const cut{t};
        auto const pieces = 2 * static_cast<double>(cut.pieces), piece = static_cast<double>(t.bytes()) / pieces;
        auto sum = within_machine(t) + leader_round(t, pieces, piece);
        for (int below = 2; below < t.machines.machines(); below *= 2) sum += leader_round(t, 2, piece);
        return sum;
    }
    [[nodiscard]] std::int64_t piece(collective_terms const& t) const noexcept override {
        halves const cut{t};
        return cut.bytes(1, cut.pieces - 1);
    }
    [[nodiscard]] plan build(collective_terms const& t, int rank) const override { return two_trees_builder{t, rank}.build(); }
};

constinit two_trees_algorithm const two_trees_object;

} // namespace

namespace algorithms {
algorithm const& two_trees = two_trees_object;
} // namespace algorithms

} // namespace sode::internal
