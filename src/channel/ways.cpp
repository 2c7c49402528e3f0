// SPDX-License-Identifier: Apache-2.0
#include "channel/ways.hpp"

#include "base/nearest.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace sode::internal {

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

way const& required_way(std::string_view name, std::string_view why) {
    if (auto const* const found = way_named(name)) return *found;
    std::vector<std::string_view> names;
    for (auto const* w : all_ways()) names.push_back(w->name());
    auto const near = nearest(name, names);
    throw error{error_kind::usage, fmt::format("unknown channel \"{}\"", name), why,
                near.empty() ? fmt::format("the channels are {}", names_of_ways()) : fmt::format("did you mean \"{}\"?", near)};
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

} // namespace sode::internal
