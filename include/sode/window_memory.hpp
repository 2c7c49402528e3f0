// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>
#include <sode/detail/cxx20.hpp>

#include <sode/window.hpp>

#include <cstddef>

namespace sode {

/// The memory of one rank in a window, if other ranks cannot access the memory directly. An example is device memory. Other ranks
/// send requests to the owner, even on the same machine, and the owner copies the bytes. Operations on window words
/// (window::word(), window::await()) need host memory.
///
/// The member functions run in the rank's own thread, or in the thread that serves other ranks. The member functions never run
/// concurrently. The member functions must not use windows. load() and store() return false if there is currently no memory, and
/// the requesting rank then gets an error.
class SODE_API window_memory {
public:
    virtual ~window_memory() = default;

    /// Packs the bytes that `what` selects into `packed`, in pattern order.
    [[nodiscard]] virtual bool load(byte_pattern const& what, std::byte* packed) = 0;
    /// Unpacks `packed` into the bytes that `what` selects, in pattern order.
    [[nodiscard]] virtual bool store(byte_pattern const& what, std::byte const* packed) = 0;
};

} // namespace sode
