// SPDX-License-Identifier: Apache-2.0
#include "space/team.hpp"

#include "base/contract.hpp"

#include <new>
#include <utility>

namespace sode::internal {
namespace {

constexpr std::size_t notice_bytes = 128; // a line of its own, and the one that is fetched with it
constexpr std::size_t notices = 3;        // two meetings', and what is announced
constexpr std::size_t announced = 2;

template <class Word> Word& word_at(std::byte* page, std::size_t i) noexcept {
    return *std::launder(reinterpret_cast<Word*>(page + i * sizeof(Word)));
}

} // namespace

team::team(bootstrap& boot, space& memory, machine_map machines, job_part const* part)
    : boot_(boot), memory_(memory), part_(part), machines_(std::move(machines)) {
    auto* const own = memory.allocate(notices * notice_bytes);
    for (std::size_t n = 0; n < notices; ++n)
        for (std::size_t i = 0; i < notice{}.size(); ++i) new (own + n * notice_bytes + i * sizeof(word)) word{0};
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
    auto* const own = page_of(pages_of(rank()), ++meetings_);
    for (std::size_t i = 0; i < mine.size(); ++i) word_at<word>(own, i).store(mine[i], std::memory_order_release);
    boot_.combine(maxima, sums);
}

team::notice team::told_by(int rank) const {
    SODE_EXPECT(machines_.together(rank, boot_.rank()), "ranks tell those of their machine only");
    auto* const theirs = page_of(pages_of(rank), meetings_);
    ++looked_up_;
    notice told{};
    for (std::size_t i = 0; i < told.size(); ++i) told[i] = word_at<word>(theirs, i).load(std::memory_order_acquire);
    return told;
}

void team::announce(notice const& what) noexcept {
    auto* const own = pages_of(rank()) + announced * notice_bytes;
    word_at<word>(own, 0).store(0, std::memory_order_release);
    for (std::size_t i = 1; i < what.size(); ++i) word_at<word>(own, i).store(what[i], std::memory_order_release);
    word_at<word>(own, 0).store(what[0], std::memory_order_release);
}

std::optional<team::notice> team::announced_by(int rank, std::uint64_t what) const noexcept {
    auto* const theirs = pages_of(rank) + announced * notice_bytes;
    notice told{word_at<word>(theirs, 0).load(std::memory_order_acquire)};
    if (told[0] != what) return std::nullopt;
    for (std::size_t i = 1; i < told.size(); ++i) told[i] = word_at<word>(theirs, i).load(std::memory_order_acquire);
    return told;
}

void team::end() noexcept {
    memory_.release(pages_of(rank()), notices * notice_bytes);
}

} // namespace sode::internal
