// SPDX-License-Identifier: Apache-2.0
#include "channel/ways.hpp"

#include <algorithm>
#include <array>

namespace sode {

std::span<way const* const> all_ways() noexcept {
#define SODE_ADDRESS_OF_WAY(NAME) &ways::NAME,
    static std::array const all{SODE_WAYS(SODE_ADDRESS_OF_WAY)};
#undef SODE_ADDRESS_OF_WAY
    return all;
}

way const* way_named(std::string_view name) noexcept {
    auto const all = all_ways();
    auto const found = std::find_if(all.begin(), all.end(), [&](way const* w) { return w->name() == name; });
    return found == all.end() ? nullptr : *found;
}

std::string names_of_ways() {
    auto const all = all_ways();
    std::string text;
    for (auto const* w : all) {
        if (!text.empty()) text += w == all.back() ? " and " : ", ";
        text += w->name();
    }
    return text;
}

} // namespace sode
