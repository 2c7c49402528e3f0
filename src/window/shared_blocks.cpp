// SPDX-License-Identifier: Apache-2.0
#include "window/shared_blocks.hpp"

namespace sode::internal::windows {
namespace {

// What ranks tell each other of their block.
struct notice {
    std::uint64_t offset = 0;
    block_place block{};
    std::uint64_t bytes = 0;
    bool here = false; ///< in memory that this rank can tell a place of
};

} // namespace

std::vector<std::pair<std::byte*, std::size_t>> shared_blocks(detail::job& j, std::byte* own, std::size_t bytes) {
    notice mine{.bytes = bytes};
    if (own) {
        mine.here = true;
        mine.block = j.memory->block_of(own);
        if (mine.block.bytes != 0 || j.memory->one_address_space()) mine.offset = j.memory->offset(own);
        j.freed.expose(own);
    }
    std::vector<notice> all(static_cast<std::size_t>(j.boot->size()));
    j.boot->allgather(&mine, sizeof mine, all.data());
    j.freed.collective_done();
    std::vector<std::pair<std::byte*, std::size_t>> blocks;
    for (int r = 0; r < j.boot->size(); ++r) {
        auto const& theirs = all[static_cast<std::size_t>(r)];
        auto& [first, length] = blocks.emplace_back(nullptr, theirs.bytes);
        if (r == j.boot->rank()) first = own;
        bool const loadable = theirs.block.bytes != 0 || j.memory->one_address_space();
        if (r == j.boot->rank() || !theirs.here || length == 0 || !loadable || !j.memory->contains(r)) continue;
        j.memory->open(r, theirs.block);
        first = j.memory->at(r, theirs.offset);
    }
    return blocks;
}

} // namespace sode::internal::windows
