// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/job.hpp"

#include <sode/types.hpp>

#include <cstddef>
#include <memory>
#include <span>

namespace sode::internal {

/// Memory of the rank's device, that reads as zero. It goes when nothing refers to it any more, and the program's streams have done
/// what they were given until then. Errors: environment.
[[nodiscard]] std::shared_ptr<std::byte> allocate_on_device(detail::job& j, std::size_t bytes);

/// Writes `count` times `element` there, and waits for it.
void copy_pattern(detail::job& j, std::byte* to, std::span<std::byte const> element, index_t count);

/// Waits for all that a queue was given. Errors: environment, if the device failed.
void wait_for(detail::job& j, device_queue const& queue);

} // namespace sode::internal
