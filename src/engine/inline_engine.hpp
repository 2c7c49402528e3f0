// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/combine.hpp"
#include "engine/engine.hpp"
#include "engine/epoch_tables.hpp"
#include "engine/exchange_tracer.hpp"
#include "engine/plan_calls.hpp"
#include "engine/plan_messages.hpp"

#include <span>
#include <vector>

namespace sode::internal {

/// Runs a plan in the caller's own time: whatever can be done is done in start() and proceed(). Nothing here allocates, and no
/// system call is made. Cost: 0-2 ns a descriptor beyond its copy (docs/decisions).
class inline_engine final : public engine {
public:
    /// `others`: by stream, those that somebody else runs; none, if it is empty.
    explicit inline_engine(engine_work const& work, std::vector<bool> others = {});

    progress start(std::uint64_t number, std::span<std::uint64_t const> halves, std::span<std::uint8_t const> ways) override;
    progress proceed() override { return come_to(round()); }
    progress catch_up() override { return proceed(); }
    void abandon() noexcept override { live_ = 0; }
    void rebound() override {
        tables_.forget();
        messages_.forget();
    }
    std::size_t standing(std::span<std::uint32_t> at) const noexcept override;
    [[nodiscard]] std::uint64_t executed() const noexcept override { return executed_; }

private:
    struct position {
        std::uint32_t at = 0;       // index of the next descriptor
        std::uint32_t depth = 0;    // loops that we are in:
        loop_turn* turns = nullptr; // as many of these
    };

    enum class pause : std::uint8_t { waits, ended, turned }; // turned: into a loop, or out of all

    // What is traced and what is not, in a loop and outside, are functions of one text: a descriptor means the same in all of them,
    // and the simplest has nothing of the others.
    template <bool Traced, bool InLoop> pause run_on(position& s);
    template <bool Traced> bool advance(position& s); // true: the stream has ended
    template <bool Traced> bool one_round();
    void compute(std::size_t i, std::byte* target, std::byte const* source, std::int64_t shift) noexcept; // of a first operand
    bool hear_of_messages();                                                                              // true: some are over
    bool round() { return trace_ ? one_round<true>() : one_round<false>(); }                              // true: something moved
    [[nodiscard]] progress come_to(bool moved) const noexcept {
        if (live_ == 0 && !messages_.under_way()) return progress::over; // nothing waits for a put, but for the epoch itself
        return moved ? progress::moved : progress::idle;
    }

    schedule const& plan_;
    std::vector<bool> others_;
    std::vector<row_function> rows_; // by descriptor: what a reduce or negate does with a row; empty, if the plan has none
    std::vector<position> streams_;  // those still running come first
    std::vector<loop_turn> turns_;   // of all streams
    std::size_t nesting_ = 0;        // of the plan's loops
    std::size_t live_ = 0;
    std::uint64_t epoch_ = 0;
    std::uint64_t executed_ = 0;
    plan_messages messages_;
    plan_calls& calls_;
    epoch_tables tables_;
    epoch_tables::table now_; // of this epoch
    exchange_tracer* trace_;  // null: nobody looks
};

[[nodiscard]] engine_kind const& inline_engines() noexcept;

} // namespace sode::internal
