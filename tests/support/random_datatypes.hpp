// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mpi.h>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace sode::internal::test {

/// A committed datatype that frees itself.
class owned_datatype {
public:
    explicit owned_datatype(MPI_Datatype derived) : type_(derived) { PMPI_Type_commit(&type_); }
    ~owned_datatype() {
        if (type_ != MPI_DATATYPE_NULL) PMPI_Type_free(&type_);
    }
    owned_datatype(owned_datatype&& other) noexcept : type_(std::exchange(other.type_, MPI_DATATYPE_NULL)) {}
    owned_datatype& operator=(owned_datatype&& other) noexcept {
        std::swap(type_, other.type_);
        return *this;
    }
    owned_datatype(owned_datatype const&) = delete;
    owned_datatype& operator=(owned_datatype const&) = delete;

    [[nodiscard]] MPI_Datatype get() const noexcept { return type_; }

private:
    MPI_Datatype type_;
};

/// Bytes of data in `count` elements.
inline std::int64_t bytes_of(MPI_Datatype type, std::int64_t count) {
    int size = 0;
    PMPI_Type_size(type, &size);
    return size * count;
}

/// Where the data of `count` elements lies relative to the buffer: [first, second).
inline std::pair<std::int64_t, std::int64_t> span_of(MPI_Datatype type, std::int64_t count) {
    MPI_Aint low = 0;
    MPI_Aint true_extent = 0;
    MPI_Aint lower = 0;
    MPI_Aint extent = 0;
    PMPI_Type_get_true_extent(type, &low, &true_extent);
    PMPI_Type_get_extent(type, &lower, &extent);
    if (count == 0 || bytes_of(type, 1) == 0) return {0, 0};
    std::int64_t const last = (count - 1) * extent;
    return {low + std::min<std::int64_t>(0, last), low + true_extent + std::max<std::int64_t>(0, last)};
}

/// Memory for `count` elements of a datatype, with room around them.
class datatype_buffer {
public:
    datatype_buffer(MPI_Datatype type, std::int64_t count) : datatype_buffer(span_of(type, count)) {}
    explicit datatype_buffer(std::pair<std::int64_t, std::int64_t> span)
        : base_(guard - span.first), bytes_(static_cast<std::size_t>(span.second - span.first + 2 * guard)) {}

    [[nodiscard]] std::byte* base() { return bytes_.data() + base_; }
    [[nodiscard]] std::vector<std::byte>& bytes() { return bytes_; }
    void fill(std::byte value) { std::fill(bytes_.begin(), bytes_.end(), value); }
    /// Every byte tells its place, with a period that no power of two divides.
    void number(unsigned seed = 0) {
        for (std::size_t i = 0; i < bytes_.size(); ++i) bytes_[i] = static_cast<std::byte>((i + seed) % 251);
    }

private:
    static constexpr std::int64_t guard = 128;
    std::int64_t base_;
    std::vector<std::byte> bytes_;
};

/// Whether no byte occurs twice in `count` elements, so that they may be received into. Asks MPI: unpacking marks every byte once.
inline bool receivable(MPI_Datatype type, std::int64_t count) {
    auto const size = bytes_of(type, count);
    std::vector<std::byte> const marks(static_cast<std::size_t>(size), std::byte{1});
    datatype_buffer buffer{type, count};
    int position = 0;
    PMPI_Unpack(marks.data(), static_cast<int>(size), &position, buffer.base(), static_cast<int>(count), type, MPI_COMM_SELF);
    return std::count(buffer.bytes().begin(), buffer.bytes().end(), std::byte{1}) == size;
}

/// How a datatype was made, for the message of a failing test: "vector(3 1 2 | double)".
inline std::string described(MPI_Datatype type) {
    int integers = 0;
    int addresses = 0;
    int types = 0;
    int combiner = MPI_COMBINER_NAMED;
    PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    if (combiner == MPI_COMBINER_NAMED) {
        std::array<char, MPI_MAX_OBJECT_NAME> name{};
        int length = 0;
        PMPI_Type_get_name(type, name.data(), &length);
        return name.data();
    }
    std::vector<int> i(static_cast<std::size_t>(integers));
    std::vector<MPI_Aint> a(static_cast<std::size_t>(addresses));
    std::vector<MPI_Datatype> t(static_cast<std::size_t>(types));
    PMPI_Type_get_contents(type, integers, addresses, types, i.data(), a.data(), t.data());
    std::string text = "combiner " + std::to_string(combiner) + "(";
    for (int const x : i) text += std::to_string(x) + " ";
    text += "|";
    for (MPI_Aint const x : a) text += " " + std::to_string(x);
    text += " |";
    for (MPI_Datatype const x : t) text += " " + described(x);
    return text + ")";
}

