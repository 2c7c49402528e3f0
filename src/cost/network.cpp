// SPDX-License-Identifier: Apache-2.0
#include "cost/network.hpp"

namespace sode::internal {

expense network::cost(std::int64_t bytes, std::int64_t rows, std::int64_t row_bytes) const noexcept {
    auto const& p = protocol_for(bytes);
    auto const n = static_cast<double>(bytes);
    auto const r = static_cast<double>(rows);
    expense c = at_both_ends(p.overhead + n * p.host_byte) + expense{.link = n * p.byte, .latency = p.latency};
    if (packs(rows, row_bytes))
        c += at_both_ends(pack + r * pack_row + n * pack_byte);
    else if (rows > 1)
        c.link += r * row;
    return c;
}

} // namespace sode::internal
