// SPDX-License-Identifier: Apache-2.0
// MPI-4.0, chapter 5, by theme: structures, markers, places and strides below zero, blocks of nothing, nests, and all basic types.
// What types select is said here by hand, never by an MPI.
#include "travelling_types.hpp"

#include <array>
#include <numeric>

using namespace standard;

namespace {

// What a structure with padding selects, and how far the next one is.
void structures() {
    struct cell {
        char a;
        double b[2];
        short c;
    };
    int const lengths[3] = {1, 2, 1};
    MPI_Aint const at[3] = {offsetof(cell, a), offsetof(cell, b), offsetof(cell, c)};
    MPI_Datatype const types[3] = {MPI_CHAR, MPI_DOUBLE, MPI_SHORT};
    offsets one{0};
    for (auto const p : of_elements({8, 16}, 8)) one.push_back(p);
    for (auto const p : of_elements({24}, 2)) one.push_back(p);
    for (int const count : {1, 3, 700, 5000}) {
        MPI_Datatype t = MPI_DATATYPE_NULL, u = MPI_DATATYPE_NULL;
        MPI_Type_create_struct(3, lengths, at, types, &t);
        MPI_Type_create_resized(t, 0, sizeof(cell), &u);
        MPI_Type_free(&t);
        extents_are(u, 0, sizeof(cell), 0, 26, 19, "a structure");
        auto const all = repeated(one, count, sizeof(cell));
        travels(committed(u), all, MPI_DATATYPE_NULL, all, count, "structures");
    }
}

// Markers below the first and beyond the last byte, and an extent that is less than what is selected.
void markers() {
    MPI_Datatype t = MPI_DATATYPE_NULL, u = MPI_DATATYPE_NULL;
    offsets const one = of_elements({0, 24}, 4);
    for (auto const& [lb, extent] : std::vector<std::array<MPI_Aint, 2>>{{-16, 64}, {4, 28}, {0, 8}, {8, 4}, {-100, 52}}) {
        for (int const count : {2, 6, 2000}) {
            if (extent < 24 && count > 6) continue; // bytes that are selected twice cannot be received
            if (extent == 4 && count == 6) continue;
            MPI_Type_vector(2, 1, 6, MPI_INT, &t);
            MPI_Type_create_resized(t, lb, extent, &u);
            MPI_Type_free(&t);
            extents_are(u, lb, extent, 0, 28, 8, "resized");
            auto all = repeated(one, count, extent);
            auto sorted = all;
            std::ranges::sort(sorted);
            if (std::ranges::adjacent_find(sorted) != sorted.end()) {
                MPI_Type_free(&u);
                continue;
            }
            travels(committed(u), all, MPI_DATATYPE_NULL, all, count, "types with markers");
        }
    }
    // Nested: the markers of what is inside count.
    MPI_Type_create_resized(MPI_SHORT, -2, 10, &t);
    MPI_Type_contiguous(500, t, &u);
    MPI_Type_free(&t);
    extents_are(u, -2, 5000, 0, 4992, 1000, "nested markers");
    offsets places(500);
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<std::ptrdiff_t>(i) * 10;
    auto const all = of_elements(places, 2);
    travels(committed(u), repeated(all, 3, 5000), MPI_DATATYPE_NULL, repeated(all, 3, 5000), 3, "nested markers");
    // Of an extent of zero, sent to what lies apart.
    MPI_Type_create_resized(MPI_INT, 0, 0, &t);
    extents_are(t, 0, 0, 0, 4, 4, "no extent");
    offsets apart(2000);
    std::iota(apart.begin(), apart.end(), 0);
    travels(committed(t), repeated(of_elements({0}, 4), 500, 0), MPI_INT, apart, 500, "an extent of zero");
}

void backwards() {
    MPI_Datatype t = MPI_DATATYPE_NULL, u = MPI_DATATYPE_NULL;
    for (int const n : {3, 400, 9000}) {
        offsets places;
        for (int i = 0; i < n; ++i) places.push_back(-12 * i);
        MPI_Type_vector(n, 1, -3, MPI_INT, &t);
        extents_are(t, -12 * (n - 1), 12 * (n - 1) + 4, -12 * (n - 1), 12 * (n - 1) + 4, 4 * n, "a stride below zero");
        auto const all = repeated(of_elements(places, 4), 2, 12 * (n - 1) + 4);
        travels(committed(t), all, MPI_DATATYPE_NULL, all, 2, "a stride below zero");
        places.clear();
        for (int i = 0; i < n; ++i) places.push_back(-7 * i + 5);
        std::vector<MPI_Aint> const at(places.begin(), places.end());
        std::vector<int> const ones(at.size(), 1);
        MPI_Type_create_hindexed(n, ones.data(), at.data(), MPI_SHORT, &t);
        offsets dense(2 * static_cast<std::size_t>(n));
        std::iota(dense.begin(), dense.end(), 0);
        MPI_Type_contiguous(n, MPI_SHORT, &u);
        travels(committed(t), of_elements(places, 2), committed(u), dense, 1, "odd places below zero");
    }
}

// Blocks of nothing, in between and alone.
void empty_blocks() {
    int const lengths[6] = {0, 3, 0, 1, 0, 0}, at[6] = {900, 4, -70, 20, 5, 1000};
    MPI_Datatype t = MPI_DATATYPE_NULL, u = MPI_DATATYPE_NULL;
    MPI_Type_indexed(6, lengths, at, MPI_INT, &t);
    auto const one = of_elements({16, 20, 24, 80}, 4);
    for (int const count : {1, 1500}) {
        MPI_Type_create_resized(t, 0, 100, &u);
        extents_are(u, 0, 100, 16, 68, 16, "empty blocks");
        auto const all = repeated(one, count, 100);
        travels(committed(u), all, MPI_DATATYPE_NULL, all, count, "empty blocks");
    }
    MPI_Type_free(&t);
    MPI_Datatype none = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(0, MPI_DOUBLE, &none);
    MPI_Datatype const types[4] = {none, MPI_INT, none, MPI_CHAR};
    int const counts[4] = {7, 1000, 1, 5};
    MPI_Aint const places[4] = {8000, 0, -64, 4000};
    MPI_Type_create_struct(4, counts, places, types, &t);
    offsets all(4005);
    std::iota(all.begin(), all.end(), 0);
    travels(committed(t), all, MPI_DATATYPE_NULL, all, 1, "empty members");
    // Nothing at all, by every maker.
    int const zeros[2] = {0, 0}, sizes[2] = {0, 0};
    MPI_Aint const nowhere[2] = {0, 4};
    std::vector<MPI_Datatype> nothing(6, MPI_DATATYPE_NULL);
    MPI_Type_vector(0, 4, 5, MPI_INT, &nothing[0]);
    MPI_Type_vector(4, 0, 5, MPI_INT, &nothing[1]);
    MPI_Type_indexed(2, zeros, sizes, MPI_INT, &nothing[2]);
    MPI_Type_create_hindexed_block(0, 3, nowhere, MPI_INT, &nothing[3]);
    MPI_Type_create_struct(0, nullptr, nullptr, nullptr, &nothing[4]);
    MPI_Type_create_resized(none, -8, 64, &nothing[5]);
    for (auto& n : nothing) {
        MPI_Type_commit(&n);
        int word = 5, size = -1, got = -1;
        MPI_Status s;
        MPI_Type_size(n, &size);
        expect(size == 0, "the size of nothing");
        for (int i = 0; i < 4; ++i) {
            MPI_Sendrecv(&word, 100, n, right_of(), 1, &word, 100, n, left_of(), 1, MPI_COMM_WORLD, &s);
            MPI_Get_count(&s, MPI_INT, &got);
            expect(got == 0 && word == 5 && s.MPI_SOURCE == left_of(), "nothing came as something");
            MPI_Bcast(&word, 3, n, 0, MPI_COMM_WORLD);
        }
        MPI_Type_free(&n);
    }
    MPI_Type_free(&none);
}

// A type of a type of a type …
void nested() {
    offsets places{0};
    std::ptrdiff_t extent = 4;
    MPI_Datatype t = MPI_DATATYPE_NULL, u = MPI_DATATYPE_NULL;
    auto const next = [&](int n, std::ptrdiff_t step, std::ptrdiff_t new_extent) {
        offsets more;
        for (int i = 0; i < n; ++i)
            for (auto const p : places) more.push_back(p + i * step);
        places = more, extent = new_extent;
        if (t != MPI_DATATYPE_NULL) MPI_Type_free(&t);
        t = u;
    };
    MPI_Type_vector(3, 1, 2, MPI_INT, &u), next(3, 8, 20);
    MPI_Type_create_hvector(2, 1, 28, t, &u), next(2, 28, 48);
    int const at[3] = {2, 0, 5};
    MPI_Type_create_indexed_block(3, 1, at, t, &u);
    offsets more;
    for (int const a : at)
        for (auto const p : places) more.push_back(p + a * 48);
    next(0, 0, 0), places = more, extent = 6 * 48;
    MPI_Aint const lb[2] = {8, 600};
    int const counts[2] = {2, 1};
    MPI_Datatype const types[2] = {t, t};
    MPI_Type_create_struct(2, counts, lb, types, &u);
    more.clear();
    for (std::ptrdiff_t const a : {8, 8 + 288, 600})
        for (auto const p : places) more.push_back(p + a);
    next(0, 0, 0), places = more;
    MPI_Type_create_resized(t, 0, 1000, &u);
    next(0, 0, 0), places = more, extent = 1000;
    MPI_Type_contiguous(4, t, &u), next(4, 1000, 4000);
    MPI_Type_dup(t, &u);
    MPI_Type_free(&t);
    for (int const count : {1, 40}) {
        auto const all = repeated(of_elements(places, 4), count, 4000);
        MPI_Type_dup(u, &t);
        travels(committed(t), all, MPI_DATATYPE_NULL, all, count, "seven types deep");
    }
    MPI_Type_free(&u);
}

std::string named(MPI_Datatype t) {
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    MPI_Type_get_name(t, name, &length);
    return name;
}
// Basic types of Fortran, pairs, and those of C: each with gaps, in long messages. (Of a long double some bytes mean nothing.)
void basic_types() {
    std::vector<MPI_Datatype> all{MPI_SIGNED_CHAR,
                                  MPI_UNSIGNED_LONG_LONG,
                                  MPI_WCHAR,
                                  MPI_C_BOOL,
                                  MPI_INT8_T,
                                  MPI_UINT16_T,
                                  MPI_C_DOUBLE_COMPLEX,
                                  MPI_AINT,
                                  MPI_COUNT,
                                  MPI_OFFSET,
                                  MPI_FLOAT_INT,
                                  MPI_DOUBLE_INT,
                                  MPI_LONG_INT,
                                  MPI_SHORT_INT,
                                  MPI_2INT,
                                  MPI_BYTE,
                                  MPI_PACKED};
    for (auto const t : {MPI_INTEGER, MPI_REAL, MPI_DOUBLE_PRECISION, MPI_COMPLEX, MPI_DOUBLE_COMPLEX, MPI_LOGICAL, MPI_CHARACTER,
                         MPI_2INTEGER, MPI_2REAL, MPI_2DOUBLE_PRECISION, MPI_INTEGER1, MPI_INTEGER8, MPI_REAL4, MPI_REAL8})
        if (t != MPI_DATATYPE_NULL) all.push_back(t);
    MPI_Datatype f90 = MPI_DATATYPE_NULL;
    MPI_Type_create_f90_real(12, 100, &f90), all.push_back(f90);
    MPI_Type_create_f90_integer(7, &f90), all.push_back(f90);
    MPI_Type_create_f90_complex(6, 30, &f90), all.push_back(f90);
    MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &f90), all.push_back(f90);
    for (auto const basic : all) {
        int size = 0;
        MPI_Aint lb = 0, extent = 0;
        MPI_Type_size(basic, &size), MPI_Type_get_extent(basic, &lb, &extent);
        // Where the bytes of one lie, the MPI says, as pairs have gaps.
        offsets one;
        std::vector<unsigned char> marks(static_cast<std::size_t>(size)), memory(static_cast<std::size_t>(extent), 0);
        for (std::size_t i = 0; i < marks.size(); ++i) marks[i] = static_cast<unsigned char>(i + 1);
        int at = 0;
        MPI_Unpack(marks.data(), size, &at, memory.data(), 1, basic, MPI_COMM_WORLD);
        for (int k = 1; k <= size; ++k) one.push_back(std::ranges::find(memory, static_cast<unsigned char>(k)) - memory.begin());
        for (int const n : {1, 3000}) {
            MPI_Datatype t = MPI_DATATYPE_NULL, u = MPI_DATATYPE_NULL;
            MPI_Type_vector(n, 1, 3, basic, &t);
            MPI_Type_contiguous(n, basic, &u);
            travels(committed(t), repeated(one, n, 3 * extent), committed(u), repeated(one, n, extent), 1, named(basic).c_str());
        }
    }
}

} // namespace

int main(int argc, char** argv) {
    return run_themes(argc, argv,
                      {{"structures", structures},
                       {"markers", markers},
                       {"backwards", backwards},
                       {"empty_blocks", empty_blocks},
                       {"nested", nested},
                       {"basic_types", basic_types}});
}
