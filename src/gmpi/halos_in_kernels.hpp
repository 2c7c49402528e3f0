// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/prepared.hpp"
#include "gmpi/manager.hpp"
#include "gmpi/step_trace.hpp"

#include <sode/detail/gmpi/halo_steps.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace sode {
class reflection;
} // namespace sode

namespace sode::internal {

/// Exchanges of halos that kernels make themselves: the steps of their plans, in memory that the device reads, and how many
/// exchanges a kernel has made, which their plans hear of when it is over.
class halos_in_kernels {
public:
    /// `log`: where to tell what kernels did; null: nobody looks.
    halos_in_kernels(kernels::manager& m, gmpi::memory& memory, trace_log* log) : manager_(m), memory_(memory), log_(log) {}
    ~halos_in_kernels();
    halos_in_kernels(halos_in_kernels const&) = delete;
    halos_in_kernels& operator=(halos_in_kernels const&) = delete;

    /// For the next kernel. Errors: usage, if an exchange is under way.
    [[nodiscard]] gmpi::halo_handle handle_of(reflection& halo);
    /// Of an exchange that kernels start, and the host runs.
    [[nodiscard]] gmpi::plan_number add(reflection& halo) {
        return {manager_.add_plan(by_turns(halo, *turns_.emplace_back(std::make_unique<bool>())))};
    }
    /// No kernel runs.
    void kernel_is_over() noexcept;

private:
    struct entry {
        reflection const* halo = nullptr;
        prepared* plan = nullptr; // null: this rank has no part of it
        gmpi::halo_handle handle;
        std::unique_ptr<step_trace> trace;
        struct block {
            gmpi::memory::kind kind;
            std::byte* place;
        };
        std::vector<block> blocks;
        std::uint64_t made_for = 0; // exchanges before the tables were made
        bool was_odd = false;       // the half at which arrays were then
        bool* starts_odd = nullptr; // by the manager: the next one is of the other half
    };
    [[nodiscard]] entry& entry_of(reflection& halo);
    [[nodiscard]] kernels::startable by_turns(reflection& halo, bool& odd);
    void make_tables(entry& e);
    void trace_steps(entry& e, std::vector<std::vector<bound_step>> const& lanes);
    void free_tables(entry& e) noexcept;
    void clear_counts(gmpi::halo_handle& h);
    template <class T> [[nodiscard]] T* keep(entry& e, std::vector<T> const& values, gmpi::memory::kind where);

    kernels::manager& manager_;
    gmpi::memory& memory_;
    trace_log* log_;
    std::vector<std::unique_ptr<entry>> all_;
    std::vector<std::unique_ptr<bool>> turns_; // of exchanges that kernels start: the next one is of the other half
};

} // namespace sode::internal
