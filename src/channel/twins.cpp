// SPDX-License-Identifier: Apache-2.0
#include "channel/twins.hpp"

namespace sode {

std::vector<array_copy> with_twins_fused(std::vector<array_copy> list) {
    constexpr index_t longest_row = 32;
    std::vector<array_copy> result;
    std::vector<bool> taken(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (taken[i]) continue;
        array_copy mine = std::move(list[i]);
        for (std::size_t j = i + 1; j < list.size() && mine.program.block <= longest_row && mine.program.loop_count > 0; ++j) {
            if (taken[j] || list[j].array.ordinal != mine.array.ordinal) continue;
            if (auto both = fuse(mine.program, list[j].program)) {
                mine.program = *both;
                taken[j] = true;
                break;
            }
        }
        result.push_back(std::move(mine));
    }
    return result;
}

} // namespace sode
