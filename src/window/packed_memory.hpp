// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/layout.hpp"

#include <sode/window_memory.hpp>

#include <cstddef>

namespace sode::internal::windows {

/// The bytes of a layout in memory that is not the host's, to or from contiguous memory, nest by nest. False: it is not there.
[[nodiscard]] bool load_packed(window_memory& memory, layout const& from, std::byte* packed);
[[nodiscard]] bool store_packed(window_memory& memory, layout const& to, std::byte const* packed);

} // namespace sode::internal::windows
