// SPDX-License-Identifier: Apache-2.0
// write() and read() on several ranks: what comes back is what went, and what lies in between is what HDF5 itself reads.
#include "folder.hpp"
#include "marks.hpp"
#include "support/ranks.hpp"

#include <sode/hdf5.hpp>
#include <sode/series.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <fstream>
#include <set>

namespace sode::internal::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

folder test_folder() {
    return {ranks(), "files_test." + std::to_string(ranks().size())};
}

/// A dataset as HDF5's own interface sees it.
template <class T> struct seen {
    std::vector<hsize_t> extents;
    std::vector<T> elements;
};
template <class T> seen<T> look(std::string const& file, std::string const& path, hid_t type) {
    seen<T> s;
    auto const f = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    auto const d = H5Dopen2(f, path.c_str(), H5P_DEFAULT);
    auto const shape = H5Dget_space(d);
    auto const there = H5Dget_type(d);
    EXPECT_TRUE(H5Tequal(there, type)) << "another type of elements in " << path;
    s.extents.resize(static_cast<std::size_t>(H5Sget_simple_extent_ndims(shape)));
    H5Sget_simple_extent_dims(shape, s.extents.data(), nullptr);
    s.elements.resize(static_cast<std::size_t>(H5Sget_simple_extent_npoints(shape)));
    EXPECT_GE(H5Dread(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, s.elements.data()), 0);
    H5Tclose(there);
    H5Sclose(shape);
    H5Dclose(d);
    H5Fclose(f);
    return s;
}

std::string complaint(std::function<void()> const& call) {
    try {
        call();
    } catch (error const& e) {
        return e.what();
    }
    return "no complaint";
}

// What a program keeps column by column is row-major in the file, and comes back.
TEST(Files, OfAttachedMemory) {
    auto const dir = test_folder();
    grid<2> const g{ranks(), {7, 5}};
    auto const mine = g.local();
    auto const rows = mine.upper[0] - mine.lower[0] + 2;
    std::vector<float> memory(static_cast<std::size_t>(2 * rows * (mine.upper[1] - mine.lower[1] + 2)), -1.F);
    auto const at = [&](auto i, auto j) -> float& {
        return memory[static_cast<std::size_t>(2 * (i - mine.lower[0] + 1 + (j - mine.lower[1] + 1) * rows))];
    };
    auto u = attach(g, memory.data(), strides{2, 2 * rows}, shadow{1}, "u");
    loop(u.all(), [&](auto i, auto j) { at(i, j) = static_cast<float>(10 * i + j); });
    write(dir / "attached.h5", {{"u", u}});
    if (ranks().root()) {
        auto const s = look<float>(dir / "attached.h5", "u", H5T_NATIVE_FLOAT);
        ASSERT_THAT(s.extents, ElementsAre(7, 5));
        for (std::size_t k = 0; k < s.elements.size(); ++k) EXPECT_EQ(s.elements[k], static_cast<float>(k / 5 * 10 + k % 5));
    }
    auto const before = memory;
    loop(u.all(), [&](auto i, auto j) { at(i, j) = 0; });
    read(dir / "attached.h5", {{"u", u}});
    EXPECT_EQ(memory, before);
}

// Arrays that are dealt out differently make the same file, and read each other's.
TEST(Files, AreTheSameWhateverTheDistribution) {
    auto const dir = test_folder();
    nodes<2> const p{ranks(), {any, any}};
    array<int, 3> blocks{distribution<3>{p, {7, 5, 12}, {block, none, block}}};
    array<int, 3> dealt{distribution<3>{p, {7, 5, 12}, {cyclic, none, cyclic(3)}}};
    array<int, 3> back{distribution<3>{p, {7, 5, 12}, {none, cyclic(2), block}}};
    loop(dealt.all(), [v = dealt.cyclic_view()](auto i, auto j, auto k) { v(i, j, k) = static_cast<int>(100 * i + 20 * j + k); });
    write(dir / "dealt.h5", {{"a", dealt}});
    read(dir / "dealt.h5", {{"a", blocks}});
    read(dir / "dealt.h5", {{"a", back}});
    auto const is = [](auto v) { return [=](auto i, auto j, auto k) { return v(i, j, k) == 100 * i + 20 * j + k ? 0 : 1; }; };
    EXPECT_EQ(reduce(blocks.all(), 0, sum, is(*blocks)), 0);
    EXPECT_EQ(reduce(back.all(), 0, sum, is(back.cyclic_view())), 0);
}

