// SPDX-License-Identifier: Apache-2.0
#include "interpose/collective/basic_types.hpp"

#include "interpose/datatypes/handle_bits.hpp"
#include "plan/reduction.hpp"

#include <sode/detail/mpi_envelope.hpp>

#include <algorithm>
#include <array>
#include <climits>

namespace sode::internal::interpose {

namespace {

// What MPI lets be done to a datatype (MPI-4.0, section 6.9.2).
enum class kind_of_type : std::uint8_t { integer, floating, complex, logical, bytes, other };

struct basic_type {
    MPI_Datatype handle;
    kind_of_type kind;
    element like;
};

std::size_t bytes_of(MPI_Datatype type) {
    int size = 0;
    if (type != MPI_DATATYPE_NULL) PMPI_Type_size(type, &size);
    return static_cast<std::size_t>(size);
}

constexpr element signed_of(std::size_t bytes) {
    return bytes == 1 ? element::i8 : bytes == 2 ? element::i16 : bytes == 4 ? element::i32 : element::i64;
}
constexpr element unsigned_of(std::size_t bytes) {
    return bytes == 1 ? element::u8 : bytes == 2 ? element::u16 : bytes == 4 ? element::u32 : element::u64;
}

// The common ones first. Those of Fortran have no length before they are asked, and may be missing.
auto const& all_types() {
    using enum kind_of_type;
    static std::array const all{
        basic_type{MPI_DOUBLE, floating, element::f64},
        basic_type{MPI_INT, integer, element::i32},
        basic_type{MPI_BYTE, bytes, element::u8},
        basic_type{MPI_FLOAT, floating, element::f32},
        basic_type{MPI_LONG, integer, signed_of(sizeof(long))},
        basic_type{MPI_CHAR, other, element::i8},
        basic_type{MPI_INT64_T, integer, element::i64},
        basic_type{MPI_UINT64_T, integer, element::u64},
        basic_type{MPI_LONG_LONG, integer, signed_of(sizeof(long long))},
        basic_type{MPI_UNSIGNED_LONG, integer, unsigned_of(sizeof(long))},
        basic_type{MPI_UNSIGNED_LONG_LONG, integer, unsigned_of(sizeof(long long))},
        basic_type{MPI_UNSIGNED, integer, element::u32},
        basic_type{MPI_INT32_T, integer, element::i32},
        basic_type{MPI_UINT32_T, integer, element::u32},
        basic_type{MPI_SHORT, integer, element::i16},
        basic_type{MPI_INT16_T, integer, element::i16},
        basic_type{MPI_UNSIGNED_SHORT, integer, element::u16},
        basic_type{MPI_UINT16_T, integer, element::u16},
        basic_type{MPI_SIGNED_CHAR, integer, element::i8},
        basic_type{MPI_INT8_T, integer, element::i8},
        basic_type{MPI_UNSIGNED_CHAR, integer, element::u8},
        basic_type{MPI_UINT8_T, integer, element::u8},
        basic_type{MPI_AINT, integer, signed_of(sizeof(MPI_Aint))},
        basic_type{MPI_OFFSET, integer, signed_of(sizeof(MPI_Offset))},
        basic_type{MPI_COUNT, integer, signed_of(sizeof(MPI_Count))},
        basic_type{MPI_C_FLOAT_COMPLEX, complex, element::c64},
        basic_type{MPI_C_DOUBLE_COMPLEX, complex, element::c128},
        basic_type{MPI_C_BOOL, logical, element::boolean},
        basic_type{MPI_DOUBLE_PRECISION, bytes_of(MPI_DOUBLE_PRECISION) == sizeof(double) ? floating : other, element::f64},
        basic_type{MPI_REAL, bytes_of(MPI_REAL) == sizeof(float) ? floating : other, element::f32},
        basic_type{MPI_INTEGER, bytes_of(MPI_INTEGER) == sizeof(int) ? integer : other, element::i32},
        basic_type{MPI_COMPLEX, bytes_of(MPI_COMPLEX) == 2 * sizeof(float) ? complex : other, element::c64},
        basic_type{MPI_DOUBLE_COMPLEX, bytes_of(MPI_DOUBLE_COMPLEX) == 2 * sizeof(double) ? complex : other, element::c128},
    };
    return all;
}

/// By handle, as every call asks for it, several times.
class types_by_handle {
public:
    types_by_handle() noexcept {
        for (auto const& type : all_types()) {
            if (type.handle == MPI_DATATYPE_NULL) continue;
            auto at = first_place(type.handle);
            while (places_[at].type != nullptr && places_[at].handle != type.handle) at = (at + 1) % places;
            if (places_[at].type == nullptr) places_[at] = {type.handle, &type, static_cast<std::int64_t>(bytes_of(type.handle))};
        }
    }
    struct place {
        MPI_Datatype handle = MPI_DATATYPE_NULL;
        basic_type const* type = nullptr;
        std::int64_t bytes = 0;
    };
    /// The first place is nearly always the right one, as others than these are rare.
    [[nodiscard]] place const& find(MPI_Datatype type) const noexcept {
        auto at = first_place(type);
        while (places_[at].type != nullptr && places_[at].handle != type) at = (at + 1) % places;
        return places_[at];
    }

private:
    static constexpr std::size_t places = 256; // many times as many as there are types
    [[nodiscard]] static std::size_t first_place(MPI_Datatype type) noexcept { return first_place_of<places>(type); }
    std::array<place, places> places_{};
};

types_by_handle::place const& place_of(MPI_Datatype type) noexcept {
    static types_by_handle const known;
    return known.find(type);
}
basic_type const* find(MPI_Datatype type) noexcept {
    return place_of(type).type;
}

// A duplicate may be passed on one rank, and the original on another.
MPI_Datatype original_of(MPI_Datatype type) noexcept {
    bool ours = false;
    while (type != MPI_DATATYPE_NULL) {
        int none = 0;
        MPI_Aint nowhere = 0;
        MPI_Datatype inner = MPI_DATATYPE_NULL;
        detail::mpi_envelope const made{type};
        if (made.code != MPI_SUCCESS) break;
        if (made.combiner == MPI_COMBINER_NAMED) return type;
        if (made.combiner == MPI_COMBINER_DUP) PMPI_Type_get_contents(type, 0, 0, 1, &none, &nowhere, &inner);
        if (ours) PMPI_Type_free(&type);
        ours = true; // what is not named
        type = inner;
    }
    return MPI_DATATYPE_NULL;
}

std::optional<reduction> reduction_of(MPI_Op op) noexcept {
    if (op == MPI_SUM) return reduction::sum;
    if (op == MPI_MAX) return reduction::max;
    if (op == MPI_MIN) return reduction::min;
    if (op == MPI_PROD) return reduction::product;
    if (op == MPI_LAND) return reduction::logical_and;
    if (op == MPI_LOR) return reduction::logical_or;
    if (op == MPI_LXOR) return reduction::logical_xor;
    if (op == MPI_BAND) return reduction::bit_and;
    if (op == MPI_BOR) return reduction::bit_or;
    if (op == MPI_BXOR) return reduction::bit_xor;
    return std::nullopt;
}

bool allows(kind_of_type kind, reduction how) noexcept {
    switch (how) {
    case reduction::sum:
    case reduction::product:
        return kind == kind_of_type::integer || kind == kind_of_type::floating || kind == kind_of_type::complex;
    case reduction::max:
    case reduction::min: return kind == kind_of_type::integer || kind == kind_of_type::floating;
    case reduction::bit_and:
    case reduction::bit_or:
    case reduction::bit_xor: return kind == kind_of_type::integer || kind == kind_of_type::bytes;
    case reduction::logical_and:
    case reduction::logical_or:
    case reduction::logical_xor: return kind == kind_of_type::integer || kind == kind_of_type::logical;
    }
    return false;
}

} // namespace

bool lies_densely(MPI_Datatype type) noexcept {
    return find(type) != nullptr;
}

std::optional<std::int64_t> dense_bytes(MPI_Datatype type) noexcept {
    auto const& known = place_of(type);
    return known.type == nullptr ? std::nullopt : std::optional{known.bytes};
}

std::optional<std::uint32_t> combiner_of(MPI_Op op, MPI_Datatype type) noexcept {
    // Handles of MPI's own operators and datatypes mean the same for ever, and no other operator goes with a plan.
    struct answer {
        MPI_Op op = MPI_OP_NULL;
        MPI_Datatype type = MPI_DATATYPE_NULL;
        std::optional<std::uint32_t> how;
    };
    static thread_local answer last;
    static thread_local MPI_Op no_plan_has = MPI_OP_NULL; // nor will any of the program's have one that gets its handle later
    if (last.op == op && last.type == type && op != MPI_OP_NULL) return last.how;
    if (no_plan_has == op && op != MPI_OP_NULL) return std::nullopt;
    auto const how = reduction_of(op);
    if (!how) {
        no_plan_has = op;
        return std::nullopt;
    }
    basic_type const* known = find(type);
    bool const lasts = known != nullptr;
    if (known == nullptr) known = find(original_of(type));
    bool const can = known != nullptr && allows(known->kind, *how) && combines(*how, known->like);
    auto const result = can ? std::optional{combiner(*how, known->like)} : std::nullopt;
    if (lasts) last = {op, type, result};
    return result;
}

bool only_mpi_combines(MPI_Op op, MPI_Datatype type) noexcept {
    if (op == MPI_OP_NULL || type == MPI_DATATYPE_NULL) return false;
    std::array const pairs{MPI_FLOAT_INT, MPI_DOUBLE_INT, MPI_LONG_INT,         MPI_2INT, MPI_SHORT_INT, MPI_LONG_DOUBLE_INT,
                           MPI_2INTEGER,  MPI_2REAL,      MPI_2DOUBLE_PRECISION};
    if (op == MPI_MAXLOC || op == MPI_MINLOC) return std::ranges::find(pairs, type) != pairs.end();
    if (op == MPI_REPLACE || op == MPI_NO_OP) return false;
    auto const how = reduction_of(op);
    if (!how) return true; // the program's
    bool const wide = type == MPI_LONG_DOUBLE;
    return (wide && allows(kind_of_type::floating, *how)) ||
           (type == MPI_C_LONG_DOUBLE_COMPLEX && allows(kind_of_type::complex, *how));
}

} // namespace sode::internal::interpose
