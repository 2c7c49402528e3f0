// SPDX-License-Identifier: Apache-2.0
#include "layout/copy_kernels.hpp"

#include "layout/kernel_choice.hpp"

#include <array>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace sode::internal {
namespace {

void do_nothing(copy_view const&, std::byte*, std::byte const*) noexcept {}

kernel_set const& best_kernels() noexcept {
#if defined(__x86_64__)
    // What the kernels use beyond these (BMI, say) is not enabled when they are compiled: see floor.cmake.
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")) return avx512_kernels;
    if (__builtin_cpu_supports("avx2")) return avx2_kernels;
#endif
    return baseline_kernels;
}

std::array<copy_kernel, kernel_count> make_table() noexcept {
    std::array<copy_kernel, kernel_count> table{};
    table[nothing_kernel] = do_nothing;
    table[reference_kernel] = run_reference;
    kernel_choice const& chosen = kernels_in_force();
    for (int k = own_kernels; k < kernel_count; ++k)
        table[static_cast<std::size_t>(k)] = chosen.of(class_of_kernel(k)).kernels[k - own_kernels];
    return table;
}

} // namespace

#if defined(__x86_64__)
bool moves_strings() noexcept {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__) // which see nothing of an instruction of ours
    return false;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
    return false;
#endif
#endif
    constexpr unsigned fast_strings = 1U << 9;
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & fast_strings) != 0;
}
#endif

copy_kernel const* copy_kernels() noexcept {
    static std::array<copy_kernel, kernel_count> const table = make_table();
    return table.data();
}

std::vector<kernel_set const*> supported_kernel_sets() {
    std::vector<kernel_set const*> sets{&baseline_kernels};
#if defined(__x86_64__)
    kernel_set const* const best = &best_kernels();
    if (best != &baseline_kernels && moves_strings()) sets.insert(sets.begin(), &string_kernels());
    if (best != &baseline_kernels) sets.insert(sets.begin(), &avx2_kernels);
    if (best == &avx512_kernels) sets.insert(sets.begin(), &avx512_kernels);
#endif
    return sets;
}

void run(kernel_set const& set, copy_view const& p, std::byte* target, std::byte const* source) noexcept {
    if (p.kernel == nothing_kernel) return;
    if (p.kernel == reference_kernel) return run_reference(p, target, source);
    set.kernels[p.kernel - own_kernels](p, target, source);
}

} // namespace sode::internal
