// SPDX-License-Identifier: Apache-2.0
#include "collective/block_terms.hpp"

#include "base/mixing.hpp"

namespace sode::internal {

std::string_view to_string(block_kind kind) noexcept {
    return kind == block_kind::allgather ? "allgather" : "alltoall";
}

std::uint64_t block_terms::fingerprint() const noexcept {
    auto sum = exchange_terms::fingerprint(0x62727563);
    mix(sum, static_cast<std::uint64_t>(kind));
    for (std::int64_t const n : {bytes, std::int64_t{radix}, std::int64_t{leaders}}) mix(sum, n);
    return sum;
}

} // namespace sode::internal
