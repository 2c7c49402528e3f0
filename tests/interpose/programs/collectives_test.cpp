// SPDX-License-Identifier: Apache-2.0
// Collectives of derived datatypes: what everybody gets, compared with what was sent.
#include "job.hpp"

#include <numeric>

namespace sode::internal::test {
namespace {

/// Columns of a matrix that is stored by rows: `rows` rows of `size` ranks times `width` doubles.
class Collectives : public ::testing::Test {
protected:
    Collectives() {
        MPI_Datatype columns = MPI_DATATYPE_NULL;
        MPI_Type_vector(rows, width, pitch, MPI_DOUBLE, &columns);
        MPI_Type_create_resized(columns, 0, width * static_cast<MPI_Aint>(sizeof(double)), &block);
        MPI_Type_commit(&block);
        MPI_Type_free(&columns);
    }
    ~Collectives() override { MPI_Type_free(&block); }
    void TearDown() override { MPI_Barrier(MPI_COMM_WORLD); }

    ring const here;
    static constexpr int rows = 700, width = 4, part = rows * width;
    int const pitch = here.size * width;
    std::size_t const elements = static_cast<std::size_t>(rows) * static_cast<std::size_t>(pitch);
    MPI_Datatype block = MPI_DATATYPE_NULL;
    MPI_Comm const all = MPI_COMM_WORLD;

    /// What rank `from` has at (row, column).
    static double value(int from, int row, int column) { return 1e7 * from + 1000.0 * row + column; }
    [[nodiscard]] std::vector<double> matrix(int of) const {
        std::vector<double> m(elements);
        for (int r = 0; r < rows; ++r)
            for (int c = 0; c < pitch; ++c) m[static_cast<std::size_t>(r * pitch + c)] = value(of, r, c);
        return m;
    }
    [[nodiscard]] std::vector<double> nothing() const { return std::vector<double>(elements, untouched); }
    /// The dense form of what `from` has in its columns number `which`, at place `slot` of `m`.
    void expect_dense(std::vector<double> const& m, int slot, int from, int which) const {
        for (int r = 0; r < rows; ++r)
            for (int c = 0; c < width; ++c)
                ASSERT_EQ(m[static_cast<std::size_t>(slot * part + r * width + c)], value(from, r, which * width + c))
                    << "slot " << slot << " row " << r;
    }
    /// The same in columns number `which` of `m`.
    void expect_columns(std::vector<double> const& m, int which, int from, int theirs) const {
        for (int r = 0; r < rows; ++r)
            for (int c = 0; c < width; ++c)
                ASSERT_EQ(m[static_cast<std::size_t>(r * pitch + which * width + c)], value(from, r, theirs * width + c));
    }
};

TEST_F(Collectives, Alltoall) {
    auto const from = matrix(here.rank);
    for (int again = 0; again < 3; ++again) {
        auto to = nothing();
        ASSERT_EQ(MPI_Alltoall(from.data(), 1, block, to.data(), part, MPI_DOUBLE, all), MPI_SUCCESS);
        for (int peer = 0; peer < here.size; ++peer) expect_dense(to, peer, peer, here.rank);
        to = nothing();
        // Every rank may have another layout.
        bool const odd = here.rank % 2 == 1;
        ASSERT_EQ(MPI_Alltoall(from.data(), 1, block, to.data(), odd ? part : 1, odd ? MPI_DOUBLE : block, all), MPI_SUCCESS);
        for (int peer = 0; peer < here.size; ++peer)
            odd ? expect_dense(to, peer, peer, here.rank) : expect_columns(to, peer, peer, here.rank);
    }
}

TEST_F(Collectives, AlltoallInPlaceIsMpis) {
    auto data = matrix(here.rank);
    ASSERT_EQ(MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data.data(), 1, block, all), MPI_SUCCESS);
    for (int peer = 0; peer < here.size; ++peer) expect_columns(data, peer, peer, here.rank);
}

TEST_F(Collectives, AlltoallvAndW) {
    auto const from = matrix(here.rank);
    auto const ranks = static_cast<std::size_t>(here.size);
    std::vector<int> const ones(ranks, 1), parts(ranks, part);
    std::vector<int> places(ranks), dense(ranks), bytes(ranks), dense_bytes(ranks);
    std::iota(places.begin(), places.end(), 0);
    for (std::size_t i = 0; i < ranks; ++i) {
        dense[i] = static_cast<int>(i) * part;
        bytes[i] = static_cast<int>(i) * width * static_cast<int>(sizeof(double));
        dense_bytes[i] = dense[i] * static_cast<int>(sizeof(double));
    }
    auto to = nothing();
    MPI_Alltoallv(from.data(), ones.data(), places.data(), block, to.data(), parts.data(), dense.data(), MPI_DOUBLE, all);
    for (int peer = 0; peer < here.size; ++peer) expect_dense(to, peer, peer, here.rank);
    to = nothing();
    std::vector<MPI_Datatype> const blocks(ranks, block), doubles(ranks, MPI_DOUBLE);
    MPI_Alltoallw(from.data(), ones.data(), bytes.data(), blocks.data(), to.data(), parts.data(), dense_bytes.data(),
                  doubles.data(), all);
    for (int peer = 0; peer < here.size; ++peer) expect_dense(to, peer, peer, here.rank);
}

TEST_F(Collectives, GatherAndScatter) {
    auto const from = matrix(here.rank);
    auto const ranks = static_cast<std::size_t>(here.size);
    for (int root = 0; root < here.size; ++root) {
        auto to = nothing();
        MPI_Gather(from.data(), 1, block, to.data(), part, MPI_DOUBLE, root, all);
        if (here.rank == root)
            for (int peer = 0; peer < here.size; ++peer) expect_dense(to, peer, peer, 0);
        to = nothing();
        MPI_Scatter(from.data(), 1, block, to.data(), part, MPI_DOUBLE, root, all);
        expect_dense(to, 0, root, here.rank);

        std::vector<int> const ones(ranks, 1), parts(ranks, part);
        std::vector<int> backwards(ranks), dense(ranks);
        for (std::size_t i = 0; i < ranks; ++i) {
            backwards[i] = here.size - 1 - static_cast<int>(i);
            dense[i] = backwards[i] * part;
        }
        to = nothing();
        MPI_Gatherv(from.data(), 1, block, to.data(), parts.data(), dense.data(), MPI_DOUBLE, root, all);
        if (here.rank == root)
            for (int peer = 0; peer < here.size; ++peer) expect_dense(to, backwards[static_cast<std::size_t>(peer)], peer, 0);
        to = nothing();
        MPI_Scatterv(from.data(), ones.data(), backwards.data(), block, to.data(), part, MPI_DOUBLE, root, all);
        expect_dense(to, 0, root, here.size - 1 - here.rank);
    }
}

TEST_F(Collectives, InPlaceAtTheRoot) {
    auto to = nothing();
    auto const from = matrix(here.rank);
    for (int i = 0; i < part; ++i) to[static_cast<std::size_t>(i)] = value(here.rank, i / width, i % width);
    here.rank == 0 ? MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, to.data(), part, MPI_DOUBLE, 0, all)
                   : MPI_Gather(from.data(), 1, block, nullptr, 0, MPI_DATATYPE_NULL, 0, all);
    if (here.rank == 0)
        for (int peer = 0; peer < here.size; ++peer) expect_dense(to, peer, peer, 0);
}

