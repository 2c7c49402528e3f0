// SPDX-License-Identifier: Apache-2.0
#include "collective/algorithms/memory_costs.hpp"
#include "collective/catalogue.hpp"
#include "collective/fold.hpp"

#include <algorithm>

namespace sode::internal {
namespace {

/// What all ranks combine is cut into a slice for each of them: a rank combines its slice of all, and brings it to those who get
/// it. Each byte is combined once on a machine, not by everybody (Jain et al., SC18; the slices are those of Rabenseifner's
/// reduce-scatter). Two waits for the others: until their bytes are there, and until their slices are combined.
class sliced_builder {
public:
    sliced_builder(collective_terms const& t, int rank, bool direct)
        : terms_(t), rank_(rank), direct_(direct), bytes_(t.bytes()), grain_(t.grain()), b_(t.title(), rank, t.ranks()) {
        add_operators(b_, t);
        record_share(b_, t, rank);
    }

    plan build() {
        auto const own = b_.add_stream(-1);
        if (terms_.empty()) return b_.finish();
        b_.target().own_lines = 2;
        if (!direct_) b_.target().own_stage = 2 * bytes_;
        show(own);
        auto const stream = b_.add_stream(-1);
        combine(stream);
        if (direct_)
            await_all(stream);
        else
            fetch(stream);
        return b_.finish();
    }

private:
    [[nodiscard]] std::int64_t cut(int r) const noexcept {
        auto const grains = (bytes_ + grain_ - 1) / grain_;
        return std::min(bytes_, grains * r / terms_.ranks() * grain_);
    }
    [[nodiscard]] std::int64_t slice_bytes(int r) const noexcept { return cut(r + 1) - cut(r); }
    [[nodiscard]] std::uint32_t ready(int r) {
        auto const steps = direct_ ? 1 : terms_.ranks() - 1;
        return b_.add(counter{.host = r, .writer = r, .index = 0, .step = std::max(steps, 1)});
    }
    [[nodiscard]] std::uint32_t combined(int r) { return b_.add(counter{.host = r, .writer = r, .index = 1}); }
    [[nodiscard]] std::uint32_t stage(int r) {
        return b_.add(buffer{.host = r, .role = buffer_role::stage, .instances = parity::epoch, .bytes = bytes_});
    }
    [[nodiscard]] bool gets(int r) const noexcept { return terms_.got_by(r).last > 0; }
    [[nodiscard]] int next(int steps) const noexcept { return (rank_ + steps) % terms_.ranks(); }

    // Slices for others are packed in the order in which the others take them, each told as soon as it is there.
    void show(std::uint32_t own) {
        if (direct_) {
            b_.emit(own, operation::signal).signal = ready(rank_);
            return;
        }
        auto const last = terms_.ranks() - 1;
        for (int i = 1; i <= last; ++i) {
            int const other = next(i);
            auto& d = slice_bytes(other) > 0 ? b_.copy(own, operation::pack, stage(rank_), b_.add(input_of(terms_, rank_)),
                                                       block_copy(slice_bytes(other)))
                                             : b_.emit(own, operation::signal);
            if (slice_bytes(other) > 0) d.src_offset = d.dst_offset = cut(other);
            d.signal = ready(rank_);
            d.value = i - last;
        }
    }

    // Rank r packs the slice of this rank as its i-th.
    [[nodiscard]] std::int32_t threshold_of(int r) const noexcept {
        if (direct_) return 0;
        auto const last = terms_.ranks() - 1;
        int const i = (rank_ - r + terms_.ranks()) % terms_.ranks();
        return i - last;
    }

    void combine(std::uint32_t stream) {
        collective_terms::share const mine{.first = 0, .last = terms_.ranks(), .offset = cut(rank_), .bytes = slice_bytes(rank_)};
        auto const others_of_it = [&](int r) {
            if (r == rank_) return contribution{.buffer = b_.add(input_of(terms_, r)), .offset = mine.offset};
            return contribution{.buffer = direct_ ? b_.add(input_of(terms_, r)) : stage(r),
                                .offset = mine.offset,
                                .ready = direct_ ? 0 : ready(r), // else it has been waited for
                                .threshold = threshold_of(r),
                                .peer = r};
        };
        int const whose = gets(rank_) ? rank_ : terms_.root; // in whose array it is made
        if (mine.bytes == 0) {
        } else if (!direct_) {
            emit_fold(b_, stream, terms_, mine, {.buffer = stage(rank_), .offset = mine.offset}, others_of_it);
        } else {
            // Others may be at work in arrays of this epoch only when they have begun it.
            for (int r = 0; r < terms_.ranks(); ++r)
                if (r != rank_) b_.emit(stream, operation::wait).trigger = ready(r);
            fold_target target{
                .buffer = b_.add(output_of(terms_, whose)),
                .offset = mine.offset,
            };
            if (terms_.ranks() > 2 && (whose != rank_ || terms_.works_in_place(rank_)))
                target.aside = b_.add(private_place(b_, aside_bytes(terms_, mine)));
            emit_fold(b_, stream, terms_, mine, target, others_of_it, [&](fold_piece const& piece) { push(stream, mine, piece); });
        }
        if (direct_ || waited_for()) b_.emit(stream, operation::signal).signal = combined(rank_);
    }
    // Somebody waits until this rank's slice is combined.
    [[nodiscard]] bool waited_for() const noexcept {
        if (terms_.kind == collective_kind::allreduce || rank_ != terms_.root) return true;
        for (int r = 0; r < terms_.ranks(); ++r)
            if (slice_bytes(r) == 0) return true;
        return false;
    }

