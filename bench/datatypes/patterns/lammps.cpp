// SPDX-License-Identifier: Apache-2.0
// LAMMPS (molecular dynamics): the atoms near a face become ghosts of the neighbour, who appends them to its own. Every property of
// the atoms has an array of its own. Plimpton, "Fast parallel algorithms for short-range molecular dynamics", J. Comput. Phys. 117
// (1995).
#include "datatypes/pattern.hpp"

#include <array>
#include <cstring>
#include <random>
#include <span>

namespace sode::internal::bench {
namespace {

/// `count` of somewhat more atoms: atoms are sorted by place, so those near a face come in short runs.
std::vector<int> near_face(int count) {
    std::minstd_rand random{7};
    std::uniform_int_distribution<int> together{1, 8}, apart{1, 3};
    std::vector<int> list;
    for (int at = 0; static_cast<int>(list.size()) < count; at += apart(random))
        for (int n = together(random); n > 0 && static_cast<int>(list.size()) < count; --n) list.push_back(at++);
    return list;
}

/// Positions, then the integers of an atom, then charges where atoms have them.
template <std::size_t Integers, bool Charge> class atoms final : public pattern {
public:
    explicit atoms(int ghosts) : list_(near_face(ghosts)), local_(list_.back() + 1) {}

    [[nodiscard]] std::size_t memory_bytes() const override { return Charge ? charges() + sizeof(double) * all() : charges(); }
    [[nodiscard]] places sent() const override {
        places where;
        for (std::size_t const j : indices()) where.push_back({offset(positions() + sizeof(position) * j), sizeof(position)});
        for (std::size_t a = 0; a < Integers; ++a)
            for (std::size_t const j : indices()) where.push_back({offset(integers(a) + sizeof(int) * j), sizeof(int)});
        if (Charge)
            for (std::size_t const j : indices()) where.push_back({offset(charges() + sizeof(double) * j), sizeof(double)});
        return where;
    }
    [[nodiscard]] places received() const override {
        places where{{ghost_positions(), static_cast<std::int64_t>(sizeof(position)) * ghosts()}};
        for (std::size_t a = 0; a < Integers; ++a)
            where.push_back({ghost_integers(a), static_cast<std::int64_t>(sizeof(int)) * ghosts()});
        if (Charge) where.push_back({ghost_charges(), static_cast<std::int64_t>(sizeof(double)) * ghosts()});
        return where;
    }

    [[nodiscard]] typed send_type() const override {
        std::vector<int> tripled;
        for (int const j : list_) tripled.push_back(3 * j);
        auto const three = indexed_blocks(3, tripled, MPI_DOUBLE), number = indexed_blocks(1, list_, MPI_INT),
                   real = indexed_blocks(1, list_, MPI_DOUBLE);
        std::vector<part> parts{{offset(positions()), three.get()}};
        for (std::size_t a = 0; a < Integers; ++a) parts.push_back({offset(integers(a)), number.get()});
        if (Charge) parts.push_back({offset(charges()), real.get()});
        return {structure(parts)};
    }
    [[nodiscard]] typed receive_type() const override {
        std::vector<part> parts{{ghost_positions(), MPI_DOUBLE, 3 * ghosts()}};
        for (std::size_t a = 0; a < Integers; ++a) parts.push_back({ghost_integers(a), MPI_INT, ghosts()});
        if (Charge) parts.push_back({ghost_charges(), MPI_DOUBLE, ghosts()});
        return {structure(parts)};
    }

    // Atom by atom, as the code that does it must: a neighbour learns the number of atoms from the message's length.
    void pack(char const* memory, char* message) const override {
        auto const* const x = array_at<position>(memory, positions());
        auto const* const q = array_at<double>(memory, charges());
        auto const numbers = integer_arrays<int const>(memory);
        for (int const j : list_) {
            put(message, x[j]);
            for (auto const* const number : numbers) put(message, number[j]);
            if (Charge) put(message, q[j]);
        }
    }
    void unpack(char const* message, char* memory) const override {
        auto* const x = array_at<position>(memory, positions());
        auto* const q = array_at<double>(memory, charges());
        auto const numbers = integer_arrays<int>(memory);
        int const end = local_ + ghosts();
        for (int g = local_; g < end; ++g) {
            take(message, x[g]);
            for (auto* const number : numbers) take(message, number[g]);
            if (Charge) take(message, q[g]);
        }
    }

private:
    using position = std::array<double, 3>;

    template <typename Int, typename Byte> [[nodiscard]] std::array<Int*, Integers> integer_arrays(Byte* memory) const {
        std::array<Int*, Integers> arrays{};
        for (std::size_t a = 0; a < Integers; ++a) arrays[a] = array_at<int>(memory, integers(a));
        return arrays;
    }
    template <typename T> static void put(char*& message, T const& value) {
        std::memcpy(message, &value, sizeof value);
        message += sizeof value;
    }
    template <typename T> static void take(char const*& message, T& value) {
        std::memcpy(&value, message, sizeof value);
        message += sizeof value;
    }

    [[nodiscard]] static std::ptrdiff_t offset(std::size_t bytes) { return static_cast<std::ptrdiff_t>(bytes); }
    [[nodiscard]] std::vector<std::size_t> indices() const { return {list_.begin(), list_.end()}; }
    [[nodiscard]] int ghosts() const { return static_cast<int>(list_.size()); }
    /// Even, so that every array is aligned.
    [[nodiscard]] std::size_t all() const { return (static_cast<std::size_t>(local_) + list_.size() + 1) / 2 * 2; }
    [[nodiscard]] std::size_t positions() const { return 0; }
    [[nodiscard]] std::size_t integers(std::size_t a) const { return all() * (sizeof(position) + sizeof(int) * a); }
    [[nodiscard]] std::size_t charges() const { return integers(Integers); }
    [[nodiscard]] std::size_t first_ghost() const { return static_cast<std::size_t>(local_); }
    [[nodiscard]] std::ptrdiff_t ghost_positions() const { return offset(positions() + sizeof(position) * first_ghost()); }
    [[nodiscard]] std::ptrdiff_t ghost_integers(std::size_t a) const { return offset(integers(a) + sizeof(int) * first_ghost()); }
    [[nodiscard]] std::ptrdiff_t ghost_charges() const { return offset(charges() + sizeof(double) * first_ghost()); }

    std::vector<int> list_;
    int local_;
};

} // namespace

void add_lammps(std::vector<pattern_case>& all) {
    add_cases<atoms<4, true>, int>(all, "lammps_full", {100, 2216, 4083, 16384}); // position, charge; tag, type, mask, molecule
    add_cases<atoms<3, false>, int>(all, "lammps_atomic", {64, 152, 324, 2916});  // position; tag, type, mask
}

} // namespace sode::internal::bench