/// Random derived datatypes of every combiner, nested; the same ones for the same seed, whichever MPI. A type of this generator has
/// at most a few thousand bytes and lies within a few hundred thousand. MPI_COMM_WORLD must return errors (MPI_ERRORS_RETURN).
/// What descends leaves gaps: blocks that touch downwards are packed upwards by Open MPI 4.1 (hvector of stride -1) and MPICH 4.0
/// (an extent of minus the size).
class random_datatypes {
public:
    explicit random_datatypes(std::uint64_t seed) : random_([engine = std::mt19937_64{seed}]() mutable { return engine(); }) {}
    /// Draws from `numbers`: what a fuzzer gives.
    explicit random_datatypes(std::function<std::uint64_t()> numbers) : random_(std::move(numbers)) {}

    std::int64_t between(std::int64_t low, std::int64_t high) {
        return low + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(high - low + 1));
    }
    bool chance(int percent) { return between(1, 100) <= percent; }

    /// Of at most about `most` bytes of data, nested up to `depth` deep.
    owned_datatype make(std::int64_t most, int depth) { return owned_datatype{derive(most, depth)}; }

private:
    /// A type to build on: predefined ones are borrowed, others are freed when their parent has been made.
    struct child {
        explicit child(MPI_Datatype t, bool own) : type(t), owned(own) {
            PMPI_Type_get_extent(type, &lower, &extent);
            if (bytes_of(type, 1) > 0) PMPI_Type_get_true_extent(type, &true_lower, &true_extent); // else some MPIs say LONG_MAX
        }
        child(child&& other) noexcept
            : type(other.type), owned(std::exchange(other.owned, false)), lower(other.lower), extent(other.extent),
              true_lower(other.true_lower), true_extent(other.true_extent) {}
        child& operator=(child&&) = delete;
        child(child const&) = delete;
        child& operator=(child const&) = delete;
        ~child() {
            if (owned) PMPI_Type_free(&type);
        }
        [[nodiscard]] std::int64_t bytes() const { return std::max<std::int64_t>(bytes_of(type, 1), 1); }
        /// What `n` elements cover.
        [[nodiscard]] std::int64_t room(std::int64_t n) const {
            return (n - 1) * std::max<std::int64_t>(extent, -extent) + std::max<std::int64_t>(true_extent, 1);
        }
        MPI_Datatype type;
        bool owned;
        MPI_Aint lower = 0, extent = 0, true_lower = 0, true_extent = 0;
    };

    /// MPICH 4.0 packs arrays of elements whose extent is negative in an order of its own.
#ifdef MPICH_VERSION
    static constexpr bool negative_extents = false;
#else
    static constexpr bool negative_extents = true;
#endif

    /// Open MPI 4.1 packs a structure with many elements of an empty type from elsewhere.
#ifdef OPEN_MPI
    static constexpr bool nested_empty = false;
#else
    static constexpr bool nested_empty = true;
