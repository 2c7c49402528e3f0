// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "evaluation/core_map.hpp"
#include "plan/plan.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sode::internal {

/// What an evaluation needs of the plans of all ranks: a line of memory for each step. A plan is not needed any more when it has
/// been added.
class step_table {
public:
    static constexpr std::uint32_t no_line = ~0U;
    /// A counter that a step waits for or changes.
    struct line {
        std::uint32_t first = no_line; ///< of its instances, among those of all ranks
        std::int32_t step = 0;         ///< what an epoch adds
        std::int32_t value = 0;
        std::uint16_t slots = 1; ///< instances, taken in turn by the epoch
    };
    struct alignas(64) step {
        operation op = operation::end;
        bool sum = false;        ///< the signal adds
        std::uint8_t theirs = 0; ///< how many of its sources another core has written, or a message has brought
        bool shown = false;      ///< its target is memory of a rank on another core, or a stage that others have read
        std::int32_t peer = -1;
        std::uint32_t argument = 0;
        std::uint32_t strides = 0; ///< in all loop strides, 0: none
        std::int64_t bytes = 0;    ///< that are moved
        std::int64_t among = 0;    ///< bytes of the largest array of the plan, for each rank on the core
        line trigger{};
        line signal{};
    };
    struct stream {
        std::int32_t rank = 0;
        std::uint32_t first = 0; ///< step
        std::uint8_t nic = 0;
    };

    step_table() = default;
    explicit step_table(core_map cores) : cores_(std::move(cores)) {}

    /// The plan of the next rank.
    void add(plan const& p);
    /// All ranks' plans have been added. Errors: usage, for plans that are too large together.
    void close();

    [[nodiscard]] core_map const& cores() const noexcept { return cores_; }
    [[nodiscard]] int ranks() const noexcept { return static_cast<int>(streams_of_.size()) - 1; }
    [[nodiscard]] std::size_t lines() const noexcept { return lines_of_.back(); }
    [[nodiscard]] std::span<step const> steps() const noexcept { return steps_; }
    [[nodiscard]] std::span<stream const> streams() const noexcept { return streams_; }
    /// The first stream of a rank; of the number of ranks: behind the last one.
    [[nodiscard]] std::uint32_t first_stream(std::size_t rank) const noexcept { return streams_of_[rank]; }
    [[nodiscard]] loop_strides const* strides() const noexcept { return strides_.data(); }

private:
    [[nodiscard]] line line_of(plan const& p, std::uint32_t counter, std::int32_t value) const;

    core_map cores_;
    std::vector<step> steps_;
    std::vector<stream> streams_;
    std::vector<std::uint32_t> streams_of_{0};
    std::vector<std::size_t> lines_of_{0};
    std::vector<loop_strides> strides_{{}};
    std::vector<std::pair<std::int32_t, std::int32_t>> hosts_; // of trigger and signal, until lines are numbered
};
static_assert(sizeof(step_table::step) == 64);

} // namespace sode::internal
