// SPDX-License-Identifier: Apache-2.0
// MPI's datatypes as sode::datatype, as a program that uses both gets them: by <sode/mpi.hpp> and the library.
#include "support/cases.hpp"
#include "support/mpi_main.hpp"
#include "support/random_datatypes.hpp"

#include <gtest/gtest.h>
#include <sode/error.hpp>
#include <sode/mpi.hpp>

namespace sode::internal {
namespace {

using test::datatype_buffer;
using test::owned_datatype;
using test::random_datatypes;

TEST(DatatypeOf, RandomDatatypesPackAndUnpackAsMpiDoesIt) {
    random_datatypes g{91};
    int unpacked = 0;
    for (int i = 0; i < sode::internal::testing::random_cases(2'000); ++i) {
        owned_datatype const type = g.make(g.between(1, 1500), static_cast<int>(g.between(1, 4)));
        int const count = static_cast<int>(g.between(0, 3));
        SCOPED_TRACE(i);
        datatype const d = datatype_of(type.get(), count);
        ASSERT_EQ(d.bytes(), test::bytes_of(type.get(), count)) << test::described(type.get());
        if (d.bytes() == 0) continue;
        datatype_buffer sent{type.get(), count};
        sent.number();
        std::vector<std::byte> expected(static_cast<std::size_t>(d.bytes()));
        int position = 0;
        PMPI_Pack(sent.base(), count, type.get(), expected.data(), static_cast<int>(expected.size()), &position, MPI_COMM_SELF);
        std::vector<std::byte> packed(expected.size());
        pack(packed.data(), sent.base(), d);
        ASSERT_TRUE(packed == expected) << test::described(type.get());

        if (!test::receivable(type.get(), count)) continue;
        ++unpacked;
        datatype_buffer by_mpi{type.get(), count};
        datatype_buffer by_us{type.get(), count};
        position = 0;
        PMPI_Unpack(packed.data(), static_cast<int>(packed.size()), &position, by_mpi.base(), count, type.get(), MPI_COMM_SELF);
        unpack(by_us.base(), d, packed.data());
        ASSERT_TRUE(by_us.bytes() == by_mpi.bytes()) << test::described(type.get());
    }
    EXPECT_GT(unpacked, sode::internal::testing::random_cases(2'000) / 10);
}

TEST(DatatypeOf, IsTheDatatypeThatSodeWouldMake) {
    MPI_Datatype column = MPI_DATATYPE_NULL;
    PMPI_Type_vector(50, 2, 30, MPI_DOUBLE, &column);
    datatype const c = datatype_of(column);
    MPI_Datatype again = MPI_DATATYPE_NULL;
    PMPI_Type_create_resized(column, 0, 16, &again);
    EXPECT_EQ(datatype_of(again, 15), c.repeated(15, 16));
    PMPI_Type_free(&column); // what was made of it needs it no more
    PMPI_Type_free(&again);
    EXPECT_EQ(c, datatype::contiguous(16).repeated(50, 240));
    EXPECT_EQ(datatype_of(MPI_INT, 7), datatype::contiguous(28));
    EXPECT_EQ(datatype_of(MPI_DOUBLE, 0), datatype{});
}

TEST(DatatypeOf, CopiesBetweenTwoOfThem) {
    int const n = 40;
    std::vector<double> source(n * n), target(n * n);
    for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<double>(i);
    MPI_Datatype column = MPI_DATATYPE_NULL, columns = MPI_DATATYPE_NULL;
    PMPI_Type_vector(n, 1, n, MPI_DOUBLE, &column);
    PMPI_Type_create_hvector(n, 1, sizeof(double), column, &columns);
    owned_datatype const a{column}, b{columns};
    copy(target.data(), datatype_of(columns), source.data(), datatype_of(MPI_DOUBLE, n * n));
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) ASSERT_EQ(target[j * n + i], source[i * n + j]);
}

TEST(DatatypeOf, SaysWhatIsWrong) {
    EXPECT_THROW((void)datatype_of(MPI_DATATYPE_NULL), error);
    EXPECT_THROW((void)datatype_of(MPI_INT, -1), error);
    EXPECT_THROW((void)datatype_of(MPI_DOUBLE, MPI_Count{1} << 60), error);
}

} // namespace
} // namespace sode::internal
