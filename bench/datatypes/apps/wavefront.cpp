// SPDX-License-Identifier: Apache-2.0
#include "datatypes/apps/application.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

namespace sode::internal::bench {
namespace {

constexpr int components = 5;
using point = std::array<double, components>;
using block_matrix = std::array<point, components>;

/// Rows that sum up to `weight`, in numbers that are exact in binary, so that the solution is exact too.
constexpr block_matrix mixing(double weight) {
    constexpr std::array<double, components> shares{0.25, 0.25, 0.25, 0.125, 0.125};
    block_matrix a{};
    for (std::size_t m = 0; m < components; ++m)
        for (std::size_t n = 0; n < components; ++n) a[m][(m + n) % components] = weight * shares[n];
    return a;
}
constexpr block_matrix from_i = mixing(0.5), from_j = mixing(0.25), from_k = mixing(0.25);

/// u_m(i, j, k) = a·i + b·j + c·k + m·d: what both sweeps must reproduce.
struct solution {
    double a, b, c, d;

    [[nodiscard]] point operator()(int i, int j, int k) const {
        point u{};
        for (std::size_t m = 0; m < components; ++m) u[m] = a * i + b * j + c * k + d * static_cast<double>(m);
        return u;
    }
    /// What must be added to the mixture of the three neighbours `step` (±1) away.
    [[nodiscard]] point source(int step) const {
        point const here = (*this)(0, 0, 0);
        point const i = (*this)(step, 0, 0), j = (*this)(0, step, 0), k = (*this)(0, 0, step);
        point s{};
        for (std::size_t m = 0; m < components; ++m) {
            s[m] = here[m];
            for (std::size_t n = 0; n < components; ++n) s[m] -= from_i[m][n] * i[n] + from_j[m][n] * j[n] + from_k[m][n] * k[n];
        }
        return s;
    }
};

class wavefront final : public application {
public:
    wavefront(int ni, int nj, int nk, method m, mpi_world const& world)
        : application(m), nk_(nk), communicator_(world.communicator()) {
        std::array<int, 2> shape{};
        // Cut across i first: those faces are the strided ones.
        shape[0] = world.size() <= 3 ? 1 : 0;
        MPI_Dims_create(world.size(), 2, shape.data());
        if (ni % shape[1] != 0 || nj % shape[0] != 0) throw std::invalid_argument{"the points must be a multiple of the ranks"};
        ni_ = ni / shape[1];
        nj_ = nj / shape[0];
        int const my_j = world.rank() / shape[1], my_i = world.rank() % shape[1];
        first_i_ = my_i * ni_;
        first_j_ = my_j * nj_;
        west_ = my_i > 0 ? world.rank() - 1 : MPI_PROC_NULL;
        east_ = my_i + 1 < shape[1] ? world.rank() + 1 : MPI_PROC_NULL;
        south_ = my_j > 0 ? world.rank() - shape[1] : MPI_PROC_NULL;
        north_ = my_j + 1 < shape[0] ? world.rank() + shape[1] : MPI_PROC_NULL;
        u_.resize(static_cast<std::size_t>(row() * (nj_ + 2) * (nk_ + 2)));
        column_buffer_.resize(static_cast<std::size_t>(nj_));
        if (m == method::datatypes) {
            column_.emplace(vector(nj_, components, static_cast<int>(components * row()), MPI_DOUBLE));
            column_->commit();
        }
    }

    void rewrite(std::uint64_t round, bool /*everything*/) override {
        auto const n = static_cast<double>(round % 1000 + 1);
        exact_ = {n, 3 * n, 5 * n, 7 * n};
        poison();
        for (int k = 0; k < nk_ + 2; ++k)
            for (int j = 0; j < nj_ + 2; ++j)
                for (int i = 0; i < ni_ + 2; ++i)
                    if (outside(i, j, k)) u_[at(i, j, k)] = exact(i, j, k);
    }
    void poison() override {
        constexpr double none = std::numeric_limits<double>::quiet_NaN();
        for (int k = 0; k < nk_ + 2; ++k)
            for (int j = 0; j < nj_ + 2; ++j)
                for (int i = 0; i < ni_ + 2; ++i)
                    if (!outside(i, j, k)) u_[at(i, j, k)].fill(none);
    }
    [[nodiscard]] long mismatches(std::uint64_t /*round*/) override {
        long wrong = 0;
        for (int k = 1; k <= nk_; ++k)
            for (int j = 1; j <= nj_; ++j)
                for (int i = 1; i <= ni_; ++i) wrong += u_[at(i, j, k)] != exact(i, j, k);
        return wrong;
    }

private:
    void run() override {
        point const up = exact_.source(-1), down = exact_.source(1);
        for (int k = 1; k <= nk_; ++k) {
            communicate([&] { receive_column(west_, 0, k), receive_row(south_, 0, k); });
            for (int j = 1; j <= nj_; ++j)
                for (int i = 1; i <= ni_; ++i) relax(at(i, j, k), at(i - 1, j, k), at(i, j - 1, k), at(i, j, k - 1), up, 0);
            communicate([&] { send_column(east_, ni_, k), send_row(north_, nj_, k); });
        }
        for (int k = nk_; k >= 1; --k) {
            communicate([&] { receive_column(east_, ni_ + 1, k), receive_row(north_, nj_ + 1, k); });
            for (int j = nj_; j >= 1; --j)
                for (int i = ni_; i >= 1; --i) relax(at(i, j, k), at(i + 1, j, k), at(i, j + 1, k), at(i, j, k + 1), down, 0.5);
            communicate([&] { send_column(west_, 1, k), send_row(south_, 1, k); });
        }
    }

