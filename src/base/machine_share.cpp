// SPDX-License-Identifier: Apache-2.0
#include "base/machine_share.hpp"

#include <cstring>

namespace sode::internal {

machine_share find_machine_share(bootstrap& boot) {
    std::vector<int> const machines = boot.machines();
    std::vector<std::uint64_t> const mine = processor_set::of_this_thread().words();
    auto const masks = boot.allgather(std::string_view{reinterpret_cast<char const*>(mine.data()), mine.size() * sizeof mine[0]});

    machine_share share{0, 0, {}};
    for (std::size_t r = 0; r < machines.size(); ++r) {
        if (machines[r] != machines[static_cast<std::size_t>(boot.rank())]) continue;
        ++share.ranks;
        std::vector<std::uint64_t> words(masks[r].size() / sizeof(std::uint64_t));
        std::memcpy(words.data(), masks[r].data(), words.size() * sizeof(std::uint64_t));
        share.used |= processor_set::from_words(std::move(words));
    }
    share.processors = usable_processors(share.used);
    return share;
}

} // namespace sode::internal
