// SPDX-License-Identifier: Apache-2.0
// Memory is reserved whole or not at all.
#include "space/pages.hpp"

#include "space/arena_space.hpp"

#include <sode/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace sode::internal {
namespace {

constexpr std::uint64_t mib = std::uint64_t{1} << 20;

/// Memory that ends sooner than it should, and keeps account of what was taken and returned.
class short_pages final : public pages {
public:
    explicit short_pages(std::uint64_t bytes) : memory_(64 * mib), room_(bytes) {}

    std::byte* base() const noexcept override { return const_cast<std::byte*>(memory_.data()); }
    void give_back(std::uint64_t offset, std::uint64_t bytes) noexcept override {
        for (auto at = offset; at < offset + bytes; at += mib) backed_[at / mib] = false;
    }
    std::uint64_t backed() const { return static_cast<std::uint64_t>(std::count(backed_.begin(), backed_.end(), true)) * mib; }

private:
    void back(std::uint64_t offset, std::uint64_t bytes) override {
        if (offset + bytes > room_) throw error{error_kind::environment, "no more", "the test ends it here", ""};
        for (auto at = offset; at < offset + bytes; at += mib) backed_[at / mib] = true;
    }

    std::vector<std::byte> memory_;
    std::vector<bool> backed_ = std::vector<bool>(64);
    std::uint64_t room_;
};

TEST(pages, a_reservation_is_whole_or_nothing) {
    short_pages p{40 * mib};
    p.reserve(0, 2 * mib);
    EXPECT_EQ(p.backed(), 2 * mib);
    EXPECT_THROW(p.reserve(2 * mib, 50 * mib), error); // its first steps succeed
    EXPECT_EQ(p.backed(), 2 * mib);
    p.reserve(2 * mib, 38 * mib);
    EXPECT_EQ(p.backed(), 40 * mib);
}

TEST(pages, a_block_that_could_not_be_backed_leaves_its_place_free) {
    auto const own = std::make_shared<short_pages>(20 * mib);
    arena_space::places where;
    where.own = own;
    where.begins.first = own->base();
    arena_space memory{std::move(where), {64 * mib, mib}};
    EXPECT_THROW(static_cast<void>(memory.allocate(30 * mib)), error);
    EXPECT_EQ(own->backed(), 0u);
    EXPECT_EQ(memory.allocate(20 * mib), own->base());
}

} // namespace
} // namespace sode::internal
