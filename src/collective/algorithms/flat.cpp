// SPDX-License-Identifier: Apache-2.0
#include "collective/algorithms/flat.hpp"

#include "collective/algorithms/memory_costs.hpp"
#include "collective/catalogue.hpp"
#include "collective/fold.hpp"

#include <algorithm>
#include <span>

namespace sode::internal {
namespace {

class flat_builder {
public:
    flat_builder(collective_terms const& t, int rank, shown_in where)
        : terms_(t), rank_(rank), where_(where), share_(t.got_by(rank)), b_(t.title(), rank, t.ranks()),
          told_(where == shown_in::array || !t.all_for_all()) {
        add_operators(b_, t);
        record_share(b_, t, rank);
    }

    plan build() {
        auto const own = b_.add_stream(-1);
        if (!terms_.empty()) {
            b_.target().own_lines = told_ ? 3 : 2;
            auto const list = terms_.takers(rank_);
            find_shown(list);
            if (where_ == shown_in::stage && !shown_.empty()) b_.target().own_stage = 2 * room();
            show(own, list);
            take();
            if (where_ == shown_in::array) await_takers(own, list, 0);
        }
        return b_.finish();
    }

private:
    [[nodiscard]] std::uint32_t ready(int r) {
        return b_.add(counter{.host = r, .writer = r, .index = 0, .instances = parity::epoch});
    }
    [[nodiscard]] std::uint32_t taken(int r) { return b_.add(counter{.host = r, .writer = r, .index = 2}); }
    [[nodiscard]] std::int64_t room() const noexcept { return (terms_.bytes() + 63) / 64 * 64; }
    [[nodiscard]] std::uint32_t place_of(int r) {
        switch (where_) {
        case shown_in::line:
            return b_.add(
                buffer{.host = r, .role = buffer_role::payload, .instances = parity::epoch, .ordinal = 0, .bytes = payload_bytes});
        case shown_in::stage:
            return b_.add(buffer{.host = r, .role = buffer_role::stage, .instances = parity::epoch, .bytes = room()});
        case shown_in::array: break;
        }
        return b_.add(input_of(terms_, r));
    }

    void await_takers(std::uint32_t stream, std::vector<int> const& list, std::int32_t epochs) {
        for (int const r : list) {
            auto& d = b_.emit(stream, epochs == 0 ? operation::wait : operation::credit);
            d.trigger = taken(r);
            d.threshold = epochs;
        }
    }

    // What somebody reads of what this rank shows: the others, and itself, if it will write over what it gives.
    void find_shown(std::vector<int> const& takers) {
        if (where_ == shown_in::array) return;
        auto const all = terms_.shares();
        std::vector<collective_terms::share> shares;
        shares.reserve(takers.size() + 1);
        for (int const r : takers) shares.push_back(all[static_cast<std::size_t>(r)]);
        if (terms_.works_in_place(rank_) && share_.of(rank_) && share_.bytes > 0) shares.push_back(share_);
        std::ranges::sort(shares, {}, &collective_terms::share::offset);
        for (auto const& s : shares) {
            if (shown_.empty() || shown_.back().last < s.offset)
                shown_.push_back({s.offset, s.offset + s.bytes});
            else
                shown_.back().last = std::max(shown_.back().last, s.offset + s.bytes);
        }
    }

    void show(std::uint32_t own, std::vector<int> const& takers) {
        if (where_ != shown_in::array && told_) await_takers(own, takers, -2);
        for (auto const& piece : shown_) {
            auto& d = b_.copy(own, where_ == shown_in::line ? operation::inline_put : operation::pack, place_of(rank_),
                              b_.add(input_of(terms_, rank_)), block_copy(piece.last - piece.first));
            d.src_offset = d.dst_offset = piece.first;
            if (&piece == &shown_.back()) d.signal = ready(rank_);
        }
        if (shown_.empty() && (!takers.empty() || terms_.all_for_all())) b_.emit(own, operation::signal).signal = ready(rank_);
    }

    contribution of(int r) {
        bool const own_input = r == rank_ && (!terms_.works_in_place(r) || where_ == shown_in::array);
        if (own_input) return {.buffer = b_.add(input_of(terms_, r)), .offset = share_.offset};
        return {.buffer = place_of(r), .offset = share_.offset, .ready = ready(r), .peer = r == rank_ ? -1 : r};
    }

