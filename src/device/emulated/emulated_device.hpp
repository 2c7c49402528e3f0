// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "device/accelerator.hpp"

#include <cstddef>
#include <functional>
#include <memory>

namespace sode::internal {

/// Tells of each copy of a plan, just before it is made, in the thread that makes it: what runs beside what can be seen, and held
/// up, without a clock.
class watched_device {
public:
    using witness = std::function<void(copy_program const&, std::byte const* to)>;

    watched_device() = default;
    virtual ~watched_device() = default;
    watched_device(watched_device const&) = delete;
    watched_device& operator=(watched_device const&) = delete;
    /// Of copies that are given from now on.
    virtual void watch(witness w) = 0;
};

/// A device made of threads: memory of its own, which the host cannot touch; queues whose work is done by threads, in order and
/// at some time. So that programs and plans for devices run, and are tested, where there is none. It is slow, and says nothing of
/// how fast a device is.
[[nodiscard]] std::unique_ptr<accelerator> make_emulated_device(std::size_t number, std::size_t bytes, device_terms const& terms);
[[nodiscard]] device_facts emulated_facts(std::size_t bytes);

} // namespace sode::internal
