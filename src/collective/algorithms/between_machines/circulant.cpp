// SPDX-License-Identifier: Apache-2.0
#include "collective/algorithms/between_machines/circulant_graph.hpp"
#include "collective/algorithms/between_machines/leader_plan.hpp"
#include "collective/algorithms/memory_costs.hpp"
#include "collective/catalogue.hpp"

#include <algorithm>
#include <cmath>

namespace sode::internal {
namespace {

/// How the bytes of a broadcast or a reduction are cut into blocks.
struct blocks_cut {
    static constexpr std::int64_t most = 64;

    blocks_cut(collective_terms const& t, circulant_graph const& g) : terms(t) {
        // n blocks take n - 1 + rounds steps. Where the order of what rounds is asked for by name, it must not depend on a profile.
        auto const n = t.kind == collective_kind::broadcast || t.exact() ? t.costs.network : message_costs{};
        auto const whole = static_cast<double>(t.bytes()) * (n.byte + 2 * n.host_byte);
        auto const best = std::llround(std::sqrt((g.rounds() - 1) * whole / std::max(2 * n.overhead, 1.0)));
        blocks = std::clamp<std::int64_t>(best, 1, std::min(most, std::max<std::int64_t>(t.bytes() / t.grain(), 1)));
    }
    [[nodiscard]] std::int64_t at(std::int64_t block) const noexcept { return terms.cut(block, blocks); }
    [[nodiscard]] std::int64_t bytes(std::int64_t block) const noexcept { return at(block + 1) - at(block); }

    collective_terms const& terms;
    std::int64_t blocks;
};

/// Broadcasts by the n-block schedule of a circulant graph, and reductions by the same one backwards: who got a block gives what it
/// has combined of it to whom it came from. As many rounds as blocks, and a logarithm more: right for large amounts on any number
/// of machines.
class n_block_builder {
public:
    n_block_builder(collective_terms const& t, int rank)
        : terms_(t), p_(t, rank), graph_(p_.machines()), cut_(t, graph_),
          number_((p_.machine() - p_.root_machine() + p_.machines()) % p_.machines()),
          arrivals_(graph_.arrivals(number_, static_cast<int>(cut_.blocks))),
          departures_(graph_.departures(number_, static_cast<int>(cut_.blocks))) {}

    plan build() {
        bool const up = terms_.kind == collective_kind::reduce;
        auto const made = p_.reserve(up ? terms_.bytes() : 0);
        if (up)
            for (auto const& d : departures_) rooms_.push_back(p_.reserve(cut_.bytes(d.block)));
        auto const taken = p_.reserve(terms_.bytes());
        p_.gather();
        leader_plan::place got;
        if (p_.leads()) got = up ? go_up(made, taken) : go_down(taken);
        p_.deliver(got, taken);
        return p_.finish();
    }

private:
    [[nodiscard]] int machine_of(int v) const noexcept { return (v + p_.root_machine()) % p_.machines(); }

    leader_plan::place go_down(std::int64_t taken) {
        auto const all = number_ == 0 ? p_.given()[0] : p_.result(taken);
        std::vector<leader_plan::place> blocks;
        for (std::int64_t b = 0; b < cut_.blocks; ++b) blocks.push_back(all.at(cut_.at(b)));
        for (auto const& a : arrivals_) {
            auto& block = blocks[static_cast<std::size_t>(a.block)];
            block = p_.receive(machine_of(a.other), block, cut_.bytes(a.block));
        }
        for (auto const& d : departures_)
            p_.send(machine_of(d.other), blocks[static_cast<std::size_t>(d.block)], cut_.bytes(d.block));
        for (auto const& block : blocks) p_.await(block);
        return all;
    }

    leader_plan::place go_up(std::int64_t made, std::int64_t taken) {
        auto const whole = number_ == 0 ? p_.result(taken) : p_.in_memory(made);
        std::vector<std::vector<leader_plan::place>> parts(static_cast<std::size_t>(cut_.blocks));
        auto const given = p_.given();
        for (std::int64_t b = 0; b < cut_.blocks; ++b)
            for (auto const& g : given) parts[static_cast<std::size_t>(b)].push_back(g.at(cut_.at(b)));
        for (auto i = departures_.size(); i-- > 0;) {
            auto const& d = departures_[i];
            parts[static_cast<std::size_t>(d.block)].push_back(
                p_.receive(machine_of(d.other), p_.in_memory(rooms_[i]), cut_.bytes(d.block)));
        }
        auto const combined = [&](int block) {
            auto const& of = parts[static_cast<std::size_t>(block)];
            if (of.size() == 1) return of.front();
            auto const into = whole.at(cut_.at(block));
            p_.fold(into, of, cut_.at(block), cut_.bytes(block));
            return into;
        };
        for (auto a = arrivals_.rbegin(); a != arrivals_.rend(); ++a)
            p_.send(machine_of(a->other), combined(a->block), cut_.bytes(a->block));
        for (auto b = static_cast<int>(cut_.blocks); number_ == 0 && b-- > 0;) static_cast<void>(combined(b));
        return number_ == 0 ? whole : leader_plan::place{};
    }

