// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <mpi.h>

namespace sode::internal::interpose {

/// No predefined datatype is longer (long double complex).
inline constexpr MPI_Count longest_predefined = 32;

/// Whether the datatype is one of MPI's own, without a call: true for the common ones, never for a derived one.
[[nodiscard]] inline bool surely_predefined(MPI_Datatype type) noexcept {
#if defined(OPEN_MPI)
    // Addresses of objects, and no range of them: a program may have copies of those that it names.
    return type == MPI_DOUBLE || type == MPI_BYTE || type == MPI_INT || type == MPI_CHAR || type == MPI_FLOAT;
#else
    // MPICH's handles say what they are: the two highest bits are 1 for what is built in.
    constexpr std::uint32_t kind = 0xc0000000, built_in = 0x40000000;
    return (static_cast<std::uint32_t>(type) & kind) == built_in;
#endif
}

#if defined(OPEN_MPI)
/// The basic datatypes and their lengths, by a part of their addresses. Few, if any, are missing because another one has their
/// place.
struct predefined_types {
    struct one {
        MPI_Datatype type = nullptr;
        MPI_Count bytes = -1;
    };
    static constexpr int bits = 8;
    std::array<one, 1U << bits> all{};

    [[nodiscard]] static std::size_t place(MPI_Datatype type) noexcept {
        return reinterpret_cast<std::uintptr_t>(type) * 0x9E3779B97F4A7C15U >> (64 - bits);
    }
};
inline constinit predefined_types known_predefined;
#endif

/// Makes bytes_of_predefined() know them. After MPI_Init, and before there are two threads.
void learn_predefined();

/// Bytes of one element of a basic datatype, whose elements have no gaps; -1 for others, and before learn_predefined(). Without a
/// call.
[[nodiscard, gnu::always_inline]] inline MPI_Count bytes_of_predefined(MPI_Datatype type) noexcept {
#if defined(OPEN_MPI)
    auto const& known = known_predefined.all[predefined_types::place(type)];
    return known.type == type ? known.bytes : -1;
#else
    // The second byte of such a handle is the length.
    return surely_predefined(type) ? static_cast<MPI_Count>(static_cast<std::uint32_t>(type) >> 8 & 0xff) : -1;
#endif
}

} // namespace sode::internal::interpose
