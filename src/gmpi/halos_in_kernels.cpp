// SPDX-License-Identifier: Apache-2.0
#include "gmpi/halos_in_kernels.hpp"

#include "layout/copy_program.hpp"
#include "layout/copy_rows.hpp"

#include <sode/error.hpp>
#include <sode/halo.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace sode::internal {
namespace {

using gmpi::halo_handle;
using gmpi::detail::halo_row;
using gmpi::detail::halo_step;

// The largest unit to which all rows of a copy are aligned, and as long as several of.
std::uint32_t unit_of(bound_step const& b, std::span<halo_row const> rows, index_t bytes) {
    auto all =
        static_cast<std::uint64_t>(bytes) | reinterpret_cast<std::uintptr_t>(b.target) | reinterpret_cast<std::uintptr_t>(b.source);
    for (auto const& r : rows) all |= static_cast<std::uint64_t>(r.source) | static_cast<std::uint64_t>(r.target);
    constexpr std::uint64_t largest = 16;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(all & (~all + 1), largest));
}

/// Rows of one length: those of several are cut into bytes.
struct rows_of {
    std::vector<halo_row> rows;
    index_t bytes = 0;

    explicit rows_of(copy_program const& p) {
        bool equal = true;
        for_each_row(p, [&](index_t, index_t, index_t n) { equal = equal && (bytes == 0 || bytes == n), bytes = n; });
        for_each_row(p, [&](index_t source, index_t target, index_t n) {
            for (index_t i = 0; i < (equal ? 1 : n); ++i) rows.push_back({source + i, target + i});
        });
        if (!equal) bytes = 1;
    }
};

} // namespace

halos_in_kernels::~halos_in_kernels() {
    for (auto& e : all_) free_tables(*e);
}

// What threads of the device read again and again is in its own memory: each look at other memory would cross the bus.
template <class T> T* halos_in_kernels::keep(entry& e, std::vector<T> const& values, gmpi::memory::kind where) {
    auto const bytes = values.size() * sizeof(T);
    auto* const place = memory_.allocate(where, std::max(bytes, sizeof(T)));
    e.blocks.push_back({where, place});
    if (where == gmpi::memory::kind::device && bytes != 0) memory_.write(place, values.data(), bytes);
    if (where == gmpi::memory::kind::mapped && bytes != 0) std::memcpy(place, values.data(), bytes);
    return reinterpret_cast<T*>(place);
}

void halos_in_kernels::free_tables(entry& e) noexcept {
    for (auto const& b : e.blocks) memory_.release(b.kind, b.place);
    e.blocks.clear();
    if (e.handle.counts) memory_.release(gmpi::memory::kind::device, reinterpret_cast<std::byte*>(e.handle.counts));
    e.handle.counts = nullptr;
    e.handle.step_count = 0;
}

void halos_in_kernels::trace_steps(entry& e, std::vector<std::vector<bound_step>> const& lanes) {
    auto const& plan = e.plan->steps();
    if (!e.trace) e.trace = std::make_unique<step_trace>(*log_, plan);
    e.trace->clear();
    auto lane = lanes.begin();
    for (auto const& s : plan.streams)
        if (s.runs_on.kind == executor_kind::block && lane != lanes.end())
            for (std::size_t n = 0, of_lane = (lane++)->size(); n < of_lane; ++n) e.trace->add_step(s.first + n);
    e.handle.times = keep(e, std::vector<gmpi::word>(std::size_t{2} * gmpi::halo_handle::timed_exchanges * e.handle.step_count),
                          gmpi::memory::kind::mapped);
}

