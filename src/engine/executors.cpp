// SPDX-License-Identifier: Apache-2.0
#include "engine/executors.hpp"

#include <fmt/format.h>

namespace sode::internal {

std::string lacks_executor(schedule const& p, executor_kind kind, std::uint32_t count) {
    for (std::size_t s = 0; s < p.streams.size(); ++s) {
        auto const& e = p.streams[s].runs_on;
        if (e == executor{} || (e.kind == kind && e.number < count)) continue;
        return fmt::format("its stream {} is for {}, of which there {}", s, describe(e),
                           e.kind != kind ? "are none" : fmt::format("{} {}", count == 1 ? "is" : "are", count));
    }
    return {};
}

} // namespace sode::internal