template <class T> class EveryType : public ::testing::Test {};
using numbers = ::testing::Types<float, double, char, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                                 std::uint16_t, std::uint32_t, std::uint64_t, long long>;
TYPED_TEST_SUITE(EveryType, numbers);

template <class T> hid_t own_type() {
    if constexpr (std::is_floating_point_v<T>) return sizeof(T) == 4 ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
    std::array const is_signed{H5T_STD_I8LE, H5T_STD_I16LE, H5T_STD_I32LE, H5T_STD_I64LE};
    std::array const is_unsigned{H5T_STD_U8LE, H5T_STD_U16LE, H5T_STD_U32LE, H5T_STD_U64LE};
    auto const width = sizeof(T) == 1 ? 0U : sizeof(T) == 2 ? 1U : sizeof(T) == 4 ? 2U : 3U;
    return std::is_signed_v<T> ? is_signed.at(width) : is_unsigned.at(width);
}

TYPED_TEST(EveryType, IsTheSameInTheFileAndBack) {
    auto const dir = test_folder();
    grid<2> const g{ranks(), {23, 17}};
    array<TypeParam, 2> a{g, shadow{2}}, b{g, shadow{1}};
    set_marks(a);
    write(dir / "a.h5", {{"a", a}}, {.time = 0.1, .step = 7});
    if (ranks().root()) {
        auto const s = look<TypeParam>(dir / "a.h5", "a", own_type<TypeParam>());
        EXPECT_THAT(s.extents, ElementsAre(23, 17));
        std::size_t k = 0;
        for (auto const& at : a.all().global) ASSERT_EQ(s.elements[k++], mark<TypeParam>(at));
    }
    auto const when = read(dir / "a.h5", {{"a", b}});
    EXPECT_EQ(when.time, 0.1);
    EXPECT_EQ(when.step, 7);
    EXPECT_EQ(wrong_marks(b), 0);
}

template <int N> void there_and_back(alignment<N> const& where, shadow const& widths, alignment<N> const& otherwise) {
    auto const dir = test_folder();
    array<double, N> a{where, widths}, b{otherwise};
    set_marks(a);
    write(dir / "n.h5", {{"n", a}});
    read(dir / "n.h5", {{"n", b}});
    EXPECT_EQ(wrong_marks(b), 0);
    // Nothing but the elements is read: shadows stay.
    set_marks(a);
    read(dir / "n.h5", {{"n", a}});
    for (auto const& at : a.allocated())
        if (!a.owned().contains(at)) {
            ASSERT_EQ(std::apply([&](auto... i) { return (*a)(i...); }, at), 99);
        }
}

TEST(Files, OfOneToSevenDimensions) {
    there_and_back<1>(grid<1>{ranks(), {100}}, shadow{3}, grid<1>{ranks(), {100}});
    there_and_back<2>(grid<2>{ranks(), {9, 40}, {.nodes = {1, any}}}, shadow{1}, grid<2>{ranks(), {9, 40}});
    there_and_back<3>(grid<3>{ranks(), {7, 8, 9}}, shadow{{0, 0}, {2, 1}, {1, 3}},
                      grid<3>{ranks(), {7, 8, 9}, {.nodes = {1, 1, any}}});
    nodes<2> const p{ranks(), {any, any}};
    distribution<4> const t{p, {5, 6, 7, 4}, {none, block, none, block}}, s{p, {5, 6, 7, 4}, {block, none, block, none}};
    there_and_back<4>(t, shadow{0, 1, 0, 1}, s);
    there_and_back<7>(grid<7>{ranks(), {3, 2, 4, 2, 3, 2, 5}}, shadow{},
                      grid<7>{ranks(), {3, 2, 4, 2, 3, 2, 5}, {.nodes = {1, 1, any, 1, 1, 1, 1}}});
}