TEST_F(Collectives, Allgathers) {
    auto const from = matrix(here.rank);
    auto const ranks = static_cast<std::size_t>(here.size);
    auto to = nothing();
    MPI_Allgather(from.data(), 1, block, to.data(), 1, block, all);
    for (int peer = 0; peer < here.size; ++peer) expect_columns(to, peer, peer, 0);
    std::vector<int> const ones(ranks, 1);
    std::vector<int> places(ranks);
    std::iota(places.begin(), places.end(), 0);
    to = nothing();
    MPI_Allgatherv(from.data(), 1, block, to.data(), ones.data(), places.data(), block, all);
    for (int peer = 0; peer < here.size; ++peer) expect_columns(to, peer, peer, 0);
    // In place: everybody has its own columns there already.
    to = matrix(here.rank);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, to.data(), 1, block, all);
    for (int peer = 0; peer < here.size; ++peer) expect_columns(to, peer, peer, peer);
}

TEST_F(Collectives, NeighboursOfATorus) {
    int const periodic = 1;
    MPI_Comm torus = MPI_COMM_NULL;
    MPI_Cart_create(all, 1, &here.size, &periodic, 0, &torus);
    auto const from = matrix(here.rank);
    std::vector<double> to(static_cast<std::size_t>(2 * part), untouched);
    // Columns 0 go down and the last ones up; with two ranks both neighbours are one, with one oneself.
    std::vector<int> const ones{1, 1}, parts{part, part};
    auto const last = static_cast<MPI_Aint>((here.size - 1) * width) * static_cast<MPI_Aint>(sizeof(double));
    std::vector<MPI_Aint> const places{0, last}, dense{0, part * static_cast<MPI_Aint>(sizeof(double))};
    std::vector<MPI_Datatype> const blocks{block, block}, doubles{MPI_DOUBLE, MPI_DOUBLE};
    MPI_Neighbor_alltoallw(from.data(), ones.data(), places.data(), blocks.data(), to.data(), parts.data(), dense.data(),
                           doubles.data(), torus);
    expect_dense(to, 0, here.left, here.size - 1);
    expect_dense(to, 1, here.right, 0);
    MPI_Comm_free(&torus);
}

// MPI forbids blocks of a receive buffer that overlap, and no MPI objects.
TEST_F(Collectives, OverlappingBlocks) {
    auto const n = static_cast<std::size_t>(here.size);
    std::vector<int> counts(n);
    std::vector<int> const places(n, 0);
    for (std::size_t i = 0; i < n; ++i) counts[i] = part * here.size >> (n - i - 1);
    for (bool const in_place : {false, true}) {
        std::vector<double> const from(elements, here.rank);
        auto to = in_place ? from : nothing();
        ASSERT_EQ(MPI_Allgatherv(in_place ? MPI_IN_PLACE : from.data(), counts[static_cast<std::size_t>(here.rank)], MPI_DOUBLE,
                                 to.data(), counts.data(), places.data(), MPI_DOUBLE, all),
                  MPI_SUCCESS);
        for (double const x : to) ASSERT_TRUE(in_place || (x >= 0 && x < here.size));
    }
}

} // namespace
} // namespace sode::internal::test
