// SPDX-License-Identifier: Apache-2.0
// The layout that is read from an MPI datatype has the bytes that MPI packs, in their order, for random types.
#include "interpose/datatypes/datatype_layout.hpp"

#include "layout/random_layout.hpp"
#include "support/cases.hpp"
#include "support/mpi_main.hpp"
#include "support/random_datatypes.hpp"

#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sode/error.hpp>

namespace sode::internal {
namespace {

using test::datatype_buffer;
using test::owned_datatype;
using test::random_datatypes;

std::vector<std::byte> packed_by_mpi(datatype_buffer& buffer, MPI_Datatype type, int count) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(test::bytes_of(type, count)));
    if (bytes.empty()) return bytes;
    int position = 0;
    PMPI_Pack(buffer.base(), count, type, bytes.data(), static_cast<int>(bytes.size()), &position, MPI_COMM_SELF);
    EXPECT_EQ(position, static_cast<int>(bytes.size()));
    return bytes;
}

std::vector<std::byte> gathered(datatype_buffer& buffer, layout const& l) {
    std::vector<std::byte> bytes;
    for (auto const& p : expand(l)) bytes.insert(bytes.end(), buffer.base() + p.offset, buffer.base() + p.offset + p.bytes);
    return bytes;
}

TEST(LayoutOf, RandomDatatypesPackAsMpiPacksThem) {
    random_datatypes g{61};
    for (int i = 0; i < sode::internal::testing::random_cases(4'000); ++i) {
        owned_datatype const type = g.make(g.between(1, 1500), static_cast<int>(g.between(1, 4)));
        int const count = static_cast<int>(g.between(0, 3));
        SCOPED_TRACE(i);
        layout const l = layout_of(type.get(), count);
        ASSERT_EQ(l.bytes(), test::bytes_of(type.get(), count));
        ASSERT_EQ(normalised(l), l);
        datatype_buffer buffer{type.get(), count};
        buffer.number();
        ASSERT_TRUE(gathered(buffer, l) == packed_by_mpi(buffer, type.get(), count))
            << test::text_of(l) << " of " << test::described(type.get());
        auto const [low, high] = test::span_of(type.get(), count); // in which MPICH counts empty blocks, too
        if (l.bytes() > 0) {
            ASSERT_LE(low, l.extent().first);
            ASSERT_GE(high, l.extent().second);
        }
    }
}

TEST(LayoutOf, PredefinedTypes) {
    for (MPI_Datatype const type : {MPI_CHAR, MPI_DOUBLE, MPI_PACKED, MPI_BYTE, MPI_C_BOOL, MPI_WCHAR, MPI_AINT, MPI_LONG_DOUBLE})
        EXPECT_EQ(layout_of(type, 3), contiguous(0, test::bytes_of(type, 3)));
    // Of a pair the members, not what lies between them.
    EXPECT_EQ(layout_of(MPI_DOUBLE_INT, 3), (layout{0, 12, {{3, 16}}, {}}));
    EXPECT_EQ(layout_of(MPI_SHORT_INT, 1), (layout{0, 0, {}, {{0, 2}, {4, 4}}}));
    EXPECT_EQ(layout_of(MPI_DOUBLE, 0), layout{});
}

TEST(LayoutOf, FortranTypesByPrecision) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    PMPI_Type_create_f90_real(15, 307, &type);
    EXPECT_EQ(layout_of(type, 5), contiguous(0, 40));
    MPI_Datatype row = MPI_DATATYPE_NULL;
    PMPI_Type_vector(4, 1, 3, type, &row);
    owned_datatype const owned{row};
    EXPECT_EQ(layout_of(row, 1), (layout{0, 8, {{4, 24}}, {}}));
}

TEST(LayoutOf, StridedTypesAreNeverExpanded) {
    int const many = 1'000'000'000;
    MPI_Datatype inner = MPI_DATATYPE_NULL;
    PMPI_Type_vector(many, 1, 2, MPI_DOUBLE, &inner);
    MPI_Datatype outer = MPI_DATATYPE_NULL;
    PMPI_Type_create_hvector(1000, 1, MPI_Aint{1} << 40, inner, &outer);
    owned_datatype const a{inner};
    owned_datatype const b{outer};
    EXPECT_EQ(layout_of(outer, 1), (layout{0, 8, {{1000, index_t{1} << 40}, {many, 16}}, {}}));
    std::array const at{0, 3, 5};
    MPI_Datatype irregular = MPI_DATATYPE_NULL;
    PMPI_Type_create_indexed_block(3, 1, at.data(), MPI_DOUBLE, &irregular);
    owned_datatype const c{irregular};
    EXPECT_EQ(layout_of(irregular, many), (layout{0, 0, {{many, 48}}, {{0, 8}, {24, 8}, {40, 8}}}));
}

