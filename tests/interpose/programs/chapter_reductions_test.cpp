// SPDX-License-Identifier: Apache-2.0
// MPI-4.0, section 6.9, by theme: operators that do not commute on types with gaps, the least place of equal values, and all of
// MPI's own operators on all kinds of types. What must come out is known.
#include "chapter_calls.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

using namespace standard;

namespace {

// 2 x 2 matrices modulo a prime, which do not commute; a type with a gap.
struct matrix {
    std::int32_t a[2];
    std::int32_t unused;
    std::int32_t b[2];
};
matrix product(matrix const& x, matrix const& y) {
    constexpr std::int64_t prime = 10007;
    auto const at = [&](std::int64_t p, std::int64_t q, std::int64_t r, std::int64_t s) {
        return static_cast<std::int32_t>((p * q + r * s) % prime);
    };
    return {{at(x.a[0], y.a[0], x.a[1], y.b[0]), at(x.a[0], y.a[1], x.a[1], y.b[1])},
            y.unused,
            {at(x.b[0], y.a[0], x.b[1], y.b[0]), at(x.b[0], y.a[1], x.b[1], y.b[1])}};
}
void multiply(void* in, void* inout, int* n, MPI_Datatype*) {
    auto const* const x = static_cast<matrix const*>(in);
    auto* const y = static_cast<matrix*>(inout);
    for (int k = 0; k < *n; ++k) y[k] = product(x[k], y[k]);
}
bool same(matrix const& x, matrix const& y) {
    return x.a[0] == y.a[0] && x.a[1] == y.a[1] && x.b[0] == y.b[0] && x.b[1] == y.b[1];
}
void ordered() {
    int const twos[2] = {2, 2};
    MPI_Aint const at[2] = {offsetof(matrix, a), offsetof(matrix, b)};
    MPI_Datatype const ints[2] = {MPI_INT32_T, MPI_INT32_T};
    MPI_Datatype t = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(2, twos, at, ints, &t), MPI_Type_commit(&t);
    MPI_Op op = MPI_OP_NULL;
    MPI_Op_create(&multiply, 0, &op);
    int commutes = 1;
    MPI_Op_commutative(op, &commutes);
    expect(commutes == 0, "an operator that does not commute");
    for (int const n : {1, 40, 1500}) {
        auto const m = static_cast<std::size_t>(n);
        auto const of = [&](int rank, int i, int k) { return matrix{{rank + 2 + i, k % 91 + 1}, 5, {rank * 3 + 1, i + k % 7}}; };
        std::vector<matrix> own(m * static_cast<std::size_t>(world_size)), got(own.size());
        for (int i = 0; i < rounds; ++i) {
            for (int k = 0; k < n * world_size; ++k) own[static_cast<std::size_t>(k)] = of(world_rank, i, k);
            auto const until = [&](int last, int k) { // of ranks 0 … last
                matrix x = of(0, i, k);
                for (int r = 1; r <= last; ++r) x = product(x, of(r, i, k));
                return x;
            };
            auto const k = n - 1;
            int const root = i % world_size;
            both(i, [&](MPI_Request* r) {
                r != nullptr ? MPI_Iallreduce(own.data(), got.data(), n, t, op, MPI_COMM_WORLD, r)
                             : MPI_Allreduce(own.data(), got.data(), n, t, op, MPI_COMM_WORLD);
            });
            expect(same(got[m - 1], until(world_size - 1, k)), "an ordered allreduce");
            got[m - 1] = {};
            both(i, [&](MPI_Request* r) {
                r != nullptr ? MPI_Ireduce(own.data(), got.data(), n, t, op, root, MPI_COMM_WORLD, r)
                             : MPI_Reduce(own.data(), got.data(), n, t, op, root, MPI_COMM_WORLD);
            });
            expect(root != world_rank || same(got[m - 1], until(world_size - 1, k)), "an ordered reduce");
            both(i, [&](MPI_Request* r) {
                r != nullptr ? MPI_Iscan(own.data(), got.data(), n, t, op, MPI_COMM_WORLD, r)
                             : MPI_Scan(own.data(), got.data(), n, t, op, MPI_COMM_WORLD);
            });
            expect(same(got[m - 1], until(world_rank, k)), "an ordered scan");
            got[m - 1] = {};
            both(i, [&](MPI_Request* r) {
                r != nullptr ? MPI_Iexscan(own.data(), got.data(), n, t, op, MPI_COMM_WORLD, r)
                             : MPI_Exscan(own.data(), got.data(), n, t, op, MPI_COMM_WORLD);
            });
            expect(world_rank == 0 || same(got[m - 1], until(world_rank - 1, k)), "an ordered exscan");
            both(i, [&](MPI_Request* r) {
                r != nullptr ? MPI_Ireduce_scatter_block(own.data(), got.data(), n, t, op, MPI_COMM_WORLD, r)
                             : MPI_Reduce_scatter_block(own.data(), got.data(), n, t, op, MPI_COMM_WORLD);
            });
            expect(same(got[m - 1], until(world_size - 1, n * world_rank + k)), "an ordered reduce-scatter");
            std::vector<matrix> pair{of(1, i, 0)};
            MPI_Reduce_local(own.data(), pair.data(), 1, t, op);
            expect(same(pair[0], product(own[0], of(1, i, 0))), "a local reduction");
        }
    }
    MPI_Op_free(&op), MPI_Type_free(&t);
}

// Of equal values the least place counts.
void places() {
    struct at {
        double value;
        int place;
    };
    for (int const n : {1, 30, 2000})
        for (int i = 0; i < rounds; ++i) {
            auto const m = static_cast<std::size_t>(n);
            std::vector<at> own(m), got(m);
            std::vector<std::array<int, 2>> pairs(m), least(m);
            for (int k = 0; k < n; ++k)
                own[static_cast<std::size_t>(k)] = {static_cast<double>((world_rank / 2 + k + i) % 2), 1000 - world_rank},
                pairs[static_cast<std::size_t>(k)] = {world_rank / 2 + i, world_rank * 10 + k};
            both(i, [&](MPI_Request* r) {
                r != nullptr ? MPI_Iallreduce(own.data(), got.data(), n, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD, r)
                             : MPI_Allreduce(own.data(), got.data(), n, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
            });
            both(i, [&](MPI_Request* r) {
                r != nullptr ? MPI_Iscan(pairs.data(), least.data(), n, MPI_2INT, MPI_MINLOC, MPI_COMM_WORLD, r)
                             : MPI_Scan(pairs.data(), least.data(), n, MPI_2INT, MPI_MINLOC, MPI_COMM_WORLD);
            });
            for (int k = 0; k < n; ++k) {
                at right{-1, 0};
                for (int r = 0; r < world_size; ++r) {
                    double const v = static_cast<double>((r / 2 + k + i) % 2);
                    if (v > right.value || (v == right.value && 1000 - r < right.place)) right = {v, 1000 - r};
                }
                auto const x = static_cast<std::size_t>(k);
                expect(got[x].value == right.value && got[x].place == right.place, "the place of the largest");
                expect(least[x][0] == i && least[x][1] == k, "the place of the least so far");
            }
        }
}

// Each predefined operator on types of all its classes.
template <class T> void combined(MPI_Datatype type, bool logical, bool bits) {
    struct {
        MPI_Op op;
        T (*of)(T, T);
    } const ops[] = {{MPI_SUM, [](T a, T b) { return static_cast<T>(a + b); }},
                     {MPI_PROD, [](T a, T b) { return static_cast<T>(a * b); }},
                     {MPI_MAX, [](T a, T b) { return std::max(a, b); }},
                     {MPI_MIN, [](T a, T b) { return std::min(a, b); }},
                     {MPI_LAND, [](T a, T b) { return static_cast<T>(a != 0 && b != 0); }},
                     {MPI_LOR, [](T a, T b) { return static_cast<T>(a != 0 || b != 0); }},
                     {MPI_LXOR, [](T a, T b) { return static_cast<T>((a != 0) != (b != 0)); }},
                     {MPI_BAND,
                      [](T a, T b) {
                          if constexpr (std::is_integral_v<T>)
                              return static_cast<T>(a & b);
                          else
                              return a;
                      }},
                     {MPI_BOR,
                      [](T a, T b) {
                          if constexpr (std::is_integral_v<T>)
                              return static_cast<T>(a | b);
                          else
                              return a;
                      }},
                     {MPI_BXOR, [](T a, T b) {
                          if constexpr (std::is_integral_v<T>)
                              return static_cast<T>(a ^ b);
                          else
                              return a;
                      }}};
    for (std::size_t o = 0; o < std::size(ops); ++o) {
        if ((o >= 4 && o < 7 && !logical) || (o >= 7 && !bits)) continue;
        for (int const n : {1, 700}) {
            std::vector<T> own(static_cast<std::size_t>(n)), got(own.size());
            for (int i = 0; i < 6; ++i) { // a plan from the third on, of a communicator that has been used before
                auto const of = [&](int rank, int k) { return static_cast<T>((rank * 5 + k * 3 + i) % 4); };
                for (int k = 0; k < n; ++k) own[static_cast<std::size_t>(k)] = of(world_rank, k);
                MPI_Allreduce(own.data(), got.data(), n, type, ops[o].op, MPI_COMM_WORLD);
                for (int k = 0; k < n; k += 7) {
                    T right = of(0, k);
                    for (int r = 1; r < world_size; ++r) right = ops[o].of(right, of(r, k));
                    expect(got[static_cast<std::size_t>(k)] == right, "operator " + std::to_string(o));
                }
            }
        }
    }
}
void operators() {
    combined<signed char>(MPI_SIGNED_CHAR, true, true), combined<unsigned char>(MPI_UNSIGNED_CHAR, true, true);
    combined<short>(MPI_SHORT, true, true), combined<int>(MPI_INT, true, true), combined<long>(MPI_LONG, true, true);
    combined<std::uint64_t>(MPI_UINT64_T, true, true), combined<float>(MPI_FLOAT, false, false),
        combined<double>(MPI_DOUBLE, false, false);
    combined<int>(MPI_INTEGER, false, true), combined<double>(MPI_DOUBLE_PRECISION, false, false),
        combined<float>(MPI_REAL, false, false);
    combined<MPI_Aint>(MPI_AINT, false, true), combined<MPI_Offset>(MPI_OFFSET, false, true);
}

} // namespace

int main(int argc, char** argv) {
    return run_themes(argc, argv, {{"ordered", ordered}, {"places", places}, {"operators", operators}});
}
