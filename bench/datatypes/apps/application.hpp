// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "datatypes/ping_pong.hpp"
#include "support/clock.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sode::internal::bench {

/// How an application moves what is not contiguous; bytes: it has nothing of that kind.
enum class method { datatypes, packing, bytes };

[[nodiscard]] constexpr std::string_view to_string(method m) noexcept {
    return m == method::datatypes ? "datatypes" : m == method::packing ? "packing" : "bytes";
}

/// A small application that computes: exchange() is one run of it, mismatches() compares the result with the known solution.
class application : public communication {
public:
    explicit application(method m) : name_(to_string(m)) {}
    [[nodiscard]] std::string const& name() const noexcept final { return name_; }
    void renew() final {}
    [[nodiscard]] long spilled() final { return 0; }

    /// Of the time of all runs since it was asked for last, how much this rank spent in communication, packing and waiting.
    [[nodiscard]] double communication_share() {
        double const share = all_ > 0 ? static_cast<double>(communication_) / static_cast<double>(all_) : 0;
        communication_ = all_ = 0;
        return share;
    }

    void exchange() final {
        std::uint64_t const begin = ticks();
        run();
        all_ += ticks() - begin;
    }

protected:
    virtual void run() = 0;
    template <typename Communicate> void communicate(Communicate what) {
        std::uint64_t const begin = ticks();
        what();
        communication_ += ticks() - begin;
    }

private:
    std::string name_;
    std::uint64_t communication_ = 0, all_ = 0;
};

/// A two-dimensional FFT of n×n complex doubles (FFTW for the rows, two transpositions); n must be a multiple of the ranks.
[[nodiscard]] std::unique_ptr<application> make_fft2d(int n, method m, mpi_world const& world);

/// Pipelined sweeps through a box of points with five numbers each, as in LU: plane after plane, a rank receives the last row and
/// column of its lower neighbours, computes, and sends its own on; then all the way back. `ni`, `nj`: of all ranks together.
[[nodiscard]] std::unique_ptr<application> make_wavefront(int ni, int nj, int nk, method m, mpi_world const& world);

/// Jacobi's method on n×n points, cut into slabs: small contiguous messages, a few microseconds of work between them. What a
/// program pays that Sode can do nothing for.
[[nodiscard]] std::unique_ptr<application> make_slab(int n, int steps, mpi_world const& world);

/// Conjugate gradients for seven-point differences, n³ points of each rank: faces by messages, and two sums of all ranks in each
/// iteration. n is a multiple of 8.
[[nodiscard]] std::unique_ptr<application> make_cg(int n, int iterations, method m, mpi_world const& world);

/// An application at one size; `bytes` of its data.
struct application_case {
    std::string name;
    std::int64_t bytes;
    std::vector<method> methods;
    std::unique_ptr<application> (*make)(method m, mpi_world const& world);
};
[[nodiscard]] std::vector<application_case> all_applications();

} // namespace sode::internal::bench
