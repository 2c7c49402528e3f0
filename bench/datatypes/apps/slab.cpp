// SPDX-License-Identifier: Apache-2.0
#include "datatypes/apps/application.hpp"

#include <limits>
#include <stdexcept>
#include <utility>

namespace sode::internal::bench {
namespace {

class slab final : public application {
public:
    slab(int n, int steps, mpi_world const& world)
        : application(method::bytes), n_(n), rows_(n / world.size()), steps_(steps), world_(world), now_(elements()),
          next_(elements()) {
        if (n % world.size() != 0) throw std::invalid_argument{"the rows must be a multiple of the ranks"};
    }

    void rewrite(std::uint64_t round, bool /*everything*/) override {
        slope_ = static_cast<double>(round % 1000 + 1);
        for (int i = 0; i < rows_ + 2; ++i)
            for (int j = 0; j < n_ + 2; ++j) now_[at(i, j)] = next_[at(i, j)] = exact(i, j);
        poison();
    }
    /// The halo, which is the neighbours' business.
    void poison() override {
        constexpr double none = std::numeric_limits<double>::quiet_NaN();
        for (auto* u : {&now_, &next_})
            for (int j = 0; j < n_ + 2; ++j) {
                if (below() != MPI_PROC_NULL) (*u)[at(0, j)] = none;
                if (above() != MPI_PROC_NULL) (*u)[at(rows_ + 1, j)] = none;
            }
    }
    [[nodiscard]] long mismatches(std::uint64_t /*round*/) override {
        long wrong = 0;
        for (int i = 1; i <= rows_; ++i)
            for (int j = 1; j <= n_; ++j) wrong += now_[at(i, j)] != exact(i, j);
        return wrong;
    }

private:
    void run() override {
        for (int s = 0; s < steps_; ++s) {
            communicate([this] { swap_rows(); });
            for (int i = 1; i <= rows_; ++i)
                for (int j = 1; j <= n_; ++j)
                    next_[at(i, j)] = 0.25 * (now_[at(i - 1, j)] + now_[at(i + 1, j)] + now_[at(i, j - 1)] + now_[at(i, j + 1)]);
            std::swap(now_, next_);
        }
    }

    void swap_rows() {
        MPI_Sendrecv(&now_[at(rows_, 1)], n_, MPI_DOUBLE, above(), 1, &now_[at(0, 1)], n_, MPI_DOUBLE, below(), 1,
                     world_.communicator(), MPI_STATUS_IGNORE);
        MPI_Sendrecv(&now_[at(1, 1)], n_, MPI_DOUBLE, below(), 2, &now_[at(rows_ + 1, 1)], n_, MPI_DOUBLE, above(), 2,
                     world_.communicator(), MPI_STATUS_IGNORE);
    }

    [[nodiscard]] int below() const { return world_.rank() > 0 ? world_.rank() - 1 : MPI_PROC_NULL; }
    [[nodiscard]] int above() const { return world_.rank() + 1 < world_.size() ? world_.rank() + 1 : MPI_PROC_NULL; }
    [[nodiscard]] std::size_t elements() const { return static_cast<std::size_t>(n_ + 2) * static_cast<std::size_t>(rows_ + 2); }
    [[nodiscard]] std::size_t at(int i, int j) const {
        return static_cast<std::size_t>(i) * static_cast<std::size_t>(n_ + 2) + static_cast<std::size_t>(j);
    }
    /// Linear, so that it stays; and exact, in these numbers.
    [[nodiscard]] double exact(int i, int j) const { return slope_ * (world_.rank() * rows_ + i) + 2 * slope_ * j; }

    int n_, rows_, steps_;
    mpi_world const& world_;
    double slope_ = 1;
    std::vector<double> now_, next_;
};

} // namespace

std::unique_ptr<application> make_slab(int n, int steps, mpi_world const& world) {
    return std::make_unique<slab>(n, steps, world);
}

} // namespace sode::internal::bench