    collective_terms const& terms_;
    leader_plan p_;
    circulant_graph graph_;
    blocks_cut cut_;
    int number_; // of this machine, from the root's
    std::vector<circulant_graph::step> arrivals_, departures_;
    std::vector<std::int64_t> rooms_; // by departure
};

/// What all combine, in as many parts as there are machines: in each round a leader gives what it has combined of some parts to
/// those that lead there, until each has a part of its own; and back the same way. As few rounds as can be, and no byte moves more
/// than twice, for any number of machines. Source: Träff, "Optimal, non-pipelined reduce-scatter and allreduce algorithms",
/// arXiv 2410.14234 (2024).
class parts_builder {
public:
    parts_builder(collective_terms const& t, int rank) : terms_(t), p_(t, rank), graph_(p_.machines()) {}

    plan build() {
        auto const made = p_.reserve(terms_.bytes());
        come_.resize(static_cast<std::size_t>(graph_.rounds()));
        for (int k = graph_.rounds(); k-- > 0;) come_[static_cast<std::size_t>(k)] = p_.reserve(bytes_of(0, length(k)));
        auto const taken = p_.reserve(terms_.bytes());
        p_.gather();
        p_.deliver(p_.leads() ? exchange(made, taken) : leader_plan::place{}, taken);
        return p_.finish();
    }

private:
    // Parts are counted from the own one on, around the ring: those of one message lie in one or two pieces.
    struct run {
        int first, last;
    };
    [[nodiscard]] std::int64_t cut(int part) const noexcept { return terms_.cut(part, graph_.all()); }
    [[nodiscard]] int at_end() const noexcept { return graph_.all() - p_.machine(); } // the part behind the last one in memory
    [[nodiscard]] std::int64_t where(int i) const noexcept { return cut((p_.machine() + i) % graph_.all()); }
    [[nodiscard]] std::int64_t bytes_of(int first, int last) const noexcept {
        auto const one = [&](int i, int j) {
            return i < j ? cut(p_.machine() + j - (i < at_end() ? 0 : graph_.all())) -
                               cut(p_.machine() + i - (i < at_end() ? 0 : graph_.all()))
                         : 0;
        };
        return one(first, std::min(last, at_end())) + one(std::max(first, at_end()), last);
    }
    // Runs of [first, last) that are cut at all of `at`, and where memory ends.
    [[nodiscard]] std::vector<run> runs(int first, int last, std::vector<int> at = {}) const {
        at.push_back(at_end());
        at.push_back(last);
        std::ranges::sort(at);
        std::vector<run> list;
        for (int const end : at)
            if (end > first && end <= last) list.push_back({first, end}), first = end;
        return list;
    }
    // So many parts come in round k, and go in it on the way back.
    [[nodiscard]] int length(int k) const noexcept { return graph_.skip(k + 1) - graph_.skip(k); }
    [[nodiscard]] int above(int k) const noexcept { return (p_.machine() + graph_.skip(k)) % graph_.all(); }
    [[nodiscard]] int below(int k) const noexcept { return (p_.machine() - graph_.skip(k) + graph_.all()) % graph_.all(); }

    struct arrived {
        run parts;
        leader_plan::place at;
    };

    // What is given of some parts, and what has come of them, in their order.
    [[nodiscard]] std::vector<leader_plan::place> all_of(run const& r) {
        auto of = p_.given();
        for (auto& given : of) given = given.at(where(r.first));
        for (auto const& a : arrived_)
            if (a.parts.first <= r.first && r.last <= a.parts.last) of.push_back(a.at.at(bytes_of(a.parts.first, r.first)));
        return of;
    }
    // One message, however its pieces are combined. \return where it lies
    [[nodiscard]] leader_plan::place combined(run const& message, leader_plan::place const& into) {
        if (auto const of = all_of(message); arrived_.empty() && of.size() == 1) return of.front();
        for (auto const& r : runs(message.first, message.last, lengths_))
            p_.fold(into.at(where(r.first)), all_of(r), where(r.first), bytes_of(r.first, r.last));
        return into.at(where(message.first));
    }

