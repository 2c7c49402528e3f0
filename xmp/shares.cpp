// SPDX-License-Identifier: Apache-2.0
#include "shares.hpp"

#include <algorithm>

namespace sode::xmp {

std::int64_t block_width(sode_xmp_template const& t, std::size_t d) {
    auto const& is = t.shares[d];
    return t.formats[d].width > 0 ? t.formats[d].width : (is.extent + is.nodes - 1) / is.nodes;
}

bool owned(sode_dimension const& is, std::int64_t i) {
    if (is.coordinate < 0) return false;
    return is.chunk > 0 ? (i + is.phase) / is.chunk % is.nodes == is.coordinate : i >= is.lower && i < is.upper;
}

std::int64_t owned_count(sode_dimension const& is) {
    if (is.coordinate < 0) return 0;
    if (is.chunk == 0) return is.upper - is.lower;
    auto const dealt = [&](std::int64_t n) {
        auto const period = is.chunk * is.nodes;
        return n / period * is.chunk + std::min(std::max<std::int64_t>(n % period - is.coordinate * is.chunk, 0), is.chunk);
    };
    return dealt(is.phase + is.extent) - dealt(is.phase);
}

} // namespace sode::xmp