TEST(LayoutOf, AbsoluteAddresses) {
    std::array<double, 4> here{};
    MPI_Aint address = 0;
    PMPI_Get_address(here.data(), &address);
    int const length = 4;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    PMPI_Type_create_hindexed(1, &length, &address, MPI_DOUBLE, &type);
    owned_datatype const owned{type};
    EXPECT_EQ(layout_of(type, 1), contiguous(address, 32));
}

#if MPI_VERSION >= 4
TEST(LayoutOf, LargeConstructorsSayTheSameAsSmallOnes) {
    auto const same = [](MPI_Datatype small, MPI_Datatype large) {
        owned_datatype const a{small};
        owned_datatype const b{large};
        EXPECT_EQ(layout_of(small, 2), layout_of(large, 2));
    };
    MPI_Datatype s = MPI_DATATYPE_NULL;
    MPI_Datatype l = MPI_DATATYPE_NULL;
    std::array const lengths{2, 1, 3};
    std::array const at{7, 0, 20};
    std::array<MPI_Count, 3> const large_lengths{2, 1, 3};
    std::array<MPI_Count, 3> const large_at{7, 0, 20};
    std::array<MPI_Aint, 3> const bytes{56, 0, 160};
    std::array<MPI_Count, 3> const large_bytes{56, 0, 160};
    std::array const types{MPI_DOUBLE, MPI_INT, MPI_SHORT_INT};
    PMPI_Type_contiguous(5, MPI_INT, &s);
    PMPI_Type_contiguous_c(5, MPI_INT, &l);
    same(s, l);
    PMPI_Type_vector(5, 2, 3, MPI_INT, &s);
    PMPI_Type_vector_c(5, 2, 3, MPI_INT, &l);
    same(s, l);
    PMPI_Type_create_hvector(5, 2, 37, MPI_INT, &s);
    PMPI_Type_create_hvector_c(5, 2, 37, MPI_INT, &l);
    same(s, l);
    PMPI_Type_indexed(3, lengths.data(), at.data(), MPI_DOUBLE, &s);
    PMPI_Type_indexed_c(3, large_lengths.data(), large_at.data(), MPI_DOUBLE, &l);
    same(s, l);
    PMPI_Type_create_hindexed(3, lengths.data(), bytes.data(), MPI_DOUBLE, &s);
    PMPI_Type_create_hindexed_c(3, large_lengths.data(), large_bytes.data(), MPI_DOUBLE, &l);
    same(s, l);
    PMPI_Type_create_indexed_block(3, 2, at.data(), MPI_DOUBLE, &s);
    PMPI_Type_create_indexed_block_c(3, 2, large_at.data(), MPI_DOUBLE, &l);
    same(s, l);
    PMPI_Type_create_hindexed_block(3, 2, bytes.data(), MPI_DOUBLE, &s);
    PMPI_Type_create_hindexed_block_c(3, 2, large_bytes.data(), MPI_DOUBLE, &l);
    same(s, l);
    PMPI_Type_create_struct(3, lengths.data(), bytes.data(), types.data(), &s);
    PMPI_Type_create_struct_c(3, large_lengths.data(), large_bytes.data(), types.data(), &l);
    same(s, l);
    PMPI_Type_create_resized(MPI_DOUBLE, -4, 24, &s);
    PMPI_Type_create_resized_c(MPI_DOUBLE, -4, 24, &l);
    same(s, l);
    std::array const sizes{5, 6, 7};
    std::array<MPI_Count, 3> const large_sizes{5, 6, 7};
    std::array const starts{1, 0, 2};
    std::array<MPI_Count, 3> const large_starts{1, 0, 2};
    PMPI_Type_create_subarray(3, sizes.data(), lengths.data(), starts.data(), MPI_ORDER_FORTRAN, MPI_INT, &s);
    PMPI_Type_create_subarray_c(3, large_sizes.data(), large_lengths.data(), large_starts.data(), MPI_ORDER_FORTRAN, MPI_INT, &l);
    same(s, l);
    std::array const how{MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_CYCLIC};
    std::array const arguments{MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG, 2};
    std::array const procs{2, 1, 2};
    PMPI_Type_create_darray(4, 3, 3, sizes.data(), how.data(), arguments.data(), procs.data(), MPI_ORDER_C, MPI_INT, &s);
    PMPI_Type_create_darray_c(4, 3, 3, large_sizes.data(), how.data(), arguments.data(), procs.data(), MPI_ORDER_C, MPI_INT, &l);
    same(s, l);
}
#endif

TEST(LayoutOf, RejectsWhatIsNoMessage) {
    EXPECT_THROW((void)layout_of(MPI_DATATYPE_NULL, 1), error);
    EXPECT_THROW((void)layout_of(MPI_INT, -1), error);
    EXPECT_THROW((void)layout_of(MPI_DOUBLE, MPI_Count{1} << 60), error);
}

} // namespace
} // namespace sode::internal
