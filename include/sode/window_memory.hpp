// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>
#include <sode/detail/cxx20.hpp>

#include <sode/window.hpp>

#include <cstddef>

namespace sode {

/// The memory of one rank in a window, if ranks cannot load and store each other's memory: device memory, for example. The owner
/// itself moves the bytes. Other ranks send requests to the owner, even on the same machine. Windows with words (window::word(),
/// window::await()) need host memory.
///
/// The functions run in the rank's own thread, or in the thread that serves other ranks, but only one at a time. The functions must
/// not use windows. A function returns false if there is no memory at present; then the rank that asked gets an error.
class SODE_API window_memory {
public:
    virtual ~window_memory() = default;

    /// Packs the bytes that `what` selects into `packed`, in the order of the pattern.
    [[nodiscard]] virtual bool load(byte_pattern const& what, std::byte* packed) = 0;
    /// Unpacks `packed`, in the order of the pattern, into the bytes that `what` selects.
    [[nodiscard]] virtual bool store(byte_pattern const& what, std::byte const* packed) = 0;
};

} // namespace sode
