// SPDX-License-Identifier: Apache-2.0
#include "support/himeno_size.hpp"

#include <charconv>
#include <string>

namespace examples {

himeno_grid himeno_size(std::string_view name) {
    constexpr std::array<std::string_view, 5> names{"XS", "S", "M", "L", "XL"};
    sode::index_t n = 32;
    for (auto const known : names) {
        if (name == known) return {{n, n, 2 * n}};
        n *= 2;
    }
    throw sode::error{sode::error_kind::usage, "there is no Himeno grid \"" + std::string{name} + "\"", "",
                      "use XS, S, M, L or XL"};
}

std::array<sode::node_extent, 3> nodes_of(std::string_view text) {
    std::array<sode::node_extent, 3> nodes{};
    if (text.empty()) return nodes;
    char const* at = text.data();
    char const* const end = at + text.size();
    for (std::size_t d = 0; d < nodes.size(); ++d) {
        int n = 0;
        auto const [next, failure] = std::from_chars(at, end, n);
        bool const last = d + 1 == nodes.size();
        if (failure != std::errc{} || n < 1 || (last ? next != end : next == end || *next != 'x'))
            throw sode::error{sode::error_kind::usage, "\"" + std::string{text} + "\" is not a grid of ranks",
                              "it needs three dimensions, and at least one rank in each", "write -d 2x2x1, for example"};
        nodes[d] = n;
        at = next + 1;
    }
    return nodes;
}

} // namespace examples
