// SPDX-License-Identifier: Apache-2.0
// MPI-4.0, chapter 5, by theme: subarrays and distributed arrays, types that are taken apart and made anew, and packed messages.
// What types select is said here by hand, never by an MPI.
#include "travelling_types.hpp"

#include <numeric>
#include <random>

using namespace standard;

namespace {

// An array of up to four dimensions, of both orders, against its own enumeration.
void subarrays() {
    std::mt19937 chance{7};
    auto const pick = [&](int a, int b) { return std::uniform_int_distribution<int>{a, b}(chance); };
    for (int i = 0; i < 24; ++i) {
        int const d = i % 4 + 1;
        int sizes[4], part[4], at[4];
        int all = 1;
        for (int k = 0; k < d; ++k) {
            sizes[k] = pick(1, d == 1 ? 5000 : d == 2 ? 90 : 14);
            part[k] = pick(1, sizes[k]), at[k] = pick(0, sizes[k] - part[k]);
            all *= sizes[k];
        }
        bool const fortran = i / 4 % 2 == 1;
        MPI_Datatype t = MPI_DATATYPE_NULL;
        MPI_Type_create_subarray(d, sizes, part, at, fortran ? MPI_ORDER_FORTRAN : MPI_ORDER_C, MPI_FLOAT, &t);
        offsets places;
        for (int e = 0; e < all; ++e) { // in memory order, which is that of the map
            bool in = true;
            for (int k = 0, rest = e; k < d; ++k) {
                int const dim = fortran ? k : d - 1 - k;
                int const x = rest % sizes[dim];
                rest /= sizes[dim];
                in = in && x >= at[dim] && x < at[dim] + part[dim];
            }
            if (in) places.push_back(4 * e);
        }
        MPI_Aint lb = 0, extent = 0;
        MPI_Type_get_extent(t, &lb, &extent);
        expect(lb == 0 && extent == 4 * all, "the extent of a subarray");
        auto const bytes = repeated(of_elements(places, 4), 2, extent);
        travels(committed(t), bytes, MPI_DATATYPE_NULL, bytes, 2, "a subarray");
    }
}

// Block, cyclic(k) and none, in two dimensions and both orders; the parts of all ranks make the whole array, each element once.
void distributed() {
    int const gsizes[2] = {23, 37};
    struct how {
        int kind, argument;
    };
    std::vector<how> const kinds{{MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_DFLT_DARG},
                                 {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_DFLT_DARG},
                                 {MPI_DISTRIBUTE_CYCLIC, 3},
                                 {MPI_DISTRIBUTE_BLOCK, 20},
                                 {MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_DFLT_DARG}};
    auto const owns = [](how h, int x, int n, int p, int me) {
        if (h.kind == MPI_DISTRIBUTE_NONE) return true;
        bool const usual = h.argument == MPI_DISTRIBUTE_DFLT_DARG;
        int const k = h.kind == MPI_DISTRIBUTE_BLOCK ? (usual ? (n + p - 1) / p : h.argument) : (usual ? 1 : h.argument);
        return x / k % p == me;
    };
    for (auto const& a : kinds)
        for (auto const& b : kinds)
            for (bool const fortran : {false, true}) {
                int const grid[2] = {a.kind == MPI_DISTRIBUTE_NONE ? 1 : 2, b.kind == MPI_DISTRIBUTE_NONE ? 1 : 2};
                int const p = grid[0] * grid[1];
                int const which[2] = {a.kind, b.kind}, arguments[2] = {a.argument, b.argument};
                std::vector<int> seen(23 * 37, 0);
                for (int r = 0; r < p; ++r) {
                    MPI_Datatype t = MPI_DATATYPE_NULL, dense = MPI_DATATYPE_NULL;
                    MPI_Type_create_darray(p, r, 2, gsizes, which, arguments, grid, fortran ? MPI_ORDER_FORTRAN : MPI_ORDER_C,
                                           MPI_INT, &t);
                    offsets places;
                    for (int e = 0; e < 23 * 37; ++e) {
                        int const x = fortran ? e % 23 : e / 37, y = fortran ? e / 23 : e % 37;
                        if (owns(a, x, 23, grid[0], r / grid[1]) && owns(b, y, 37, grid[1], r % grid[1])) // ranks in order of rows
                            places.push_back(4 * e), ++seen[static_cast<std::size_t>(e)];
                    }
                    MPI_Aint lb = 0, extent = 0;
                    MPI_Type_get_extent(t, &lb, &extent);
                    expect(lb == 0 && extent == 23 * 37 * 4, "the extent of a distributed array");
                    offsets together(places.size() * 4);
                    std::iota(together.begin(), together.end(), 0);
                    MPI_Type_contiguous(static_cast<int>(places.size()), MPI_INT, &dense);
                    travels(committed(t), of_elements(places, 4), committed(dense), together, 1, "a distributed array");
                }
                expect(std::ranges::all_of(seen, [](int n) { return n == 1; }), "each element once");
            }
}

// Types are taken apart and made anew; what comes out selects the same.
MPI_Datatype rebuilt(MPI_Datatype t) {
    int ni = 0, na = 0, nd = 0, combiner = 0;
    MPI_Type_get_envelope(t, &ni, &na, &nd, &combiner);
    if (combiner == MPI_COMBINER_NAMED) return t;
    std::vector<int> i(static_cast<std::size_t>(ni) + 1);
    std::vector<MPI_Aint> a(static_cast<std::size_t>(na) + 1);
    std::vector<MPI_Datatype> d(static_cast<std::size_t>(nd) + 1);
    MPI_Type_get_contents(t, ni, na, nd, i.data(), a.data(), d.data());
    std::vector<MPI_Datatype> inside;
    for (int k = 0; k < nd; ++k) inside.push_back(rebuilt(d[static_cast<std::size_t>(k)]));
    MPI_Datatype made = MPI_DATATYPE_NULL;
    int const n = i[0];
    switch (combiner) {
    case MPI_COMBINER_DUP: MPI_Type_dup(inside[0], &made); break;
    case MPI_COMBINER_CONTIGUOUS: MPI_Type_contiguous(n, inside[0], &made); break;
    case MPI_COMBINER_VECTOR: MPI_Type_vector(n, i[1], i[2], inside[0], &made); break;
    case MPI_COMBINER_HVECTOR: MPI_Type_create_hvector(n, i[1], a[0], inside[0], &made); break;
    case MPI_COMBINER_INDEXED: MPI_Type_indexed(n, &i[1], &i[static_cast<std::size_t>(n) + 1], inside[0], &made); break;
    case MPI_COMBINER_HINDEXED: MPI_Type_create_hindexed(n, &i[1], a.data(), inside[0], &made); break;
    case MPI_COMBINER_INDEXED_BLOCK: MPI_Type_create_indexed_block(n, i[1], &i[2], inside[0], &made); break;
    case MPI_COMBINER_HINDEXED_BLOCK: MPI_Type_create_hindexed_block(n, i[1], a.data(), inside[0], &made); break;
    case MPI_COMBINER_STRUCT: MPI_Type_create_struct(n, &i[1], a.data(), inside.data(), &made); break;
    case MPI_COMBINER_RESIZED: MPI_Type_create_resized(inside[0], a[0], a[1], &made); break;
    case MPI_COMBINER_SUBARRAY: {
        auto const m = static_cast<std::size_t>(n);
        MPI_Type_create_subarray(n, &i[1], &i[m + 1], &i[2 * m + 1], i[3 * m + 1], inside[0], &made);
        break;
    }
    case MPI_COMBINER_DARRAY: {
        auto const m = static_cast<std::size_t>(i[2]);
        MPI_Type_create_darray(i[0], i[1], i[2], &i[3], &i[m + 3], &i[2 * m + 3], &i[3 * m + 3], i[4 * m + 3], inside[0], &made);
        break;
    }
    default: fail("a combiner that nobody asked for");
    }
    for (int k = 0; k < nd; ++k) {
        auto const x = static_cast<std::size_t>(k);
        int a1 = 0, a2 = 0, a3 = 0, c = 0;
        MPI_Type_get_envelope(d[x], &a1, &a2, &a3, &c);
        if (c != MPI_COMBINER_NAMED) MPI_Type_free(&d[x]);
        MPI_Type_get_envelope(inside[x], &a1, &a2, &a3, &c);
        if (c != MPI_COMBINER_NAMED) MPI_Type_free(&inside[x]);
    }
    return made;
}
void taken_apart() {
    int const lengths[3] = {2, 1, 3}, at[3] = {7, 0, 11};
    MPI_Aint const bytes[3] = {40, 0, 96};
    int const sizes[2] = {20, 30}, part[2] = {5, 7}, starts[2] = {3, 9}, grid[2] = {2, 1};
    int const kinds[2] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE}, arguments[2] = {2, MPI_DISTRIBUTE_DFLT_DARG};
    std::vector<MPI_Datatype> all(12, MPI_DATATYPE_NULL);
    MPI_Type_dup(MPI_DOUBLE, &all[0]);
    MPI_Type_contiguous(300, all[0], &all[1]);
    MPI_Type_vector(200, 2, 3, MPI_INT, &all[2]);
    MPI_Type_create_hvector(30, 1, 5000, all[2], &all[3]);
    MPI_Type_indexed(3, lengths, at, all[2], &all[4]);
    MPI_Type_create_hindexed(3, lengths, bytes, MPI_SHORT, &all[5]);
    MPI_Type_create_indexed_block(3, 2, at, all[5], &all[6]);
    MPI_Type_create_hindexed_block(3, 2, bytes, MPI_FLOAT, &all[7]);
    MPI_Datatype const members[3] = {all[7], MPI_CHAR, all[5]};
    MPI_Aint const apart[3] = {0, 3000, 4000};
    MPI_Type_create_struct(3, lengths, apart, members, &all[8]);
    MPI_Type_create_resized(all[8], -8, 6000, &all[9]);
    MPI_Type_create_subarray(2, sizes, part, starts, MPI_ORDER_FORTRAN, all[0], &all[10]);
    MPI_Type_create_darray(2, 1, 2, sizes, kinds, arguments, grid, MPI_ORDER_C, all[0], &all[11]);
    for (auto& t : all) {
        MPI_Type_commit(&t);
        MPI_Datatype again = rebuilt(t);
        MPI_Type_commit(&again);
        MPI_Type_commit(&again); // nothing happens
        MPI_Aint lb = 0, extent = 0, lb2 = 0, extent2 = 0;
        MPI_Type_get_extent(t, &lb, &extent), MPI_Type_get_extent(again, &lb2, &extent2);
        expect(lb == lb2 && extent == extent2, "the extent of what was made anew");
        int room = 0;
        MPI_Pack_size(1, t, MPI_COMM_WORLD, &room);
        MPI_Aint tl = 0, te = 0;
        MPI_Type_get_true_extent(t, &tl, &te);
        std::vector<unsigned char> from(static_cast<std::size_t>(te)), to(from.size()), right(from.size()),
            packed(static_cast<std::size_t>(room));
        for (int i = 0; i < 6; ++i) {
            for (std::size_t k = 0; k < from.size(); ++k) from[k] = value(0, i, static_cast<std::ptrdiff_t>(k));
            std::ranges::fill(to, 1), std::ranges::fill(right, 1);
            int used = 0, read = 0;
            MPI_Pack(from.data() - tl, 1, t, packed.data(), room, &used, MPI_COMM_WORLD);
            MPI_Unpack(packed.data(), used, &read, right.data() - tl, 1, again, MPI_COMM_WORLD);
            MPI_Sendrecv(from.data() - tl, 1, i % 2 == 0 ? t : again, right_of(), 1, to.data() - tl, 1, i % 2 == 0 ? again : t,
                         left_of(), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            expect(to == right, "what was made anew");
        }
        MPI_Type_free(&again);
    }
    for (auto& t : all) MPI_Type_free(&t);
}

// Packed in pieces, sent as MPI_PACKED, received by types; and the other way; and external32.
void packed() {
    constexpr int n = 3000;
    auto const type = every_other(n);
    std::vector<int> from(2 * n), to(2 * n);
    std::vector<double> numbers(50), back(50);
    int a = 0, b = 0;
    MPI_Pack_size(1, type, MPI_COMM_WORLD, &a), MPI_Pack_size(50, MPI_DOUBLE, MPI_COMM_WORLD, &b);
    expect(a >= 4 * n && b >= 400, "the room for what is packed");
    std::vector<char> room(static_cast<std::size_t>(a + b));
    for (int i = 0; i < rounds; ++i) {
        for (int k = 0; k < 2 * n; ++k) from[static_cast<std::size_t>(k)] = world_rank * 10000 + i + k;
        std::ranges::fill(numbers, world_rank + i * 0.5), std::ranges::fill(to, -1);
        int used = 0, read = 0, length = 0;
        MPI_Status s;
        MPI_Pack(from.data(), 1, type, room.data(), a + b, &used, MPI_COMM_WORLD);
        int const first = used;
        MPI_Pack(numbers.data(), 50, MPI_DOUBLE, room.data(), a + b, &used, MPI_COMM_WORLD);
        std::vector<char> got(room.size());
        MPI_Sendrecv(room.data(), used, MPI_PACKED, right_of(), 1, got.data(), a + b, MPI_PACKED, left_of(), 1, MPI_COMM_WORLD, &s);
        MPI_Get_count(&s, MPI_PACKED, &length);
        expect(length == used, "the length of what is packed");
        MPI_Unpack(got.data(), length, &read, to.data(), 1, type, MPI_COMM_WORLD);
        MPI_Unpack(got.data(), length, &read, back.data(), 50, MPI_DOUBLE, MPI_COMM_WORLD);
        expect(to[2 * n - 2] == left_of() * 10000 + i + 2 * n - 2 && to[1] == -1 && back[49] == left_of() + i * 0.5,
               "what was packed");
        std::ranges::fill(to, -1);
        MPI_Sendrecv(room.data(), first, MPI_PACKED, right_of(), 2, to.data(), 1, type, left_of(), 2, MPI_COMM_WORLD, &s);
        expect(to[0] == left_of() * 10000 + i && to[3] == -1, "packed, received by a type");
        MPI_Sendrecv(from.data(), 1, type, right_of(), 3, got.data(), a, MPI_PACKED, left_of(), 3, MPI_COMM_WORLD, &s);
        MPI_Get_count(&s, MPI_PACKED, &length);
        read = 0;
        std::ranges::fill(to, -1);
        MPI_Unpack(got.data(), length, &read, to.data(), 1, type, MPI_COMM_WORLD);
        expect(to[2] == left_of() * 10000 + i + 2, "a type, received packed");
    }
    MPI_Aint bytes = 0, position = 0;
    MPI_Pack_external_size("external32", 1, type, &bytes);
    expect(bytes == 4 * n, "the size in external32");
    std::vector<unsigned char> external(static_cast<std::size_t>(bytes));
    from[0] = 0x01020304;
    MPI_Pack_external("external32", from.data(), 1, type, external.data(), bytes, &position);
    expect(position == bytes && external[0] == 1 && external[3] == 4, "external32 is big-endian");
    position = 0;
    MPI_Unpack_external("external32", external.data(), bytes, &position, to.data(), 1, type);
    expect(to[0] == 0x01020304 && to[2 * n - 2] == from[2 * n - 2], "back from external32");
    auto t = type;
    MPI_Type_free(&t);
}

} // namespace

int main(int argc, char** argv) {
    return run_themes(argc, argv,
                      {{"subarrays", subarrays}, {"distributed", distributed}, {"taken_apart", taken_apart}, {"packed", packed}});
}
