// SPDX-License-Identifier: Apache-2.0
// sode::datatype: equal bytes are equal types however they were made, copies and packing are right, and what cannot be is
// refused.
#include <sode/datatype.hpp>
#include <sode/error.hpp>
#include <sode/view.hpp>

#include <gtest/gtest.h>
#include <numeric>
#include <vector>

namespace sode::internal {
namespace {

std::vector<int> numbers(std::size_t n) {
    std::vector<int> all(n);
    std::iota(all.begin(), all.end(), 0);
    return all;
}

TEST(Datatype, IsWhatItSaysHoweverItWasMade) {
    auto const column = datatype::contiguous(4).repeated(5, 40);
    EXPECT_EQ(column.bytes(), 20);
    EXPECT_EQ(column.extent(), std::pair(index_t{0}, index_t{164}));
    EXPECT_EQ(column, datatype::of_box(box<2>{{0, 0}, {5, 1}}, {40, 4}, 4));
    std::vector<datatype::block> blocks;
    for (index_t i = 0; i < 5; ++i) blocks.push_back({40 * i, 4});
    EXPECT_EQ(column, datatype::blocks(blocks));
    EXPECT_EQ(column.moved(8).extent(), std::pair(index_t{8}, index_t{172}));
    EXPECT_EQ(datatype::joined({column, column.moved(200)}), column.repeated(2, 200));
    EXPECT_NE(column, column.moved(4));
    EXPECT_FALSE(column.is_contiguous());
    EXPECT_EQ(datatype{}.bytes(), 0);
    EXPECT_TRUE(datatype::contiguous(8).repeated(1000, 8).is_contiguous());
}

TEST(Datatype, OfAView) {
    auto data = numbers(60);
    view<int, 2> const v{data.data(), {3, 7}, {4, 5}, {15, 1}};
    EXPECT_EQ(datatype::of(v), datatype::contiguous(20).repeated(4, 60));
}

TEST(Datatype, CopiesATranspose) {
    index_t const n = 50;
    auto const source = numbers(n * n);
    std::vector<int> target(n * n);
    auto const rows = datatype::contiguous(4 * n * n);
    auto const columns = datatype::contiguous(4).repeated(n, 4 * n).repeated(n, 4);
    datatype_copy const transpose{columns, rows};
    EXPECT_EQ(transpose.bytes(), 4 * n * n);
    transpose(target.data(), source.data());
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) ASSERT_EQ(target[j * n + i], source[i * n + j]);
    std::vector<int> back(n * n);
    copy(back.data(), rows, target.data(), columns);
    EXPECT_EQ(back, source);
}

TEST(Datatype, PacksAndUnpacks) {
    auto const source = numbers(100);
    auto const some = datatype::joined({datatype::contiguous(8), datatype::contiguous(4).repeated(10, 24).moved(40)});
    std::vector<int> packed(12);
    pack(packed.data(), source.data(), some);
    EXPECT_EQ(packed, (std::vector<int>{0, 1, 10, 16, 22, 28, 34, 40, 46, 52, 58, 64}));
    std::vector<int> target(100, -1);
    unpack(target.data(), some, packed.data());
    for (int i = 0; i < 100; ++i) {
        bool const moved = i < 2 || (i >= 10 && i <= 64 && (i - 10) % 6 == 0);
        EXPECT_EQ(target[static_cast<std::size_t>(i)], moved ? i : -1);
    }
}

TEST(Datatype, RejectsWhatCannotBe) {
    EXPECT_THROW((void)datatype::contiguous(-1), error);
    EXPECT_THROW((void)datatype::contiguous(8).repeated(-1, 8), error);
    EXPECT_THROW((void)datatype::contiguous(8).repeated(index_t{1} << 60, 64), error);
    EXPECT_THROW((datatype_copy{datatype::contiguous(8), datatype::contiguous(9)}), error);
    auto const twice = datatype::contiguous(8).repeated(2, 4);
    EXPECT_THROW((datatype_copy{twice, datatype::contiguous(16)}), error);
    datatype_copy const from_itself{datatype::contiguous(16), twice}; // a source may
    EXPECT_EQ(from_itself.bytes(), 16);
}

TEST(Datatype, IsNotMovedBeyondWhatCanBeAddressed) {
    constexpr index_t far = (index_t{1} << 62) - 1;
    auto const one = datatype::contiguous(8);
    auto const column = one.repeated(5, 40);
    auto const irregular = datatype::joined({column, one.moved(1000), column.moved(1001)});
    for (auto const& d : {one, column, irregular})
        for (index_t const by : {far, -far}) {
            auto const move_twice = [&] { return d.moved(by).moved(by); };
            EXPECT_THROW((void)move_twice(), error);
            auto const nearly = d.moved(by / 2);
            EXPECT_EQ(nearly.extent().first, d.extent().first + by / 2);
            EXPECT_EQ(nearly.moved(-(by / 2)), d);
        }
    EXPECT_THROW((void)column.moved(far), error);
    EXPECT_THROW((void)column.moved(far - 100).repeated(2, far - 100), error);
}

} // namespace
} // namespace sode::internal
