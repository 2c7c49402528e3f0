// SPDX-License-Identifier: Apache-2.0
// NAS LU (Navier-Stokes by SSOR): five doubles a point. Within a sweep one row (x, contiguous) or one column (y, blocks of 40
// bytes) of a plane goes to the next rank; between sweeps two columns of every plane do (rhs). Bailey et al., "The NAS parallel
// benchmarks", IJSA 5 (1991).
#include "datatypes/pattern.hpp"

#include <array>

namespace sode::internal::bench {
namespace {

using point = std::array<double, 5>;
constexpr std::ptrdiff_t element = sizeof(point);
constexpr int halo = 2;

/// Points of a box with two layers of halo around i and j; i is the fastest after the five numbers.
struct block {
    int ni, nj, nk;

    [[nodiscard]] std::ptrdiff_t row() const { return ni + 2 * halo; }
    [[nodiscard]] std::ptrdiff_t plane() const { return row() * (nj + 2 * halo); }
    [[nodiscard]] std::ptrdiff_t at(std::ptrdiff_t i, std::ptrdiff_t j, std::ptrdiff_t k) const {
        return k * plane() + j * row() + i;
    }
    [[nodiscard]] std::size_t bytes() const { return sizeof(point) * static_cast<std::size_t>(plane() * nk); }
};

/// Row `from` of a plane goes to row `to`.
class lu_x final : public pattern {
public:
    explicit lu_x(int n) : b_{n, 4, 1} {}
    [[nodiscard]] std::size_t memory_bytes() const override { return b_.bytes(); }
    [[nodiscard]] places sent() const override { return row(b_.nj + halo - 1); }
    [[nodiscard]] places received() const override { return row(halo - 1); }
    [[nodiscard]] typed send_type() const override { return type(b_.nj + halo - 1); }
    [[nodiscard]] typed receive_type() const override { return type(halo - 1); }

    void pack(char const* memory, char* message) const override {
        auto const* u = array_at<point>(memory, 0);
        auto* out = array_at<point>(message, 0);
        for (int i = 0; i < b_.ni; ++i) out[i] = u[b_.at(halo + i, b_.nj + halo - 1, 0)];
    }
    void unpack(char const* message, char* memory) const override {
        auto* u = array_at<point>(memory, 0);
        auto const* in = array_at<point>(message, 0);
        for (int i = 0; i < b_.ni; ++i) u[b_.at(halo + i, halo - 1, 0)] = in[i];
    }

private:
    [[nodiscard]] places row(int j) const { return {{element * b_.at(halo, j, 0), element * b_.ni}}; }
    [[nodiscard]] typed type(int j) const { return {contiguous(5 * b_.ni, MPI_DOUBLE), element * b_.at(halo, j, 0)}; }

    block b_;
};

/// Columns of `Wide` points of every plane.
template <int Wide> class lu_columns final : public pattern {
public:
    explicit lu_columns(block b) : b_(b) {}
    [[nodiscard]] std::size_t memory_bytes() const override { return b_.bytes(); }
    [[nodiscard]] places sent() const override { return columns(b_.ni + halo - Wide); }
    [[nodiscard]] places received() const override { return columns(halo - Wide); }
    [[nodiscard]] typed send_type() const override { return type(b_.ni + halo - Wide); }
    [[nodiscard]] typed receive_type() const override { return type(halo - Wide); }

    void pack(char const* memory, char* message) const override {
        auto const* u = array_at<point>(memory, 0);
        auto* out = array_at<point>(message, 0);
        for (int k = 0; k < b_.nk; ++k)
            for (int j = 0; j < b_.nj; ++j)
                for (int w = 0; w < Wide; ++w) *out++ = u[b_.at(b_.ni + halo - Wide + w, j + halo, k)];
    }
    void unpack(char const* message, char* memory) const override {
        auto* u = array_at<point>(memory, 0);
        auto const* in = array_at<point>(message, 0);
        for (int k = 0; k < b_.nk; ++k)
            for (int j = 0; j < b_.nj; ++j)
                for (int w = 0; w < Wide; ++w) u[b_.at(halo - Wide + w, j + halo, k)] = *in++;
    }

private:
    [[nodiscard]] places columns(int i) const {
        places all;
        for (int k = 0; k < b_.nk; ++k) all.push_back({element * b_.at(i, halo, k), element * Wide, b_.nj, element * b_.row()});
        return all;
    }
    [[nodiscard]] typed type(int i) const {
        auto column = vector(b_.nj, 5 * Wide, static_cast<int>(5 * b_.row()), MPI_DOUBLE);
        auto const offset = element * b_.at(i, halo, 0);
        if (b_.nk == 1) return {std::move(column), offset};
        return {hvector(b_.nk, 1, element * b_.plane(), column.get()), offset};
    }

    block b_;
};

} // namespace

void add_nas_lu(std::vector<pattern_case>& all) {
    add_cases<lu_x, int>(all, "nas_lu_x", {12, 33, 102, 1020});
    add_cases<lu_columns<1>, block>(all, "nas_lu_y", {{12, 12, 1}, {33, 33, 1}, {102, 102, 1}, {102, 1020, 1}});
    add_cases<lu_columns<2>, block>(all, "nas_lu_rhs", {{33, 33, 33}, {64, 64, 64}});
}

} // namespace sode::internal::bench