TEST(Files, WithFewerElementsThanRanksOrNone) {
    there_and_back<1>(grid<1>{ranks(), {3}}, shadow{}, grid<1>{ranks(), {3}});
    there_and_back<2>(grid<2>{ranks(), {0, 8}}, shadow{}, grid<2>{ranks(), {0, 8}});
}

TEST(Files, OfUnevenBlocks) {
    auto const n = ranks().size();
    std::vector<index_t> widths(static_cast<std::size_t>(n), 2);
    widths.front() = 0; // of several ranks the first has nothing
    widths.back() = n == 1 ? 50 : 50 - 2 * (n - 2);
    distribution<2> const t{nodes<1>{ranks(), {any}}, {50, 3}, {gblock(widths), none}};
    there_and_back<2>(t, shadow{1, 0}, grid<2>{ranks(), {50, 3}});
}

TEST(Files, CopiesAreWrittenOnceAndAllRead) {
    auto const dir = test_folder();
    nodes<2> const p{ranks(), {any, any}};
    distribution<2> const t{p, {12, 8}, {block, block}};
    array<double, 1> a{align(t, {12}, {0})}; // a copy on every node of the second dimension
    bool const first = p.coordinate(1) == 0;
    loop(a.all(), [v = *a, first](auto i) { v(i) = first ? static_cast<double>(i) : -1; });
    write(dir / "copies.h5", {{"a", a}});
    read(dir / "copies.h5", {{"a", a}});
    for (auto const& at : a.owned()) EXPECT_EQ((*a)(at[0]), static_cast<double>(at[0]));
}

TEST(Files, OfDimensionsThatAreDealtOut) {
    auto const dir = test_folder();
    nodes<2> const p{ranks(), {any, any}};
    for (auto const& [rows, columns] : std::vector<std::pair<distribution_format, distribution_format>>{
             {cyclic, cyclic}, {cyclic(2), cyclic(3)}, {block, cyclic(4)}, {cyclic(5), block(20)}}) {
        distribution<3> const dealt{p, {13, 3, 17}, {rows, none, columns}};
        array<double, 3> a{dealt}, b{dealt}, plain{grid<3>{ranks(), {13, 3, 17}}};
        loop(a.all(), [v = a.cyclic_view()](auto i, auto j, auto k) {
            v(i, j, k) = mark<double>(std::array<index_t, 3>{i, j, k});
        });
        write(dir / "dealt.h5", {{"a", a}});
        read(dir / "dealt.h5", {{"a", plain}});
        EXPECT_EQ(wrong_marks(plain), 0);
        write(dir / "plain.h5", {{"a", plain}});
        read(dir / "plain.h5", {{"a", b}});
        auto const wrong = reduce(b.all(), 0, sum, [v = b.cyclic_view()](auto i, auto j, auto k) {
            return v(i, j, k) != mark<double>(std::array<index_t, 3>{i, j, k}) ? 1 : 0;
        });
        EXPECT_EQ(wrong, 0);
    }
}

TEST(Files, ABundleIsAGroupOfItsComponents) {
    auto const dir = test_folder();
    grid<2> const g{ranks(), {9, 31}};
    bundle<short, 2, 3> a{g, {}, shadow{1}}, b{g};
    loop(g.all(), [v = *a](auto i, auto j) {
        for (short c = 0; c < 3; ++c) v(c, i, j) = static_cast<short>(1000 * c + 31 * i + j);
    });
    write(dir / "bundle.h5", {{"uv", a}});
    if (ranks().root())
        for (int c = 0; c < 3; ++c) {
            auto const s = look<short>(dir / "bundle.h5", "uv/" + std::to_string(c), H5T_STD_I16LE);
            EXPECT_THAT(s.extents, ElementsAre(9, 31));
            for (std::size_t k = 0; k < s.elements.size(); ++k) ASSERT_EQ(s.elements[k], 1000 * c + static_cast<int>(k));
        }
    read(dir / "bundle.h5", {{"uv", b}});
    int wrong = 0;
    for (auto const& [i, j] : b.owned())
        for (short c = 0; c < 3; ++c) wrong += (*b)(c, i, j) != (*a)(c, i, j) ? 1 : 0;
    EXPECT_EQ(wrong, 0);
}