#endif

    MPI_Datatype basic() {
        // MPICH moves a long double as a number: of its 16 bytes only the 10 that count arrive.
        std::array const types{
#ifndef MPICH_VERSION
            MPI_LONG_DOUBLE,
            MPI_LONG_DOUBLE_INT,
#endif
            MPI_BYTE,
            MPI_CHAR,
            MPI_SHORT,
            MPI_INT,
            MPI_FLOAT,
            MPI_DOUBLE,
            MPI_DOUBLE,
            MPI_DOUBLE,
            MPI_LONG_LONG,
            MPI_DOUBLE_INT,
            MPI_2INT,
            MPI_SHORT_INT,
            MPI_FLOAT_INT,
            MPI_LONG_INT,
            MPI_C_DOUBLE_COMPLEX};
        return types[static_cast<std::size_t>(between(0, static_cast<std::int64_t>(types.size()) - 1))];
    }

    child child_of(std::int64_t most, int depth) {
        if (depth <= 1 || most < 16 || chance(15)) return child{basic(), false};
        child made{derive(most, depth - 1), true};
        if (!nested_empty && bytes_of(made.type, 1) == 0) return child{basic(), false};
        return made;
    }

    int number(std::int64_t low, std::int64_t high) {
        return static_cast<int>(between(low, std::max(low, high)));
    }

    /// A gap after something of that size: usually none, or some elements, seldom so small that neighbours overlap.
    std::int64_t gap(std::int64_t unit) {
        if (chance(4)) return -unit;
        return chance(40) ? 0 : between(1, 5) * unit;
    }

    MPI_Datatype derive(std::int64_t most, int depth) {
        child const c = child_of(most / number(1, 6), depth);
        std::int64_t const room = std::max<std::int64_t>(most / c.bytes(), 1); // how many elements may be taken
        MPI_Datatype made = MPI_DATATYPE_NULL;
        constexpr std::int64_t darray_case = 9;
        auto const combiner = between(0, 12);
        switch (combiner) {
        case 0: PMPI_Type_contiguous(number(chance(5) ? 0 : 1, room), c.type, &made); break;
        case 1: make_vector(c, room, made); break;
        case 2: make_hvector(c, room, made); break;
        case 3: make_indexed(c, room, made); break;
        case 4: make_hindexed(c, room, made); break;
        case 5: make_indexed_block(c, room, made); break;
        case 6: make_hindexed_block(c, room, made); break;
        case 7: make_struct(most, depth, made); break;
        case 8: make_subarray(c, room, made); break;
        case darray_case: make_darray(c, room, made); break;
        case 10:
            PMPI_Type_create_resized(c.type, c.lower + 8 * between(-3, 3),
                                     negative_extents && chance(10) ? -c.room(1) - 8 : c.room(1) + gap(8), &made);
            break;
        case 11: PMPI_Type_dup(c.type, &made); break;
        default: make_vector(c, room, made);
        }
        // Open MPI refuses some (a darray of a type that overlaps itself, say), and packs what contains empty darrays from
        // elsewhere.
        if (made != MPI_DATATYPE_NULL && combiner == darray_case && bytes_of(made, 1) == 0) PMPI_Type_free(&made);
        if (made == MPI_DATATYPE_NULL) {
            PMPI_Type_contiguous(2, MPI_INT, &made);
            return made;
        }
        // Extents grow with every level; a buffer must hold the type.
        auto const [low, high] = span_of(made, 1);
        if (high - low <= 200'000 && std::max(low, -low) <= 400'000) return made;
        PMPI_Type_free(&made);
        PMPI_Type_contiguous(1, MPI_DOUBLE, &made);
        return made;
    }

    void make_vector(child const& c, std::int64_t room, MPI_Datatype& made) {
        int const length = number(1, std::min<std::int64_t>(room, 6));
        int const count = number(chance(4) ? 0 : 1, room / length);
        std::int64_t const unit = std::max<std::int64_t>(c.extent < 0 ? -c.extent : c.extent, 1);
        std::int64_t const apart = (c.room(length) + unit - 1) / unit;
        std::int64_t stride = apart + gap(1);
        if (chance(15)) stride = -std::max(stride, apart) - 1;
        PMPI_Type_vector(count, length, static_cast<int>(stride), c.type, &made);
    }

    void make_hvector(child const& c, std::int64_t room, MPI_Datatype& made) {
        int const length = number(1, std::min<std::int64_t>(room, 6));
        int const count = number(1, room / length);
        std::int64_t stride = std::max<std::int64_t>(c.room(length) + gap(4), 1);
        if (chance(15)) stride = -std::max<std::int64_t>(stride, c.room(length)) - 4;
        PMPI_Type_create_hvector(count, length, stride, c.type, &made);
    }

    /// Blocks of random length one after another with gaps; sometimes in another order, sometimes a pattern that repeats.
    struct blocks {
        std::vector<int> lengths;
        std::vector<MPI_Aint> at; ///< bytes
    };
    blocks random_blocks(child const& c, std::int64_t room, std::int64_t unit, bool equal) {
        blocks b;
        int const same = number(1, std::min<std::int64_t>(room, 5));
        std::int64_t taken = 0;
        std::int64_t at = between(-4, 4);
        std::int64_t const most = chance(30) ? room : std::min<std::int64_t>(room, 30);
        while (taken < most && b.lengths.size() < 300) {
            int const length = equal ? same : number(chance(6) ? 0 : 1, std::min<std::int64_t>(most - taken, 5));
            b.lengths.push_back(length);
            b.at.push_back(at * unit);
            at += (c.room(std::max(length, 1)) + unit - 1) / unit + gap(1);
            taken += std::max(length, 1);
            if (chance(3)) break;
        }
        if (chance(30)) {
            for (std::size_t i = b.at.size(); i > 1; --i) {
                auto const k = static_cast<std::size_t>(between(0, static_cast<std::int64_t>(i) - 1));
                std::swap(b.at[i - 1], b.at[k]);
                std::swap(b.lengths[i - 1], b.lengths[k]);
            }
        }
        return b;
    }
    static std::vector<int> in_units(std::vector<MPI_Aint> const& at, std::int64_t unit) {
        std::vector<int> units;
        units.reserve(at.size());
        for (MPI_Aint const a : at) units.push_back(static_cast<int>(a / unit));
        return units;
    }
    /// Displacements of MPI_Type_indexed count in extents, whatever their sign.
    static std::int64_t signed_unit(child const& c) {
        return c.extent == 0 ? 1 : c.extent;
    }

    void make_indexed(child const& c, std::int64_t room, MPI_Datatype& made) {
        auto const b = random_blocks(c, room, std::max<std::int64_t>(std::abs(signed_unit(c)), 1), false);
        auto const at = in_units(b.at, signed_unit(c));
        PMPI_Type_indexed(static_cast<int>(at.size()), b.lengths.data(), at.data(), c.type, &made);
    }
    void make_hindexed(child const& c, std::int64_t room, MPI_Datatype& made) {
        auto const b = random_blocks(c, room, 4, false);
        PMPI_Type_create_hindexed(static_cast<int>(b.at.size()), b.lengths.data(), b.at.data(), c.type, &made);
    }
    void make_indexed_block(child const& c, std::int64_t room, MPI_Datatype& made) {
        auto const b = random_blocks(c, room, std::max<std::int64_t>(std::abs(signed_unit(c)), 1), true);
        auto const at = in_units(b.at, signed_unit(c));
        PMPI_Type_create_indexed_block(static_cast<int>(at.size()), b.lengths.front(), at.data(), c.type, &made);
    }
    void make_hindexed_block(child const& c, std::int64_t room, MPI_Datatype& made) {
        auto const b = random_blocks(c, room, 2, true);
        PMPI_Type_create_hindexed_block(static_cast<int>(b.at.size()), b.lengths.front(), b.at.data(), c.type, &made);
    }

    void make_struct(std::int64_t most, int depth, MPI_Datatype& made) {
        int const members = number(1, 5);
        std::vector<child> children;
        std::vector<MPI_Datatype> types;
        std::vector<int> lengths;
        std::vector<MPI_Aint> at;
        std::int64_t next = 8 * between(-4, 4);
        for (int i = 0; i < members; ++i) {
            children.push_back(child_of(most / members, depth));
            child const& c = children.back();
            std::int64_t const room = std::max<std::int64_t>(most / members / c.bytes(), 1);
            lengths.push_back(number(chance(8) ? 0 : 1, std::min<std::int64_t>(room, 40)));
            types.push_back(c.type);
            std::int64_t const backwards = c.extent < 0 ? -(std::max(lengths.back(), 1) - 1) * c.extent : 0;
            at.push_back(next - c.true_lower + backwards);
            next += c.room(std::max(lengths.back(), 1)) + gap(8);
        }
        PMPI_Type_create_struct(members, lengths.data(), at.data(), types.data(), &made);
    }

    void make_subarray(child const& c, std::int64_t room, MPI_Datatype& made) {
        int const dims = number(1, 4);
        std::vector<int> sizes;
        std::vector<int> subsizes;
        std::vector<int> starts;
        std::int64_t left = room;
        for (int d = 0; d < dims; ++d) {
            subsizes.push_back(number(1, std::min<std::int64_t>(left, 7)));
            left /= subsizes.back();
            sizes.push_back(subsizes.back() + number(0, 3));
            starts.push_back(number(0, sizes.back() - subsizes.back()));
        }
        PMPI_Type_create_subarray(dims, sizes.data(), subsizes.data(), starts.data(), chance(50) ? MPI_ORDER_C : MPI_ORDER_FORTRAN,
                                  c.type, &made);
    }

    void make_darray(child const& c, std::int64_t room, MPI_Datatype& made) {
        int const dims = number(1, 3);
        std::vector<int> sizes;
        std::vector<int> how;
        std::vector<int> arguments;
        std::vector<int> procs;
        int ranks = 1;
        std::int64_t left = room;
        for (int d = 0; d < dims; ++d) {
            int const p = number(1, 3);
            sizes.push_back(number(p, std::min<std::int64_t>(left, 9) + p));
            left = std::max<std::int64_t>(left / sizes.back(), 1);
            int const kind = number(0, 2);
            how.push_back(kind == 0 ? MPI_DISTRIBUTE_NONE : kind == 1 ? MPI_DISTRIBUTE_BLOCK : MPI_DISTRIBUTE_CYCLIC);
            procs.push_back(kind == 0 ? 1 : p);
            ranks *= procs.back();
            int const least = kind == 1 ? (sizes.back() + p - 1) / p : 1; // blocks must hold everything
            arguments.push_back(chance(50) ? MPI_DISTRIBUTE_DFLT_DARG : number(least, least + 2));
        }
        PMPI_Type_create_darray(ranks, number(0, ranks - 1), dims, sizes.data(), how.data(), arguments.data(), procs.data(),
                                chance(50) ? MPI_ORDER_C : MPI_ORDER_FORTRAN, c.type, &made);
    }

    std::function<std::uint64_t()> random_;
};

} // namespace sode::internal::test