    // While the piece is in this core's cache.
    void push(std::uint32_t stream, collective_terms::share const& mine, fold_piece const& piece) {
        if (terms_.kind != collective_kind::allreduce) return;
        auto const from = b_.add(output_of(terms_, rank_));
        for (int i = 1; i < terms_.ranks(); ++i) {
            auto& d = b_.copy(stream, operation::copy, b_.add(output_of(terms_, next(i))), from, block_copy(piece.bytes), next(i));
            d.src_offset = d.dst_offset = mine.offset + piece.offset;
            d.strides = piece.strides;
        }
    }

    // Who has combined its slice has read what this rank gave, and written what this rank gets.
    void await_all(std::uint32_t stream) {
        for (int i = 1; i < terms_.ranks(); ++i) b_.emit(stream, operation::wait).trigger = combined(next(i));
    }

    void fetch(std::uint32_t stream) {
        auto const from_stage = [&](int r) {
            auto& d = b_.copy(stream, r == rank_ ? operation::copy : operation::unpack, b_.add(output_of(terms_, rank_)), stage(r),
                              block_copy(slice_bytes(r)), r == rank_ ? -1 : r);
            d.src_offset = d.dst_offset = cut(r);
            return &d;
        };
        // Nobody may show anew what others still combine. Who combines a slice hears of all in the next epoch that they are done.
        for (int i = 0; i < terms_.ranks(); ++i) {
            int const r = next(i);
            if (gets(rank_) && slice_bytes(r) > 0)
                from_stage(r)->trigger = r == rank_ ? 0 : combined(r);
            else if (r != rank_ && slice_bytes(rank_) == 0)
                b_.emit(stream, operation::wait).trigger = combined(r);
        }
    }

    collective_terms const& terms_;
    int rank_;
    bool direct_;
    std::int64_t bytes_, grain_;
    plan_builder b_;
};

bool combines_all(collective_terms const& t) noexcept {
    return t.machines.one() && t.ranks() > 1 && t.parts.size() == 1 &&
           (t.kind == collective_kind::allreduce || t.kind == collective_kind::reduce);
}

expense cost_of(collective_terms const& t, distance apart, bool direct) noexcept {
    memory_costs const c{t, apart};
    auto const all = static_cast<double>(t.bytes()), slice = all / t.ranks();
    double const others = t.ranks() - 1;
    return {.source = direct ? 0 : c.shown(slice * others), // slices for others
            .target = c.read(slice * others) * 2 + c.combined(t.ranks(), slice) + c.local(slice) + 2 * others * c.row(),
            .latency = (direct ? 2 : 3) * c.flag()};
}

class sliced_algorithm final : public algorithm { // NOLINT(cppcoreguidelines-virtual-class-destructor)
public:
    constexpr sliced_algorithm() noexcept : algorithm("sliced") {}
    [[nodiscard]] bool can(collective_terms const& t) const noexcept override {
        return combines_all(t) && t.shared_inputs && t.shared_outputs;
    }
    [[nodiscard]] expense cost(collective_terms const& t, distance apart) const noexcept override {
        return cost_of(t, apart, true);
    }
    [[nodiscard]] plan build(collective_terms const& t, int rank) const override { return sliced_builder{t, rank, true}.build(); }
};

class sliced_stages_algorithm final : public algorithm { // NOLINT(cppcoreguidelines-virtual-class-destructor)
public:
    constexpr sliced_stages_algorithm() noexcept : algorithm("sliced-stages") {}
    [[nodiscard]] bool can(collective_terms const& t) const noexcept override { return combines_all(t); }
    [[nodiscard]] expense cost(collective_terms const& t, distance apart) const noexcept override {
        return cost_of(t, apart, false);
    }
    [[nodiscard]] plan build(collective_terms const& t, int rank) const override { return sliced_builder{t, rank, false}.build(); }
};

constinit sliced_algorithm const sliced_object;
constinit sliced_stages_algorithm const sliced_stages_object;

} // namespace

namespace algorithms {
algorithm const& sliced = sliced_object;
algorithm const& sliced_stages = sliced_stages_object;
} // namespace algorithms

} // namespace sode::internal