TEST(Files, OfABufferedArrayNowIsWrittenAndBothHalvesRead) {
    auto const dir = test_folder();
    grid<1> const g{ranks(), {100}};
    buffered<int, 1> a{g, shadow{1}};
    loop(g.all(), [now = a.now(), next = a.next()](auto i) {
        now(i) = 1;
        next(i) = 2;
    });
    a.flip();
    write(dir / "half.h5", {{"a", a}});
    a.flip();
    read(dir / "half.h5", {{"a", a}});
    for (auto const& at : a.owned()) {
        EXPECT_EQ(a.now()(at[0]), 2);
        EXPECT_EQ(a.next()(at[0]), 2);
    }
}

TEST(Files, SeveralFieldsOfDifferentKinds) {
    auto const dir = test_folder();
    grid<2> const g{ranks(), {40, 300}};
    grid<3> const h{ranks(), {4, 5, 6}};
    array<double, 2> a{g, shadow{1}}, a2{g};
    array<std::int8_t, 3> b{h}, b2{h, shadow{1}};
    array<float, 2> c{g}, c2{g};
    set_marks(a);
    set_marks(b);
    set_marks(c);
    write(dir / "several.h5", {{"a", a}, {"b", b}, {"c", c}}, {.time = -1e300, .step = -5});
    auto const when = read(dir / "several.h5", {{"c", c2}, {"b", b2}});
    EXPECT_EQ(when.time, -1e300);
    EXPECT_EQ(when.step, -5);
    read(dir / "several.h5", {{"a", a2}});
    EXPECT_EQ(wrong_marks(a2) + wrong_marks(b2) + wrong_marks(c2), 0);
}

TEST(Files, MoreThanGoesInOneRound) {
    grid<2> const g{ranks(), {1100, 1030}};
    there_and_back<2>(g, shadow{1}, grid<2>{ranks(), {1100, 1030}, {.nodes = {1, any}}});
    there_and_back<1>(grid<1>{ranks(), {1200000}}, shadow{}, grid<1>{ranks(), {1200000}});
}

