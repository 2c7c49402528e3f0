// SPDX-License-Identifier: Apache-2.0
#include "space/team.hpp"

#include "base/contract.hpp"

#include <new>

namespace sode {
namespace {

constexpr std::size_t notice_bytes = 128; // a line of its own, and the one that is fetched with it

} // namespace

team::team(bootstrap& boot, space& memory) : boot_(boot), machines_(boot.machines()) {
    auto* const own = memory.allocate(2 * notice_bytes);
    for (std::uint64_t m : {0U, 1U})
        for (std::size_t i = 0; i < notice{}.size(); ++i) new (page_of(own, m) + i * sizeof(word)) word{0};
    block_place const mine = memory.block_of(own);
    std::vector<block_place> all(static_cast<std::size_t>(size()));
    boot_.allgather(&mine, sizeof mine, all.data());
    for (int const r : machines_.on(machines_.of(rank()))) {
        auto const& theirs = all[static_cast<std::size_t>(r)];
        memory.open(r, theirs);
        pages_.push_back(memory.at(r, theirs.offset));
    }
}

// Two are enough: who tells in meeting m + 2 has been in m + 1, to which nobody came before he had read what was told in m.
std::byte* team::page_of(std::byte* pages, std::uint64_t meeting) noexcept {
    return pages + meeting % 2 * notice_bytes;
}

void team::meet(notice const& mine, std::span<std::uint64_t> maxima, std::span<std::uint64_t> sums) {
    auto* const own = page_of(pages_[static_cast<std::size_t>(machines_.place(rank()))], ++meetings_);
    for (std::size_t i = 0; i < mine.size(); ++i)
        std::launder(reinterpret_cast<word*>(own + i * sizeof(word)))->store(mine[i], std::memory_order_release);
    boot_.combine(maxima, sums);
}

team::notice team::told_by(int rank) const {
    SODE_EXPECT(machines_.together(rank, boot_.rank()), "ranks tell those of their machine only");
    auto* const theirs = page_of(pages_[static_cast<std::size_t>(machines_.place(rank))], meetings_);
    ++looked_up_;
    notice told{};
    for (std::size_t i = 0; i < told.size(); ++i)
        told[i] = std::launder(reinterpret_cast<word const*>(theirs + i * sizeof(word)))->load(std::memory_order_acquire);
    return told;
}

} // namespace sode
