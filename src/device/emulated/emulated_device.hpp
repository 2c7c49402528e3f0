// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "device/accelerator.hpp"

#include <cstddef>
#include <memory>

namespace sode::internal {

/// A device made of threads: memory of its own, which the host cannot touch; queues whose work is done by threads, in order and
/// at some time. So that programs and plans for devices run, and are tested, where there is none. It is slow, and says nothing of
/// how fast a device is.
[[nodiscard]] std::unique_ptr<accelerator> make_emulated_device(std::size_t number, std::size_t bytes, device_terms const& terms);
[[nodiscard]] device_facts emulated_facts(std::size_t bytes);

} // namespace sode::internal
