// SPDX-License-Identifier: Apache-2.0
#include "cost/pipeline.hpp"

#include <algorithm>

namespace sode::internal {

double pipelined_time(std::span<pipe_stage const> stages, std::int64_t bytes, std::int64_t segments, double word) noexcept {
    double const each = static_cast<double>(bytes) / static_cast<double>(segments);
    double first = 0, slowest = 0; // the first segment passes all stages, the others come as the slowest stage lets them
    for (auto const& s : stages) {
        double const here = s.begin + each * s.byte;
        first += here;
        slowest = std::max(slowest, here);
    }
    auto const joints = static_cast<double>(stages.size()) - 1;
    // A slot is free again when its bytes have gone through two stages, and both have told each other.
    if (segments > ring_slots) slowest = std::max(slowest, 2 * (slowest + word) / static_cast<double>(ring_slots));
    return first + joints * word + static_cast<double>(segments - 1) * slowest;
}

std::int64_t best_segment(std::span<pipe_stage const> stages, std::int64_t bytes, double word) noexcept {
    constexpr std::int64_t most = 64, line = 64;
    std::int64_t best = 1;
    for (std::int64_t n = 2; n <= most && n * line <= bytes; ++n)
        if (pipelined_time(stages, bytes, n, word) < pipelined_time(stages, bytes, best, word)) best = n;
    if (best == 1) return 0;
    return ((bytes + best - 1) / best + line - 1) / line * line;
}

} // namespace sode::internal
