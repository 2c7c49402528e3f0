// SPDX-License-Identifier: Apache-2.0
#include "engine/inline_engine.hpp"

#include "engine/executors.hpp"
#include "engine/stream_shape.hpp"
#include "layout/copy_rows.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <utility>

namespace sode::internal {
namespace {

class inline_engine_kind final : public engine_kind {
public:
    [[nodiscard]] std::string_view name() const noexcept override { return "inline"; }
    [[nodiscard]] std::string cannot_run(schedule const& p, context const& /*c*/) const override { return lacks_executor(p); }
    [[nodiscard]] std::unique_ptr<engine> make(engine_work const& work) const override {
        return std::make_unique<inline_engine>(work);
    }
};

} // namespace

engine_kind const& inline_engines() noexcept {
    static inline_engine_kind const kind;
    return kind;
}

inline_engine::inline_engine(engine_work const& work, std::vector<bool> others)
    : plan_(work.steps), others_(std::move(others)), streams_(plan_.streams.size()), messages_(plan_, work.places, work.around),
      calls_(work.calls), tables_(plan_, work.places), trace_(work.trace) {
    rows_ = row_functions(plan_);
    others_.resize(plan_.streams.size());
    if (!calls_.suffice(plan_))
        throw error{error_kind::internal, fmt::format("{} calls functions that are missing", plan_.name),
                    "each call and each operator of the plan needs a function", "pass the functions in plan_terms"};
    nesting_ = nesting_of(plan_);
    turns_.resize(nesting_ * streams_.size());
}

progress inline_engine::start(std::uint64_t number, std::span<std::uint64_t const> halves, std::span<std::uint8_t const> ways) {
    epoch_ = number;
    now_ = tables_.of(epoch_, halves);
    live_ = 0;
    for (std::size_t n = 0; n < plan_.streams.size(); ++n) {
        auto const& s = plan_.streams[n];
        if (others_[n] || (s.choice != 0 && ways[s.choice - 1] != s.way)) continue;
        streams_[live_] = {.at = s.first, .turns = turns_.data() + live_ * nesting_};
        ++live_;
    }
    return come_to(round());
}

std::size_t inline_engine::standing(std::span<std::uint32_t> at) const noexcept {
    if (live_ == 0) return messages_.under_way() ? messages_.standing(at) : 0;
    for (std::size_t i = 0; i < live_; ++i) at[i] = streams_[i].at;
    return live_;
}

template <bool Traced> bool inline_engine::one_round() {
    bool moved = messages_.under_way() && hear_of_messages();
    for (std::size_t i = 0; i < live_;) {
        auto const before = executed_;
        if (!advance<Traced>(streams_[i])) {
            ++i;
        } else {
            --live_;
            streams_[i] = streams_[live_];
        }
        moved |= executed_ != before;
        if constexpr (Traced) trace_->leave();
    }
    return moved;
}

template <bool Traced> bool inline_engine::advance(position& s) {
    for (;;) switch (s.depth != 0 ? run_on<Traced, true>(s) : run_on<Traced, false>(s)) {
        case pause::waits: return false;
        case pause::ended: return true;
        case pause::turned: break;
        }
}

// Outside of loops all shifts are constants, and cost nothing; a copy there needs nothing but its bound step.
template <bool Traced, bool InLoop> inline_engine::pause inline_engine::run_on(position& s) {
    // Everything that the kernels' calls would make the compiler load again.
    auto const* const descriptors = plan_.descriptors.data();
    auto const* const steps = now_.steps;
    auto const epoch = static_cast<std::int64_t>(epoch_);
    auto const* const strides = plan_.strides.data();
    for (std::size_t i = s.at;; ++i) {
        auto const leave_at = [&](std::size_t next) {
            executed_ += next - s.at;
            s.at = static_cast<std::uint32_t>(next);
        };
        bound_step const& b = steps[i];
        loop_shift const shift = InLoop ? shift_of(strides, descriptors[i].strides, s.turns, s.depth) : loop_shift{};
        if (!b.ready(epoch, shift.threshold)) {
            leave_at(i);
            return pause::waits;
        }
        if constexpr (Traced) trace_->at(i);
        if (b.kernel) [[likely]] {
            b.kernel(*b.program, b.target + shift.dst, b.source + shift.src);
        } else if (auto const op = descriptors[i].op; op == operation::end) {
            leave_at(i + 1);
            return pause::ended;
        } else if (computes(op)) {
            compute(i, b.target + shift.dst, b.source + shift.src, shift.operand);
        } else if (op == operation::loop) {
            leave_at(i + 1);
            s.turns[s.depth++] = {.loop = static_cast<std::uint32_t>(i), .iteration = 0};
            if constexpr (!InLoop) return pause::turned;
            continue;
        } else if (InLoop && op == operation::end_loop) {
            leave_at(i + 1);
            auto& turn = s.turns[s.depth - 1];
            if (++turn.iteration != descriptors[turn.loop].argument) {
                i = turn.loop;
                s.at = turn.loop + 1;
            } else if (--s.depth == 0) {
                return pause::turned;
            }
            continue;
        } else if (is_message(op) || (is_put(op) && b.program)) {
            messages_.start(i, const_cast<std::byte*>(b.source) + shift.src, shift.value);
            continue; // its signal is given when it is over
        }
        if (b.signal) b.publish(epoch, shift.value);
    }
}

void inline_engine::compute(std::size_t i, std::byte* target, std::byte const* source, std::int64_t shift) noexcept {
    descriptor const& d = plan_.descriptors[i];
    if (d.op == operation::call) return calls_.run(d.argument, target);
    std::byte const* first = target;
    if (d.operand != 0) first = now_.operands[d.operand] + shift;
    if (rows_[i]) return run(rows_[i], *now_.steps[i].program, target, first, source);
    auto const k = d.argument - user_combiners;
    auto const element = static_cast<index_t>(plan_.operators[k].element_bytes);
    for_each_row(*now_.steps[i].program, [&](index_t src, index_t dst, index_t bytes) {
        calls_.combine(k, target + dst, first + dst, source + src, static_cast<std::size_t>(bytes / element));
    });
}

bool inline_engine::hear_of_messages() {
    auto const over = messages_.collect();
    for (auto const& m : over)
        if (auto const& b = now_.steps[m.descriptor]; b.signal) b.publish(static_cast<std::int64_t>(epoch_), m.shift);
    return !over.empty();
}

} // namespace sode::internal