TEST(Files, OfOthersCompressedBigEndianAndInAGroup) {
    auto const dir = test_folder();
    if (ranks().root()) {
        std::vector<double> all(23 * 17);
        std::size_t k = 0;
        for (auto const& at : box<2>{{0, 0}, {23, 17}}) all[k++] = mark<double>(at);
        std::array<hsize_t, 2> const extents{23, 17}, chunk{5, 4};
        auto const f = H5Fcreate((dir / "other.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        auto const g = H5Gcreate2(f, "fields", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        auto const how = H5Pcreate(H5P_DATASET_CREATE);
        H5Pset_chunk(how, 2, chunk.data());
        H5Pset_deflate(how, 6);
        auto const shape = H5Screate_simple(2, extents.data(), nullptr);
        auto const d = H5Dcreate2(g, "u", H5T_IEEE_F64BE, shape, H5P_DEFAULT, how, H5P_DEFAULT);
        ASSERT_GE(H5Dwrite(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()), 0);
        H5Dclose(d);
        H5Sclose(shape);
        H5Pclose(how);
        H5Gclose(g);
        H5Fclose(f);
    }
    ranks().barrier();
    array<double, 2> a{grid<2>{ranks(), {23, 17}}};
    auto const when = read(dir / "other.h5", {{"fields/u", a}});
    EXPECT_EQ(when.time, 0);
    EXPECT_EQ(when.step, 0);
    EXPECT_EQ(wrong_marks(a), 0);
}

TEST(Files, ThatDoNotFitAreErrorsEverywhereAndChangeNothing) {
    auto const dir = test_folder();
    grid<2> const g{ranks(), {8, 6}};
    array<double, 2> a{g}, wide{grid<2>{ranks(), {8, 7}}}, kept{g};
    array<float, 2> single{g};
    array<double, 1> line{grid<1>{ranks(), {48}}};
    set_marks(a);
    set_marks(kept);
    write(dir / "f.h5", {{"u", a}, {"v", a}});
    loop(g.all(), [v = *a](auto i, auto j) { v(i, j) = -1; });
    write(dir / "g.h5", {{"u", a}});

    auto const file = dir / "f.h5";
    EXPECT_THAT(complaint([&] {
                    read(dir / "g.h5", {{"u", kept}, {"w", a}});
                }),
                HasSubstr("has no dataset \"w\" (it has \"u\")\n  read a dataset that the file has"));
    EXPECT_EQ(wrong_marks(kept), 0) << "arrays were read before all was compared";
    EXPECT_THAT(complaint([&] { read(file, {{"u", wide}}); }), HasSubstr("(8 x 6 elements in the file, 8 x 7 in the array)"));
    EXPECT_THAT(complaint([&] { read(file, {{"u", line}}); }), HasSubstr("(8 x 6 elements in the file, 48 in the array)"));
    EXPECT_THAT(complaint([&] { read(file, {{"u", single}}); }), HasSubstr("(float64 in the file, float32 in the array)"));
    EXPECT_THAT(complaint([&] { read(dir / "none.h5", {{"u", a}}); }), HasSubstr("none.h5 (No such file or directory)"));
    if (ranks().root()) std::ofstream{dir / "text.h5"} << "no HDF5 at all";
    ranks().barrier();
    EXPECT_THAT(complaint([&] { read(dir / "text.h5", {{"u", a}}); }), HasSubstr("text.h5 ("));
    EXPECT_THAT(complaint([&] { write(dir / "no/such/folder.h5", {{"u", a}}); }), HasSubstr("folder.h5 (open: No such file"));
    EXPECT_THAT(complaint([&] { write(dir / "x.h5", {}); }), HasSubstr("the list of fields is empty"));
    EXPECT_THAT(complaint([&] { write(dir / "x.h5", {{"u", a}, {"u", kept}}); }), HasSubstr("two fields of"));
    EXPECT_THAT(complaint([&] { write(dir / "x.h5", {{"", a}}); }), HasSubstr("cannot be the name of a dataset"));
    EXPECT_THAT(complaint([&] { write(dir / "x.h5", {{"a/b", a}}); }), HasSubstr("a name must not contain '/'"));
    if (ranks().size() > 1) {
        auto const name = ranks().rank() == 1 ? "mine" : "ours";
        EXPECT_THAT(complaint([&] { write(dir / "x.h5", {{name, a}}); }), HasSubstr("ranks 0 and 1 do not write the same file"));
        EXPECT_THAT(complaint([&] { read(file, {{name, a}}); }), HasSubstr("ranks 0 and 1 do not read the same file"));
    }
    EXPECT_FALSE(std::filesystem::exists(dir / "x.h5"));
    EXPECT_EQ(dir.names(), (std::set<std::string>{"f.h5", "g.h5", "text.h5"}));
    // After all these the ranks are still in step.
    read(file, {{"v", a}});
    EXPECT_EQ(wrong_marks(a), 0);
}

// Another user may have put a link where our file is to be made.
TEST(Files, AreNotWrittenThroughLinks) {
    auto const dir = test_folder();
    array<double, 2> a{grid<2>{ranks(), {8, 6}}};
    if (ranks().root()) {
        std::ofstream{dir / "victim"} << "precious";
        std::filesystem::create_symlink("victim", dir / "f.h5.part");
        std::filesystem::create_symlink("victim", dir / "s.xdmf.part");
        std::ofstream{dir / "f.h5.0123456789abcdef.part"} << "of a job that was killed";
    }
    ranks().barrier();
    write(dir / "f.h5", {{"a", a}});
    series{ranks(), dir / "s"}.write({{"a", a}}, {.step = 1});
    if (ranks().root()) {
        std::string text;
        std::ifstream{dir / "victim"} >> text;
        EXPECT_EQ(text, "precious");
        EXPECT_FALSE(std::filesystem::is_symlink(dir / "f.h5"));
        EXPECT_FALSE(std::filesystem::exists(dir / "f.h5.0123456789abcdef.part"));
    }
    ranks().barrier();
}

} // namespace
} // namespace sode::internal::testing
