// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/job.hpp"

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace sode::internal::windows {

/// Where this rank can load and store what each rank gives here (null: nowhere), and how long that is. `own` null: nothing that can
/// be loaded and stored. Collective.
[[nodiscard]] std::vector<std::pair<std::byte*, std::size_t>> shared_blocks(detail::job& j, std::byte* own, std::size_t bytes);

} // namespace sode::internal::windows
