// SPDX-License-Identifier: Apache-2.0
// NAS MG (multigrid): the interior of a face of a three-dimensional grid of doubles with one layer of halo, x fastest. Across x
// every block is a single double, across y and z it is a row. Bailey et al., "The NAS parallel benchmarks", IJSA 5 (1991).
#include "datatypes/pattern.hpp"

namespace sode::internal::bench {
namespace {

struct grid {
    int nx, ny, nz; ///< without the halo
};

constexpr std::ptrdiff_t element = sizeof(double);

class mg : public pattern {
public:
    explicit mg(grid g) : g_(g) {}
    [[nodiscard]] std::size_t memory_bytes() const final {
        return sizeof(double) * static_cast<std::size_t>(row()) * static_cast<std::size_t>(g_.ny + 2) *
               static_cast<std::size_t>(g_.nz + 2);
    }

protected:
    [[nodiscard]] std::ptrdiff_t row() const { return g_.nx + 2; }
    [[nodiscard]] std::ptrdiff_t plane() const { return row() * (g_.ny + 2); }
    [[nodiscard]] std::ptrdiff_t at(std::ptrdiff_t i, std::ptrdiff_t j, std::ptrdiff_t k) const {
        return k * plane() + j * row() + i;
    }
    [[nodiscard]] grid const& size() const { return g_; }

private:
    grid g_;
};

class mg_x final : public mg {
public:
    using mg::mg;
    [[nodiscard]] places sent() const override { return face(size().nx); }
    [[nodiscard]] places received() const override { return face(0); }
    [[nodiscard]] typed send_type() const override { return type(size().nx); }
    [[nodiscard]] typed receive_type() const override { return type(0); }

    void pack(char const* memory, char* message) const override {
        auto const* u = array_at<double>(memory, 0);
        auto* out = array_at<double>(message, 0);
        for (int k = 1; k <= size().nz; ++k)
            for (int j = 1; j <= size().ny; ++j) *out++ = u[at(size().nx, j, k)];
    }
    void unpack(char const* message, char* memory) const override {
        auto* u = array_at<double>(memory, 0);
        auto const* in = array_at<double>(message, 0);
        for (int k = 1; k <= size().nz; ++k)
            for (int j = 1; j <= size().ny; ++j) u[at(0, j, k)] = *in++;
    }

private:
    [[nodiscard]] places face(int i) const {
        places all;
        for (int k = 1; k <= size().nz; ++k) all.push_back({element * at(i, 1, k), element, size().ny, element * row()});
        return all;
    }
    [[nodiscard]] typed type(int i) const {
        auto const column = vector(size().ny, 1, static_cast<int>(row()), MPI_DOUBLE);
        return {hvector(size().nz, 1, element * plane(), column.get()), element * at(i, 1, 1)};
    }
};

class mg_y final : public mg {
public:
    using mg::mg;
    [[nodiscard]] places sent() const override { return face(size().ny); }
    [[nodiscard]] places received() const override { return face(0); }
    [[nodiscard]] typed send_type() const override { return type(size().ny); }
    [[nodiscard]] typed receive_type() const override { return type(0); }

    void pack(char const* memory, char* message) const override {
        auto const* u = array_at<double>(memory, 0);
        auto* out = array_at<double>(message, 0);
        for (int k = 1; k <= size().nz; ++k)
            for (int i = 1; i <= size().nx; ++i) *out++ = u[at(i, size().ny, k)];
    }
    void unpack(char const* message, char* memory) const override {
        auto* u = array_at<double>(memory, 0);
        auto const* in = array_at<double>(message, 0);
        for (int k = 1; k <= size().nz; ++k)
            for (int i = 1; i <= size().nx; ++i) u[at(i, 0, k)] = *in++;
    }

private:
    [[nodiscard]] places face(int j) const { return {{element * at(1, j, 1), element * size().nx, size().nz, element * plane()}}; }
    [[nodiscard]] typed type(int j) const {
        return {vector(size().nz, size().nx, static_cast<int>(plane()), MPI_DOUBLE), element * at(1, j, 1)};
    }
};

class mg_z final : public mg {
public:
    using mg::mg;
    [[nodiscard]] places sent() const override { return face(size().nz); }
    [[nodiscard]] places received() const override { return face(0); }
    [[nodiscard]] typed send_type() const override { return type(size().nz); }
    [[nodiscard]] typed receive_type() const override { return type(0); }

    void pack(char const* memory, char* message) const override {
        auto const* u = array_at<double>(memory, 0);
        auto* out = array_at<double>(message, 0);
        for (int j = 1; j <= size().ny; ++j)
            for (int i = 1; i <= size().nx; ++i) *out++ = u[at(i, j, size().nz)];
    }
    void unpack(char const* message, char* memory) const override {
        auto* u = array_at<double>(memory, 0);
        auto const* in = array_at<double>(message, 0);
        for (int j = 1; j <= size().ny; ++j)
            for (int i = 1; i <= size().nx; ++i) u[at(i, j, 0)] = *in++;
    }

private:
    [[nodiscard]] places face(int k) const { return {{element * at(1, 1, k), element * size().nx, size().ny, element * row()}}; }
    [[nodiscard]] typed type(int k) const {
        return {vector(size().ny, size().nx, static_cast<int>(row()), MPI_DOUBLE), element * at(1, 1, k)};
    }
};

} // namespace

void add_nas_mg(std::vector<pattern_case>& all) {
    add_cases<mg_x, grid>(all, "nas_mg_x",
                          {{16, 16, 16}, {32, 32, 32}, {64, 64, 64}, {128, 128, 128}, {128, 256, 256}, {32, 512, 512}});
    add_cases<mg_y, grid>(all, "nas_mg_y",
                          {{16, 16, 16}, {64, 64, 64}, {128, 64, 64}, {256, 64, 128}, {512, 16, 256}, {1024, 8, 512}});
    add_cases<mg_z, grid>(all, "nas_mg_z",
                          {{16, 16, 16}, {64, 64, 64}, {128, 64, 64}, {256, 128, 16}, {512, 256, 8}, {1024, 512, 4}});
}

} // namespace sode::internal::bench
