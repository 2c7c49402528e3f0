// SPDX-License-Identifier: Apache-2.0
#include "datatypes/apps/application.hpp"
#include "datatypes/transpose.hpp"

#include <fftw3.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <new>
#include <numbers>
#include <optional>
#include <stdexcept>

namespace sode::internal::bench {
namespace {

using number = std::complex<double>;

/// Aligned as FFTW wants it.
class matrix {
public:
    explicit matrix(std::size_t numbers) : data_(reinterpret_cast<number*>(fftw_alloc_complex(numbers))) {
        if (data_ == nullptr) throw std::bad_alloc{};
    }
    ~matrix() { fftw_free(data_); }
    matrix(matrix const&) = delete;
    matrix& operator=(matrix const&) = delete;

    [[nodiscard]] number* data() const noexcept { return data_; }
    [[nodiscard]] double* doubles() const noexcept { return reinterpret_cast<double*>(data_); }

private:
    number* data_;
};

/// The transform of one row in place.
class row_transform {
public:
    explicit row_transform(int n) {
        matrix scratch{static_cast<std::size_t>(n)}; // measuring overwrites it
        auto* row = reinterpret_cast<fftw_complex*>(scratch.data());
        plan_ = fftw_plan_dft_1d(n, row, row, FFTW_FORWARD, FFTW_MEASURE | FFTW_UNALIGNED);
        if (plan_ == nullptr) throw std::runtime_error{"FFTW has no plan for rows of " + std::to_string(n)};
    }
    ~row_transform() { fftw_destroy_plan(plan_); }
    row_transform(row_transform const&) = delete;
    row_transform& operator=(row_transform const&) = delete;

    void operator()(number* row) const {
        auto* numbers = reinterpret_cast<fftw_complex*>(row);
        fftw_execute_dft(plan_, numbers, numbers);
    }

private:
    fftw_plan plan_ = nullptr;
};

class fft2d final : public application {
public:
    fft2d(int n, method m, mpi_world const& world)
        : application(m), n_(n), rows_(n / world.size()), world_(world), along_(n), u_(elements()), v_(elements()) {
        if (n % world.size() != 0) throw std::invalid_argument{"the rows must be a multiple of the ranks"};
        if (m == method::datatypes) {
            types_.emplace(make_transpose_types(n_, world.size()));
            types_->column.commit();
            types_->block.commit();
        } else {
            out_.resize(2 * elements());
            in_.resize(2 * elements());
        }
    }

    /// A plane wave, another one each round. Its transform is n² at one place and nothing elsewhere.
    void rewrite(std::uint64_t round, bool /*everything*/) override {
        for (int r = 0; r < rows_; ++r)
            for (int c = 0; c < n_; ++c)
                u_.data()[at(r, c)] = phase(wave_row(round), first_row() + r) * phase(wave_column(round), c);
    }
    void poison() override { std::fill_n(v_.data(), elements(), number{NAN, NAN}); }

    [[nodiscard]] long mismatches(std::uint64_t round) override {
        double const whole = static_cast<double>(n_) * n_;
        long wrong = 0;
        for (int r = 0; r < rows_; ++r)
            for (int c = 0; c < n_; ++c) {
                bool const peak = first_row() + r == wave_row(round) && c == wave_column(round);
                // Not "greater": what is no number is wrong too.
                wrong += !(std::abs(u_.data()[at(r, c)] - (peak ? whole : 0.0)) <= 1e-10 * whole);
            }
        return wrong;
    }

private:
    void run() override {
        transform(u_);
        communicate([this] { transpose(u_, v_); });
        transform(v_);
        communicate([this] { transpose(v_, u_); });
    }

    void transform(matrix& m) {
        for (int r = 0; r < rows_; ++r) along_(m.data() + at(r, 0));
    }

    void transpose(matrix& from, matrix& to) {
        if (types_) {
            MPI_Alltoall(from.doubles(), types_->columns, types_->column.get(), to.doubles(), 1, types_->block.get(),
                         world_.communicator());
            return;
        }
        int const each = 2 * rows_ * rows_;
        pack_transposed(from.doubles(), out_.data(), n_, world_.size());
        MPI_Alltoall(out_.data(), each, MPI_DOUBLE, in_.data(), each, MPI_DOUBLE, world_.communicator());
        unpack_transposed(in_.data(), to.doubles(), n_, world_.size());
    }

    [[nodiscard]] std::size_t elements() const { return static_cast<std::size_t>(n_) * static_cast<std::size_t>(rows_); }
    [[nodiscard]] std::size_t at(int row, int column) const {
        return static_cast<std::size_t>(row) * static_cast<std::size_t>(n_) + static_cast<std::size_t>(column);
    }
    [[nodiscard]] int first_row() const { return world_.rank() * rows_; }
    [[nodiscard]] int wave_row(std::uint64_t round) const {
        return static_cast<int>((7 * round + 3) % static_cast<std::uint64_t>(n_));
    }
    [[nodiscard]] int wave_column(std::uint64_t round) const {
        return static_cast<int>((5 * round + 1) % static_cast<std::uint64_t>(n_));
    }

    /// exp(2πi·wave·position / n); the product is reduced first, in integers, so that it stays exact.
    [[nodiscard]] number phase(int wave, int position) const {
        auto const turn = static_cast<double>(static_cast<std::int64_t>(wave) * position % n_) / n_;
        return std::polar(1.0, 2 * std::numbers::pi * turn);
    }

    int n_, rows_;
    mpi_world const& world_;
    row_transform along_;
    matrix u_, v_;
    std::optional<transpose_types> types_;
    std::vector<double> out_, in_;
};

} // namespace

std::unique_ptr<application> make_fft2d(int n, method m, mpi_world const& world) {
    return std::make_unique<fft2d>(n, m, world);
}

} // namespace sode::internal::bench
