// SPDX-License-Identifier: Apache-2.0
#include "engine/inline_engine.hpp"

#include "engine/combine.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace sode {

inline_engine::inline_engine(plan const& p, binding const& b, context const& c)
    : plan_(p), binding_(b), context_(c), streams_(p.streams.size()), messages_(p, b, c) {
    steps_.reserve(p.descriptors.size());
    for (auto const& d : p.descriptors) {
        auto const* program = d.program < p.programs.size() ? &p.programs[d.program] : nullptr;
        auto const& even = b.counters(0)[d.trigger];
        steps_.push_back({program ? copy_kernels()[program->kernel] : nullptr,
                          program,
                          {even.number, b.counters(1)[d.trigger].number},
                          even.step});
    }
    if (c.trace) trace_ = std::make_unique<exchange_tracer>(*c.trace, p);
}

void inline_engine::start(unsigned halves) {
    if (live_ != 0)
        throw error{error_kind::usage, fmt::format("{} was started twice", plan_.name), "its last exchange is not over",
                    "call wait() before the next start()"};
    unsigned const every_group = (1U << static_cast<unsigned>(plan_.groups)) - 1U;
    if (plan_.alternates && epoch_ != 0 && (halves ^ halves_) != every_group)
        throw error{error_kind::usage, fmt::format("{} was started twice at the same half of a buffered array", plan_.name),
                    "without flip() in between, neighbours may still be reading what was just overwritten",
                    "flip() once between exchanges, or ask for .credits = true in reflect_init"};
    ++epoch_;
    halves_ = halves;
    unsigned const parity = static_cast<unsigned>(epoch_ & 1U);
    combination_ = binding::combination(parity, halves);
    buffers_ = binding_.buffers(parity, halves);
    counters_ = binding_.counters(parity);
    live_ = streams_.size();
    for (std::size_t i = 0; i < live_; ++i) streams_[i] = {.at = plan_.streams[i].first};
    if (trace_) trace_->begin(epoch_);
    round();
}

bool inline_engine::test() {
    round();
    return live_ == 0;
}

void inline_engine::wait() {
    waiter w{context_.waiting};
    if (trace_) trace_->wait_begins();
    while (live_ != 0) {
        if (round()) {
            w.reset();
            continue;
        }
        if (trace_) trace_->idle();
        if (w.step()) look_after_peers(w.elapsed());
    }
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
    if constexpr (Traced)
        if (live_ == 0) trace_->end();
    return moved;
}

template <bool Traced> bool inline_engine::advance(progress& s) {
    if (s.in_loop && !advance_loop<Traced>(s)) return false;
    // Everything that the kernels' calls would make the compiler load again.
    auto const* const descriptors = plan_.descriptors.data();
    auto const* const steps = steps_.data();
    auto* const* const buffers = buffers_;
    auto const parity = epoch_ & 1U;
    auto const epoch = static_cast<std::int64_t>(epoch_);
    for (std::size_t i = s.at;; ++i) {
        descriptor const& d = descriptors[i];
        auto const leave_at = [&](std::size_t next) {
            executed_ += next - s.at;
            s.at = static_cast<std::uint32_t>(next);
        };
        bound_step const& b = steps[i];
        if (auto const* const number = b.trigger[parity];
            number && static_cast<std::int64_t>(number->load(std::memory_order_acquire)) < d.threshold + epoch * b.step) {
            leave_at(i);
            return false;
        }
        if constexpr (Traced) trace_->at(i);
        if (is_copy(d.op)) [[likely]] {
            b.kernel(*b.program, buffers[d.dst] + d.dst_offset, buffers[d.src] + d.src_offset);
        } else if (d.op == operation::end) {
            leave_at(i + 1);
            return true;
        } else if (d.op == operation::reduce) {
            combine(d.argument, *b.program, buffers[d.dst] + d.dst_offset, buffers[d.src] + d.src_offset);
        } else if (d.op == operation::loop) {
            leave_at(i + 1);
            s.loop = static_cast<std::uint32_t>(i);
            s.iteration = 0;
            s.in_loop = true;
            return advance<Traced>(s);
        } else if (is_message(d.op)) {
            messages_.start(i, combination_);
            continue; // its signal is given when it is over
        }
        if (d.signal != 0) publish(d, 0);
    }
}

