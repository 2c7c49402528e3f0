// SPDX-License-Identifier: Apache-2.0
#include "base/byte_text.hpp"

#include <array>
#include <fmt/format.h>

namespace sode::internal {

std::string byte_text(std::uint64_t bytes) {
    constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= 1024 && unit + 1 < units.size()) {
        value /= 1024;
        ++unit;
    }
    return fmt::format("{:.{}f} {}", value, value < 10 && bytes % (std::uint64_t{1} << (10 * unit)) != 0 ? 1 : 0, units[unit]);
}

} // namespace sode::internal