    void take() {
        auto const stream = b_.add_stream(-1);
        bool const gets = share_.last > share_.first && share_.bytes > 0;
        if (gets) {
            auto const out = b_.add(output_of(terms_, rank_));
            // What is shown must be shown before it is written over.
            if (terms_.works_in_place(rank_) && !shown_.empty()) b_.emit(stream, operation::wait).trigger = ready(rank_);
            emit_fold(b_, stream, terms_, share_, {.buffer = out}, [&](int r) { return of(r); });
            bool const of_others = share_.last - share_.first > 1 || !share_.of(rank_);
            if (told_ && of_others) b_.emit(stream, operation::signal).signal = taken(rank_);
        } else if (terms_.all_for_all()) {
            for (int r = 0; r < terms_.ranks(); ++r)
                if (r != rank_) b_.emit(stream, operation::wait).trigger = ready(r);
        }
    }

    collective_terms const& terms_;
    int rank_;
    shown_in where_;
    collective_terms::share share_;
    plan_builder b_;
    bool told_; // takers tell when they have taken
    struct piece {
        std::int64_t first;
        std::int64_t last;
    };
    std::vector<piece> shown_; // of what it gives
};

// What all of these can: ranks of one machine.
bool on_one_machine(collective_terms const& t) noexcept {
    return t.machines.one();
}

// Bytes that the rank with most to read reads out of other caches, and how many ranks it reads them of.
double read_bytes(std::span<collective_terms::share const> shares) noexcept {
    double most = 0;
    int r = 0;
    for (auto const& s : shares) {
        most = std::max(most, static_cast<double>(s.last - s.first - (s.of(r) ? 1 : 0)) * static_cast<double>(s.bytes));
        ++r;
    }
    return most;
}

// What the rank that gets most does with what all have shown.
double taking(collective_terms const& t, memory_costs const& c) noexcept {
    auto const shares = t.shares();
    double combined = 0;
    for (auto const& s : shares) combined = std::max(combined, c.combined(s.last - s.first, static_cast<double>(s.bytes)));
    return c.read(read_bytes(shares)) + combined + (t.ranks() - 1) * c.row();
}

} // namespace

plan build_flat(collective_terms const& t, int rank, shown_in where) {
    return flat_builder{t, rank, where}.build();
}

namespace {

class in_lines_algorithm final : public algorithm { // NOLINT(cppcoreguidelines-virtual-class-destructor)
public:
    constexpr in_lines_algorithm() noexcept : algorithm("in-lines") {}
    [[nodiscard]] bool can(collective_terms const& t) const noexcept override {
        return on_one_machine(t) && t.bytes() <= payload_bytes;
    }
    [[nodiscard]] expense cost(collective_terms const& t, distance apart) const noexcept override {
        memory_costs const c{t, apart};
        return {.target = taking(t, c), .latency = c.flag()};
    }
    [[nodiscard]] plan build(collective_terms const& t, int rank) const override { return build_flat(t, rank, shown_in::line); }
};

class staged_algorithm final : public algorithm { // NOLINT(cppcoreguidelines-virtual-class-destructor)
public:
    constexpr staged_algorithm() noexcept : algorithm("staged") {}
    [[nodiscard]] bool can(collective_terms const& t) const noexcept override { return on_one_machine(t); }
    [[nodiscard]] expense cost(collective_terms const& t, distance apart) const noexcept override {
        memory_costs const c{t, apart};
        return {.source = c.shown(static_cast<double>(t.bytes())),
                .target = taking(t, c),
                .latency = 2 * c.flag()}; // the flag, and the first line behind it
    }
    [[nodiscard]] plan build(collective_terms const& t, int rank) const override { return build_flat(t, rank, shown_in::stage); }
};

class direct_algorithm final : public algorithm { // NOLINT(cppcoreguidelines-virtual-class-destructor)
public:
    constexpr direct_algorithm() noexcept : algorithm("direct") {}
    [[nodiscard]] bool can(collective_terms const& t) const noexcept override {
        return on_one_machine(t) && t.shared_inputs && !t.some_in_place && t.kind != collective_kind::barrier;
    }
    [[nodiscard]] expense cost(collective_terms const& t, distance apart) const noexcept override {
        memory_costs const c{t, apart};
        return {.target = taking(t, c), .latency = 3 * c.flag()};
    }
    [[nodiscard]] plan build(collective_terms const& t, int rank) const override { return build_flat(t, rank, shown_in::array); }
};

constinit in_lines_algorithm const in_lines_object;
constinit staged_algorithm const staged_object;
constinit direct_algorithm const direct_object;

} // namespace

namespace algorithms {
algorithm const& in_lines = in_lines_object;
algorithm const& staged = staged_object;
algorithm const& direct = direct_object;
} // namespace algorithms

} // namespace sode::internal