    leader_plan::place exchange(std::int64_t made, std::int64_t taken) {
        auto const whole = p_.result(taken);
        for (int k = graph_.rounds(); k-- > 0;) {
            auto const room = come_[static_cast<std::size_t>(k)];
            std::vector<arrived> now;
            for (auto const& r : runs(0, length(k)))
                now.push_back({r, p_.receive(below(k), p_.in_memory(room + bytes_of(0, r.first)), bytes_of(r.first, r.last))});
            for (auto const& m : runs(graph_.skip(k), graph_.skip(k + 1)))
                p_.send(above(k), combined(m, p_.in_memory(made)), bytes_of(m.first, m.last));
            lengths_.push_back(length(k));
            arrived_.insert(arrived_.end(), now.begin(), now.end());
        }
        static_cast<void>(combined({0, 1}, whole));
        for (int k = 0; k < graph_.rounds(); ++k) {
            std::vector<leader_plan::place> now;
            for (auto const& r : runs(graph_.skip(k), graph_.skip(k + 1)))
                now.push_back(p_.receive(above(k), whole.at(where(r.first)), bytes_of(r.first, r.last)));
            for (auto const& r : runs(0, length(k))) p_.send(below(k), whole.at(where(r.first)), bytes_of(r.first, r.last));
            for (auto const& place : now) p_.await(place);
        }
        return whole;
    }

    collective_terms const& terms_;
    leader_plan p_;
    circulant_graph graph_;
    std::vector<std::int64_t> come_; // rooms, by round
    std::vector<arrived> arrived_;
    std::vector<int> lengths_; // of what has come, by round
};

class circulant_algorithm final : public algorithm { // NOLINT(cppcoreguidelines-virtual-class-destructor)
public:
    constexpr circulant_algorithm() noexcept : algorithm("circulant", true) {}
    [[nodiscard]] bool can(collective_terms const& t) const noexcept override {
        if (t.machines.one() || t.empty() || t.parts.size() != 1) return false;
        if (t.kind == collective_kind::broadcast) return true;
        if (t.kind == collective_kind::reduce) return commutes(t);
        return t.kind == collective_kind::allreduce && commutes(t) && t.bytes() / t.grain() >= t.machines.machines();
    }
    [[nodiscard]] bool regroups(collective_terms const& t) const noexcept override { return t.kind != collective_kind::broadcast; }
    [[nodiscard]] expense cost(collective_terms const& t, distance /*apart*/) const noexcept override {
        circulant_graph const g{t.machines.machines()};
        if (t.kind == collective_kind::allreduce) {
            double const all = g.all(), bytes = static_cast<double>(t.bytes());
            auto sum = within_machine(t);
            // What wraps around is cut in two: at one end in all rounds of one way, if its number is high.
            sum += at_both_ends(g.rounds() * t.costs.network.overhead);
            for (int k = 0; k < g.rounds(); ++k) sum += 2.0 * leader_round(t, 1, bytes * (g.skip(k + 1) - g.skip(k)) / all);
            sum.target += memory_costs{t, distance::near}.combined(2, bytes); // nothing is sent meanwhile
            sum.link *= on_a_link(t, 2);
            return sum;
        }
        blocks_cut const cut{t, g};
        auto const block = static_cast<double>(t.bytes()) / static_cast<double>(cut.blocks);
        auto sum = within_machine(t) + leader_round(t, static_cast<double>(cut.blocks - 1), block) +
                   g.rounds() * leader_round(t, 1, block);
        sum.link *= on_a_link(t, 4);
        return sum;
    }
    [[nodiscard]] std::int64_t piece(collective_terms const& t) const noexcept override {
        if (t.kind == collective_kind::allreduce) return 0;
        blocks_cut const cut{t, circulant_graph{t.machines.machines()}};
        return cut.bytes(cut.blocks - 1);
    }
    [[nodiscard]] plan build(collective_terms const& t, int rank) const override {
        return t.kind == collective_kind::allreduce ? parts_builder{t, rank}.build() : n_block_builder{t, rank}.build();
    }

private:
    // Messages that meet on a link of a torus: in a round of parts all machines send equally far, up to half of a dimension; rounds
    // of several blocks are under way at once.
    static double on_a_link(collective_terms const& t, double share) noexcept {
        auto const longest = t.torus.empty() ? 1 : *std::ranges::max_element(t.torus);
        return std::max(1.0, longest / share);
    }
};

constinit circulant_algorithm const circulant_object;

} // namespace

namespace algorithms {
algorithm const& circulant = circulant_object;
} // namespace algorithms

} // namespace sode::internal