// The body of a loop: few descriptors that run many times, so the shifts may cost a little.
template <bool Traced> bool inline_engine::advance_loop(progress& s) {
    descriptor const& loop = plan_.descriptors[s.loop];
    for (;;) {
        descriptor const& d = plan_.descriptors[s.at];
        auto const i = static_cast<std::int64_t>(s.iteration);
        if (d.trigger != 0) {
            auto const& c = counters_[d.trigger];
            auto const threshold = d.threshold + i * loop.threshold + static_cast<std::int64_t>(epoch_) * c.step;
            if (static_cast<std::int64_t>(c.number->load(std::memory_order_acquire)) < threshold) return false;
        }
        if constexpr (Traced) trace_->at(s.at);
        ++executed_;
        ++s.at;
        if (d.op == operation::end_loop) {
            if (++s.iteration == loop.argument) {
                s.in_loop = false;
                return true;
            }
            s.at = s.loop + 1;
            continue;
        }
        if (is_copy(d.op)) {
            auto const& b = steps_[s.at - 1];
            auto const step = step_of(loop, d);
            b.kernel(*b.program, buffers_[d.dst] + d.dst_offset + i * step.dst, buffers_[d.src] + d.src_offset + i * step.src);
        }
        if (d.signal != 0) publish(d, i * loop.value);
    }
}

bool inline_engine::hear_of_messages() {
    auto const over = messages_.collect();
    for (auto const i : over) publish(plan_.descriptors[i], 0);
    return !over.empty();
}

inline void inline_engine::publish(descriptor const& d, std::int64_t shift) const noexcept {
    auto const& c = counters_[d.signal];
    if (plan_.counters[d.signal].kind == counter_kind::flag)
        c.number->store(static_cast<std::uint64_t>(d.value + shift + static_cast<std::int64_t>(epoch_) * c.step),
                        std::memory_order_release);
    else
        c.number->fetch_add(static_cast<std::uint64_t>(d.value + shift), std::memory_order_acq_rel);
}

// The rank that a stream waits for: who sets the flag, or, for a message, whom it comes from or goes to.
int inline_engine::awaited_at(progress const& s) const noexcept {
    descriptor const& d = plan_.descriptors[s.at];
    int const writer = plan_.counters[d.trigger].writer;
    return writer == plan_.rank ? d.peer : writer;
}

void inline_engine::look_after_peers(double elapsed) {
    for (std::size_t i = 0; i < live_; ++i) {
        int const peer = awaited_at(streams_[i]);
        if (peer < 0 || peer == plan_.rank) continue;
        auto how = context_.alive.departed(peer);
        // What it published before it left still counts.
        if (!how || round()) continue;
        // A peer that gave up because of another one is not the news: name the one that died first, if it is known.
        for (int r = 0; r < plan_.ranks; ++r)
            if (auto const other = context_.boot.departed(r); r != peer && other && other->find("killed") != std::string::npos)
                give_up(error_kind::peer, fmt::format("rank {} has left ({}), and rank {} too ({})", r, *other, peer, *how),
                        fmt::format("rank {} waited for rank {} in epoch {} of {}", plan_.rank, peer, epoch_, plan_.name),
                        "look at the output of the rank that died first");
        give_up(error_kind::peer, fmt::format("rank {} has left: {}", peer, *how),
                fmt::format("rank {} waited for it in epoch {} of {}", plan_.rank, epoch_, plan_.name),
                "look at the output of that rank");
    }
    int const peer = live_ == 0 ? -1 : awaited_at(streams_[0]);
    // Of ranks on other nodes nobody knows.
    bool const known = peer >= 0 && context_.memory.contains(peer);
    if (context_.waiting.timeout_s > 0 && elapsed > context_.waiting.timeout_s && live_ != 0)
        give_up(error_kind::timeout,
                fmt::format("rank {} waited {:.1f} s for rank {} in epoch {} of {}", plan_.rank, elapsed, peer, epoch_, plan_.name),
                fmt::format("SODE_TIMEOUT is {} s; {}", context_.waiting.timeout_s,
                            known ? "the peer is alive but did not arrive" : "no message came or left"),
                "see where that rank is, or raise SODE_TIMEOUT");
    if (context_.waiting.warn_s > 0 && elapsed > context_.waiting.warn_s && !warned_ && live_ != 0) {
        warned_ = true;
        if (trace_) trace_->warn(peer);
        fmt::print(stderr, "sode: rank {} has waited {:.0f} s for rank {} in epoch {} of {} ({})\n", plan_.rank, elapsed, peer,
                   epoch_, plan_.name, known ? "it is alive" : "it is on another node");
    }
}

void inline_engine::give_up(error_kind kind, std::string const& problem, std::string const& why, std::string const& suggestion) {
    if (trace_) trace_->fail();
    live_ = 0; // destroying the plan must not wait again
    throw error{kind, problem, why, suggestion};
}

} // namespace sode
