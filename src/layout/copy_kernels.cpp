// SPDX-License-Identifier: Apache-2.0
#include "layout/copy_kernels.hpp"

#include <array>

namespace sode {
namespace {

void do_nothing(copy_program const&, std::byte*, std::byte const*) noexcept {}

void run_list(kernel_set const& set, copy_program const& p, std::byte* target, std::byte const* source) noexcept {
    auto const unit = static_cast<int>(unit_for(p.block));
    if (!p.hops.empty()) return set.hops[unit](p, p.hops.data(), static_cast<index_t>(p.hops.size()), target, source);
    if (!p.places.empty()) {
        auto const& kernels = p.places_in_source ? set.gather : set.scatter;
        return kernels[unit](p, p.places.data(), static_cast<index_t>(p.places.size()), target, source);
    }
    auto const first = p.segments.data();
    auto const count = static_cast<index_t>(p.segments.size());
    if (p.block == 0 || p.loop_count > 0) return set.mixed(p, first, count, target, source);
    set.segments[unit](first, count, target + p.dst_offset, source + p.src_offset);
}

kernel_set const& best_kernels() noexcept {
#if defined(__x86_64__)
    // What the kernels use beyond these (BMI, say) is not enabled when they are compiled: see floor.cmake.
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")) return avx512_kernels;
    if (__builtin_cpu_supports("avx2")) return avx2_kernels;
#endif
    return baseline_kernels;
}

void run_best_list(copy_program const& p, std::byte* target, std::byte const* source) noexcept {
    run_list(best_kernels(), p, target, source);
}

std::array<copy_kernel, kernel_count> make_table() noexcept {
    std::array<copy_kernel, kernel_count> table{};
    table[nothing_kernel] = do_nothing;
    table[list_kernel] = run_best_list;
    table[reference_kernel] = run_reference;
    std::size_t k = first_nest_kernel;
    for (copy_kernel const nest : best_kernels().nest) table[k++] = nest;
    return table;
}

} // namespace

copy_kernel const* copy_kernels() noexcept {
    static std::array<copy_kernel, kernel_count> const table = make_table();
    return table.data();
}

std::vector<kernel_set const*> supported_kernel_sets() {
    std::vector<kernel_set const*> sets{&baseline_kernels};
#if defined(__x86_64__)
    kernel_set const* const best = &best_kernels();
    if (best != &baseline_kernels) sets.insert(sets.begin(), &avx2_kernels);
    if (best == &avx512_kernels) sets.insert(sets.begin(), &avx512_kernels);
#endif
    return sets;
}

void run(kernel_set const& set, copy_program const& p, std::byte* target, std::byte const* source) noexcept {
    if (p.kernel == nothing_kernel) return;
    if (p.kernel == list_kernel) return run_list(set, p, target, source);
    if (p.kernel == reference_kernel) return run_reference(p, target, source);
    set.nest[p.kernel - first_nest_kernel](p, target, source);
}

} // namespace sode