void halos_in_kernels::make_tables(entry& e) {
    free_tables(e);
    auto& h = e.handle;
    auto const plan = std::exchange(h.plan, {});
    h = {};
    h.plan = plan;
    h.made = keep(e, std::vector<gmpi::word>(1), gmpi::memory::kind::mapped);
    e.made_for = e.plan->epochs();
    e.was_odd = e.plan->is_at_odd_half();
    for (std::uint64_t k = 1; k <= halo_handle::phases; ++k) {
        auto const lanes = e.plan->lanes_ahead(k, halo_handle::phases);
        h.by_manager = !lanes || lanes->size() > halo_handle::most_streams;
        if (h.by_manager) return;
        std::vector<halo_step> steps;
        std::vector<std::uint32_t> first;
        for (auto const& lane : *lanes) {
            first.push_back(static_cast<std::uint32_t>(steps.size()));
            for (auto const& b : lane) {
                halo_step s{.threshold = b.threshold, .trigger_step = b.trigger_step, .target = b.target, .source = b.source};
                s.trigger = reinterpret_cast<gmpi::word const*>(b.trigger);
                if (b.kernel) {
                    rows_of const all{*b.program};
                    s.unit = unit_of(b, all.rows, all.bytes);
                    s.units = static_cast<gmpi::word>(all.bytes) / s.unit;
                    s.row_count = all.rows.size();
                    s.rows = keep(e, all.rows, gmpi::memory::kind::device);
                }
                if (b.signal) {
                    h.by_manager =
                        h.by_manager || b.signal_step == bound_step::adds; // over a bus only loads and stores are for both
                    s.signal = reinterpret_cast<gmpi::word*>(b.signal);
                    s.value = b.value;
                    s.signal_step = b.signal_step;
                }
                s.is_last = &b == &lane.back();
                steps.push_back(s);
            }
        }
        h.steps[(e.made_for + k) % halo_handle::phases] = keep(e, steps, gmpi::memory::kind::device);
        h.streams = static_cast<std::uint32_t>(lanes->size());
        h.step_count = static_cast<std::uint32_t>(steps.size());
        if (k == 1) h.first = keep(e, first, gmpi::memory::kind::device);
        if (k == 1 && log_) trace_steps(e, *lanes);
    }
}

// Also where the host runs the exchange: blocks meet there, too.
void halos_in_kernels::clear_counts(gmpi::halo_handle& h) {
    std::vector<gmpi::word> const zeros(h.step_count + gmpi::detail::grid_counts);
    auto const bytes = zeros.size() * sizeof(gmpi::word);
    if (h.counts)
        memory_.write(reinterpret_cast<std::byte*>(h.counts), zeros.data(), bytes);
    else
        h.counts = reinterpret_cast<gmpi::word*>(memory_.allocate(gmpi::memory::kind::device, bytes));
}

// Each of a kernel is of the other half than the one before, and the program's arrays have not been flipped yet.
kernels::startable halos_in_kernels::by_turns(reflection& halo, bool& odd) {
    auto const start = [&odd, &halo] {
        halo.look_ahead(odd);
        halo.start();
        odd = !odd;
    };
    auto const end = [&halo] {
        halo.wait();
        halo.look_ahead(false);
    };
    return {start, [&halo] { return halo.test(); }, end};
}

halos_in_kernels::entry& halos_in_kernels::entry_of(reflection& halo) {
    auto const known = std::ranges::find_if(all_, [&](auto const& e) { return e->halo == &halo; });
    if (known != all_.end()) return **known;
    auto& e = *all_.emplace_back(std::make_unique<entry>());
    e.halo = &halo;
    e.plan = halo.plan_in_kernels();
    e.starts_odd = turns_.emplace_back(std::make_unique<bool>()).get();
    if (e.plan) e.handle.plan = {manager_.add_plan(by_turns(halo, *e.starts_odd))};
    return e;
}

gmpi::halo_handle halos_in_kernels::handle_of(reflection& halo) {
    auto& e = entry_of(halo);
    if (!e.plan) return {};
    e.plan->require_startable();
    // What follows by turns from where the tables were made needs no others.
    bool const by_turns = ((e.plan->epochs() - e.made_for) % 2 != 0) == (e.was_odd != e.plan->is_at_odd_half());
    if (e.blocks.empty() || !by_turns) make_tables(e);
    *e.starts_odd = false;
    e.handle.before = e.plan->epochs();
    *e.handle.made = 0;
    clear_counts(e.handle);
    return e.handle;
}

void halos_in_kernels::kernel_is_over() noexcept {
    for (auto const& odd : turns_) *odd = false;
    for (auto& e : all_)
        if (e->plan && e->handle.made && !e->handle.by_manager && *e->handle.made != 0) {
            auto const made = std::exchange(*e->handle.made, 0);
            bool const emulated = dynamic_cast<gmpi::host_memory const*>(&memory_) != nullptr;
            if (e->trace && e->handle.times)
                e->trace->hand_over(e->handle, e->handle.before + 1, e->handle.before + made, emulated);
            e->plan->made_elsewhere(made);
        }
}

} // namespace sode::internal
