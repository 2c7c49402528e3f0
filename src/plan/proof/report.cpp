// SPDX-License-Identifier: Apache-2.0
#include "plan/proof/report.hpp"

#include <fmt/format.h>

namespace sode::internal::proof {

std::string name_of(plan const& p, std::size_t descriptor) {
    auto const& d = p.descriptors[descriptor];
    return fmt::format("rank {}, stream {}, descriptor {} ({})", p.rank, stream_of(p, descriptor), descriptor, to_string(d.op));
}

std::string name_of(buffer const& b) {
    switch (b.role) {
    case buffer_role::array: return fmt::format("array {} of rank {}", b.ordinal, b.host);
    case buffer_role::stage: return fmt::format("the stage of rank {}", b.host);
    case buffer_role::payload: return fmt::format("the payload of counter line {} of rank {}", b.ordinal, b.host);
    case buffer_role::scratch: return fmt::format("the scratch of rank {}", b.host);
    case buffer_role::constant: return fmt::format("the constants of rank {}", b.host);
    }
    return "unknown memory";
}

} // namespace sode::internal::proof