    /// Of what was there, `kept` stays.
    void relax(std::size_t here, std::size_t i, std::size_t j, std::size_t k, point const& source, double kept) {
        point next = source;
        for (std::size_t m = 0; m < components; ++m)
            for (std::size_t n = 0; n < components; ++n)
                next[m] += from_i[m][n] * u_[i][n] + from_j[m][n] * u_[j][n] + from_k[m][n] * u_[k][n];
        if (kept != 0)
            for (std::size_t m = 0; m < components; ++m) next[m] = kept * u_[here][m] + (1 - kept) * next[m];
        u_[here] = next;
    }

    static constexpr int column_tag = 1, row_tag = 2;

    void send_column(int to, int i, int k) {
        if (to == MPI_PROC_NULL) return;
        if (column_) {
            MPI_Send(&u_[at(i, 1, k)], 1, column_->get(), to, column_tag, communicator_);
            return;
        }
        for (int j = 1; j <= nj_; ++j) column_buffer_[static_cast<std::size_t>(j - 1)] = u_[at(i, j, k)];
        MPI_Send(column_buffer_.data(), components * nj_, MPI_DOUBLE, to, column_tag, communicator_);
    }
    void receive_column(int from, int i, int k) {
        if (from == MPI_PROC_NULL) return;
        if (column_) {
            MPI_Recv(&u_[at(i, 1, k)], 1, column_->get(), from, column_tag, communicator_, MPI_STATUS_IGNORE);
            return;
        }
        MPI_Recv(column_buffer_.data(), components * nj_, MPI_DOUBLE, from, column_tag, communicator_, MPI_STATUS_IGNORE);
        for (int j = 1; j <= nj_; ++j) u_[at(i, j, k)] = column_buffer_[static_cast<std::size_t>(j - 1)];
    }
    void send_row(int to, int j, int k) { MPI_Send(&u_[at(1, j, k)], components * ni_, MPI_DOUBLE, to, row_tag, communicator_); }
    void receive_row(int from, int j, int k) {
        MPI_Recv(&u_[at(1, j, k)], components * ni_, MPI_DOUBLE, from, row_tag, communicator_, MPI_STATUS_IGNORE);
    }

    [[nodiscard]] std::ptrdiff_t row() const { return ni_ + 2; }
    [[nodiscard]] std::size_t at(int i, int j, int k) const {
        return static_cast<std::size_t>((static_cast<std::ptrdiff_t>(k) * (nj_ + 2) + j) * row() + i);
    }
    /// Of the box of all ranks: its boundary values are given.
    [[nodiscard]] bool outside(int i, int j, int k) const {
        return k == 0 || k == nk_ + 1 || (i == 0 && west_ == MPI_PROC_NULL) || (i == ni_ + 1 && east_ == MPI_PROC_NULL) ||
               (j == 0 && south_ == MPI_PROC_NULL) || (j == nj_ + 1 && north_ == MPI_PROC_NULL);
    }
    [[nodiscard]] point exact(int i, int j, int k) const { return exact_(first_i_ + i, first_j_ + j, k); }

    int ni_ = 0, nj_ = 0, nk_;
    int first_i_ = 0, first_j_ = 0;
    int west_ = MPI_PROC_NULL, east_ = MPI_PROC_NULL, south_ = MPI_PROC_NULL, north_ = MPI_PROC_NULL;
    MPI_Comm communicator_;
    solution exact_{};
    std::vector<point> u_, column_buffer_;
    std::optional<derived> column_;
};

} // namespace

std::unique_ptr<application> make_wavefront(int ni, int nj, int nk, method m, mpi_world const& world) {
    return std::make_unique<wavefront>(ni, nj, nk, m, world);
}

} // namespace sode::internal::bench
