// SPDX-License-Identifier: Apache-2.0
#pragma once
// What chance draws of: elements and operators of MPI, layouts of what is moved, and the MPI behind the layer.
#include "plain_mpi.hpp"

#include <mpi.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace any {

inline int world_rank = 0;
inline unsigned test_seed = 1;
inline std::string at_work;

inline long number_of(char const* name, long usual) {
    char const* const said = std::getenv(name);
    return said == nullptr ? usual : std::atol(said);
}

[[noreturn]] inline void fail(std::string const& what) {
    std::fprintf(stderr, "rank %d: wrong: %s: %s (TEST_SEED=%u)\n", world_rank, at_work.c_str(), what.c_str(), test_seed);
    std::abort();
}

using bytes = std::vector<unsigned char>;
struct chance {
    explicit chance(unsigned seed) : engine(seed) {}
    unsigned operator()() { return static_cast<unsigned>(engine()); }
    std::mt19937 engine;
};
inline int pick(chance& c, int from, int to) {
    return from + static_cast<int>(c() % static_cast<unsigned>(to - from + 1));
}

struct place {
    MPI_Comm communicator = MPI_COMM_NULL;
    std::string name;
    int rank = 0, size = 1, others = 1; // others: of the other group
    bool inter = false;
    std::vector<int> sources{}, targets{}; // numbers of neighbours
    bool topology = false;
};

inline place place_of(MPI_Comm c, std::string name) {
    place p{.communicator = c, .name = std::move(name)};
    int inter = 0;
    MPI_Comm_rank(c, &p.rank);
    MPI_Comm_size(c, &p.size);
    MPI_Comm_test_inter(c, &inter);
    p.inter = inter != 0;
    p.others = p.size;
    if (p.inter) MPI_Comm_remote_size(c, &p.others);
    return p;
}

// Elements of a reduction.
struct element {
    MPI_Datatype type;
    char const* name;
    int extent;
    std::vector<std::pair<int, int>> says; // bytes that mean something: from, to
    std::function<void(unsigned char*, unsigned)> fill;
    std::vector<MPI_Op> ops;
    bool users = false;
};

template <class T> T of_number(unsigned i) {
    if constexpr (std::is_class_v<T>)
        return T(static_cast<typename T::value_type>(i));
    else
        return static_cast<T>(i);
}
template <class T> element number(MPI_Datatype t, char const* name, std::vector<MPI_Op> ops, unsigned most = 5) {
    int const meant = std::is_same_v<T, long double> ? 10 : static_cast<int>(sizeof(T));
    return {t,
            name,
            static_cast<int>(sizeof(T)),
            {{0, meant}},
            [most](unsigned char* at, unsigned i) {
                T const v = of_number<T>(i % most);
                std::memcpy(at, &v, sizeof v);
            },
            std::move(ops)};
}
template <class T> element wide(MPI_Datatype t, char const* name, std::vector<MPI_Op> ops) {
    return {t,
            name,
            static_cast<int>(sizeof(T)),
            {{0, static_cast<int>(sizeof(T))}},
            [](unsigned char* at, unsigned i) {
                T const v = static_cast<T>(i * 2654435761U);
                std::memcpy(at, &v, sizeof v);
            },
            std::move(ops)};
}
template <class V> element pair(MPI_Datatype t, char const* name) {
    struct both {
        V value;
        int index;
    };
    int const at = static_cast<int>(offsetof(both, index)),
              meant = std::is_same_v<V, long double> ? 10 : static_cast<int>(sizeof(V));
    return {t,
            name,
            static_cast<int>(sizeof(both)),
            {{0, meant}, {at, at + 4}},
            [](unsigned char* to, unsigned i) {
                both b{};
                b.value = static_cast<V>(i % 3);
                b.index = static_cast<int>(i % 7);
                std::memcpy(to, &b, sizeof b);
            },
            {MPI_MAXLOC, MPI_MINLOC}};
}

// x -> a x + b: does not commute.
inline void compose(void* in, void* inout, int* n, MPI_Datatype*) {
    auto const* const f = static_cast<unsigned const*>(in);
    auto* const g = static_cast<unsigned*>(inout);
    for (int i = 0; i < 2 * *n; i += 2) {
        unsigned const a = f[i] * g[i], b = f[i] * g[i + 1] + f[i + 1];
        g[i] = a, g[i + 1] = b;
    }
}
inline void add(void* in, void* inout, int* n, MPI_Datatype*) {
    auto const* const f = static_cast<unsigned const*>(in);
    auto* const g = static_cast<unsigned*>(inout);
    for (int i = 0; i < 2 * *n; ++i) g[i] += f[i];
}

