// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/copy_program.hpp"
#include "layout/kernel_choice.hpp"

#include <array>
#include <string>
#include <vector>

namespace sode::internal::tools {

/// A copy by which a class of kernels is probed.
struct probed_copy {
    kernel_class of;
    layout source;
    layout target;
};
[[nodiscard]] std::vector<probed_copy> const& probed_copies();

/// What the copies of each class took by each of the sets, round by round: [class][round][set], in nanoseconds, the geometric mean
/// of the class's copies.
using kernel_times = std::array<std::vector<std::vector<double>>, kernel_classes>;
/// On one core, the sets by turns, for about so many seconds.
[[nodiscard]] kernel_times probe_kernels(std::vector<kernel_set const*> const& sets, double seconds);

/// The first of `sets` for each class, but where another one is faster by 7 % in the median of the rounds and in three quarters of
/// them: identical code differs by as much as it is laid out. Pure.
[[nodiscard]] kernel_choice choose_kernels(kernel_times const& times, std::vector<kernel_set const*> const& sets);

/// "avx512, but rows: avx2". For people.
[[nodiscard]] std::string kernels_in_words(kernel_choice const& choice);

} // namespace sode::internal::tools
