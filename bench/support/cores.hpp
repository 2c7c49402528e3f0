// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

namespace sode::internal::bench {

/// The processors that the calling thread may run on, ascending.
[[nodiscard]] std::vector<int> usable_cores();

/// Binds the calling thread.
void bind_to_core(int core) noexcept;
void bind_to_cores(std::span<int const> cores) noexcept;

} // namespace sode::internal::bench