inline std::vector<element> elements() {
    std::vector<MPI_Op> const whole{MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN, MPI_LAND, MPI_LOR, MPI_LXOR, MPI_BAND, MPI_BOR, MPI_BXOR};
    std::vector<MPI_Op> const real{MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN}, logical{MPI_LAND, MPI_LOR, MPI_LXOR};
    std::vector<MPI_Op> const bits{MPI_BAND, MPI_BOR, MPI_BXOR}, ring{MPI_SUM, MPI_PROD};
    std::vector<element> all{
        wide<int>(MPI_INT, "int", whole),
        wide<long>(MPI_LONG, "long", whole),
        number<short>(MPI_SHORT, "short", whole),
        wide<long long>(MPI_LONG_LONG, "long long", whole),
        number<signed char>(MPI_SIGNED_CHAR, "signed char", whole),
        number<unsigned char>(MPI_UNSIGNED_CHAR, "unsigned char", whole),
        number<unsigned short>(MPI_UNSIGNED_SHORT, "unsigned short", whole),
        number<unsigned>(MPI_UNSIGNED, "unsigned", whole), // small: the MPI_MAX of MPICH 4.0 compares as if there were a sign
        number<unsigned long>(MPI_UNSIGNED_LONG, "unsigned long", whole),
        number<std::int8_t>(MPI_INT8_T, "int8", whole),
        wide<std::int32_t>(MPI_INT32_T, "int32", whole),
        number<std::uint64_t>(MPI_UINT64_T, "uint64", whole),
        wide<MPI_Aint>(MPI_AINT, "aint", real),
        wide<MPI_Offset>(MPI_OFFSET, "offset", real),
        wide<MPI_Count>(MPI_COUNT, "count", real),
        number<float>(MPI_FLOAT, "float", real),
        number<double>(MPI_DOUBLE, "double", real),
        number<long double>(MPI_LONG_DOUBLE, "long double", real),
        number<std::complex<float>>(MPI_C_FLOAT_COMPLEX, "complex", ring),
        number<std::complex<double>>(MPI_C_DOUBLE_COMPLEX, "double complex", ring),
        number<bool>(MPI_C_BOOL, "bool", logical, 2),
        wide<unsigned char>(MPI_BYTE, "byte", bits),
        pair<float>(MPI_FLOAT_INT, "float_int"),
        pair<double>(MPI_DOUBLE_INT, "double_int"),
        pair<long>(MPI_LONG_INT, "long_int"),
        pair<int>(MPI_2INT, "2int"),
        pair<short>(MPI_SHORT_INT, "short_int"),
        pair<long double>(MPI_LONG_DOUBLE_INT, "long_double_int"),
    };
    MPI_Datatype two = MPI_DATATYPE_NULL, apart = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(2, MPI_UNSIGNED, &two);
    MPI_Type_create_resized(two, 0, 12, &apart);
    MPI_Type_commit(&two);
    MPI_Type_commit(&apart);
    MPI_Op f = MPI_OP_NULL, g = MPI_OP_NULL;
    MPI_Op_create(&compose, 0, &f);
    MPI_Op_create(&add, 1, &g);
    auto own = wide<std::uint64_t>(two, "two words", {f, g});
    own.users = true;
    all.push_back(own);
    return all;
}

// Where the blocks of a rank lie that are moved: its own affair.
struct layout {
    MPI_Datatype type = MPI_INT;
    int count = 0;
    MPI_Aint stride = 0; // from block to block
    bool absolute = false, made = false;
    void free() {
        if (made) MPI_Type_free(&type);
    }
};
inline layout lay(int variant, int n, MPI_Datatype of, int extent, void* memory) {
    layout l{.type = of, .count = n, .stride = static_cast<MPI_Aint>(n) * extent, .made = true};
    if (variant == 0 || n == 0) {
        l.made = false;
        return l;
    }
    MPI_Datatype inner = MPI_DATATYPE_NULL;
    MPI_Aint const e = extent;
    l.count = 1;
    switch (variant) {
    case 1: MPI_Type_contiguous(n, of, &l.type); break;
    case 2: // each element apart
        MPI_Type_create_resized(of, 0, 2 * e, &l.type);
        l.count = n, l.stride = 2 * e * n;
        break;
    case 3:
        MPI_Type_vector(n, 1, 3, of, &inner);
        MPI_Type_create_resized(inner, 0, 3 * e * n, &l.type);
        l.stride = 3 * e * n;
        break;
    case 4: // begins before its address
        MPI_Type_create_resized(of, -e, 3 * e, &l.type);
        l.count = n, l.stride = 3 * e * n;
        break;
    case 5: { // begins behind it
        MPI_Aint const at = e;
        MPI_Type_create_hindexed(1, &n, &at, of, &inner);
        MPI_Type_create_resized(inner, 0, e * (n + 2), &l.type);
        l.stride = e * (n + 2);
        break;
    }
    case 6: MPI_Type_dup(of, &l.type), l.count = n; break;
    default: {
        MPI_Aint at = 0;
        MPI_Get_address(memory, &at);
        MPI_Type_create_hindexed(1, &n, &at, of, &inner);
        MPI_Type_create_resized(inner, 0, e * n, &l.type);
        l.absolute = true;
    }
    }
    if (inner != MPI_DATATYPE_NULL) MPI_Type_free(&inner);
    MPI_Type_commit(&l.type);
    return l;
}

} // namespace any
