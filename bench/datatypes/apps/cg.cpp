// SPDX-License-Identifier: Apache-2.0
#include "datatypes/apps/application.hpp"
#include "datatypes/derived.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

namespace sode::internal::bench {
namespace {

constexpr std::size_t lanes = 8; // sums side by side, so that compilers may use wide registers
constexpr double diagonal = 7.0; // more than the six neighbours: the error halves with each iteration

/// Conjugate gradients for seven-point differences in a box, n³ points of each rank. What a rank searches along has a halo of one
/// point; nothing is outside of the whole box.
class conjugate_gradients final : public application {
public:
    conjugate_gradients(int n, int iterations, method m, mpi_world const& world)
        : application(m), n_(n), iterations_(iterations), world_(world), along_(with_halo()), solution_(points()),
          residual_(points()), image_(points()) {
        if (n % static_cast<int>(lanes) != 0) throw std::invalid_argument{"the points of an edge must be a multiple of 8"};
        MPI_Dims_create(world.size(), 3, ranks_.data());
        here_ = {world.rank() / (ranks_[1] * ranks_[2]), world.rank() / ranks_[2] % ranks_[1], world.rank() % ranks_[2]};
        for (int d = 0; d < 3; ++d)
            for (bool up : {false, true}) faces_.push_back({neighbour(d, up), inner_face(d, up), outer_face(d, up), {}});
        if (m == method::datatypes) return;
        for (auto& f : faces_) f.packed.resize(2 * face_points());
    }

    void rewrite(std::uint64_t round, bool /*everything*/) override {
        round_ = round;
        std::ranges::fill(along_, 0.0);
        for_each_point([&](int i, int j, int k, std::size_t at) {
            double const neighbours = exact(i - 1, j, k) + exact(i + 1, j, k) + exact(i, j - 1, k) + exact(i, j + 1, k) +
                                      exact(i, j, k - 1) + exact(i, j, k + 1);
            residual_[at] = along_[inside(i, j, k)] = diagonal * exact(i, j, k) - neighbours;
            solution_[at] = 0;
        });
        poison();
    }
    /// The halo, which is the neighbours' business.
    void poison() override {
        for (auto const& f : faces_)
            if (f.peer != MPI_PROC_NULL)
                for_each_of(f.outer, [&](double& value) { value = std::numeric_limits<double>::quiet_NaN(); });
    }
    [[nodiscard]] long mismatches(std::uint64_t /*round*/) override {
        long wrong = 0;
        // Not "greater": what is no number is wrong too.
        for_each_point([&](int i, int j, int k, std::size_t at) { wrong += !(std::abs(solution_[at] - exact(i, j, k)) <= 1e-6); });
        return wrong;
    }

private:
    using corner = std::array<int, 3>;
    struct box3 {
        corner first, size;
    };
    struct face {
        int peer;
        box3 inner, outer;
        std::vector<double> packed; // what goes, then what comes
    };

    void run() override {
        types_of_faces();
        double rr = total(dot(residual_, residual_));
        for (int k = 0; k < iterations_; ++k) {
            communicate([this] { swap_faces(); });
            double const step = rr / total(apply());
            double const next = total(descend(step));
            turn(next / rr);
            rr = next;
        }
    }

    /// As a program does it before its first iteration.
    void types_of_faces() {
        if (!types_.empty() || name() != "datatypes") return;
        corner const sizes{n_ + 2, n_ + 2, n_ + 2};
        for (auto const& f : faces_) {
            for (auto const& b : {f.inner, f.outer}) {
                types_.push_back(subarray(sizes, b.size, b.first, MPI_DOUBLE));
                types_.back().commit();
            }
        }
    }

    void swap_faces() {
        std::array<MPI_Request, 12> requests{};
        int started = 0;
        int const each = static_cast<int>(face_points());
        for (std::size_t f = 0; f < faces_.size(); ++f) {
            auto& here = faces_[f];
            int const tag = static_cast<int>(f), other = static_cast<int>(f ^ 1U); // the peer's opposite face
            if (!types_.empty()) {
                MPI_Irecv(along_.data(), 1, types_[2 * f + 1].get(), here.peer, other, world_.communicator(),
                          &requests[at(started++)]);
                MPI_Isend(along_.data(), 1, types_[2 * f].get(), here.peer, tag, world_.communicator(), &requests[at(started++)]);
                continue;
            }
            MPI_Irecv(here.packed.data() + each, each, MPI_DOUBLE, here.peer, other, world_.communicator(),
                      &requests[at(started++)]);
            double* to = here.packed.data();
            if (here.peer != MPI_PROC_NULL) for_each_of(here.inner, [&](double& value) { *to++ = value; });
            MPI_Isend(here.packed.data(), each, MPI_DOUBLE, here.peer, tag, world_.communicator(), &requests[at(started++)]);
        }
        MPI_Waitall(started, requests.data(), MPI_STATUSES_IGNORE);
        for (auto& f : faces_)
            if (types_.empty() && f.peer != MPI_PROC_NULL) {
                double const* from = f.packed.data() + each;
                for_each_of(f.outer, [&](double& value) { value = *from++; });
            }
    }

    [[nodiscard]] double total(double mine) {
        double all = 0;
        communicate([&] { MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, world_.communicator()); });
        return all;
    }

    /// image = A along; their product.
    [[nodiscard]] double apply() {
        std::array<double, lanes> sums{};
        auto const row = static_cast<std::size_t>(n_ + 2), plane = row * row;
        for_each_row([&](std::size_t first, std::size_t flat) {
            double const* p = along_.data() + first;
            double* const q = image_.data() + flat;
            for (int k = 0; k < n_; k += static_cast<int>(lanes), p += lanes)
                for (std::size_t l = 0; l < lanes; ++l) {
                    double const* const c = p + l;
                    double const value =
                        diagonal * *c - (*(c - plane) + *(c + plane) + *(c - row) + *(c + row) + *(c - 1) + *(c + 1));
                    q[at(k) + l] = value;
                    sums[l] += value * *c;
                }
        });
        return sum(sums);
    }
    /// solution += step along, residual -= step image; the square of the residual.
    [[nodiscard]] double descend(double step) {
        std::array<double, lanes> sums{};
        for_each_row([&](std::size_t first, std::size_t flat) {
            double const* const p = along_.data() + first;
            double const* const q = image_.data() + flat;
            double* const x = solution_.data() + flat;
            double* const r = residual_.data() + flat;
            for (std::size_t k = 0; k < at(n_); k += lanes)
                for (std::size_t l = 0; l < lanes; ++l) {
                    x[k + l] += step * p[k + l];
                    r[k + l] -= step * q[k + l];
                    sums[l] += r[k + l] * r[k + l];
                }
        });
        return sum(sums);
    }
    /// along = residual + share along
    void turn(double share) {
        for_each_row([&](std::size_t first, std::size_t flat) {
            double* const p = along_.data() + first;
            double const* const r = residual_.data() + flat;
            for (std::size_t k = 0; k < at(n_); ++k) p[k] = r[k] + share * p[k];
        });
    }

    static double dot(std::vector<double> const& a, std::vector<double> const& b) {
        std::array<double, lanes> sums{};
        for (std::size_t k = 0; k < a.size(); k += lanes)
            for (std::size_t l = 0; l < lanes; ++l) sums[l] += a[k + l] * b[k + l];
        return sum(sums);
    }
    static double sum(std::array<double, lanes> const& sums) {
        double all = 0;
        for (double s : sums) all += s;
        return all;
    }

    /// `use(where the row begins in `along_`, where in fields without a halo)`
    template <class Use> void for_each_row(Use use) const {
        for (int i = 0; i < n_; ++i)
            for (int j = 0; j < n_; ++j) use(local(i + 1, j + 1, 1), at((i * n_ + j) * n_));
    }
    /// `use(i, j, k, where in fields without a halo)`, of the whole box.
    template <class Use> void for_each_point(Use use) const {
        std::size_t flat = 0;
        for (int i = 0; i < n_; ++i)
            for (int j = 0; j < n_; ++j)
                for (int k = 0; k < n_; ++k) use(here_[0] * n_ + i, here_[1] * n_ + j, here_[2] * n_ + k, flat++);
    }
    template <class Use> void for_each_of(box3 const& b, Use use) {
        for (int i = 0; i < b.size[0]; ++i)
            for (int j = 0; j < b.size[1]; ++j)
                for (int k = 0; k < b.size[2]; ++k) use(along_[local(b.first[0] + i, b.first[1] + j, b.first[2] + k)]);
    }

    [[nodiscard]] int neighbour(int d, bool up) const {
        corner there = here_;
        auto const dim = at(d);
        there[dim] += up ? 1 : -1;
        if (there[dim] < 0 || there[dim] >= ranks_[dim]) return MPI_PROC_NULL;
        return (there[0] * ranks_[1] + there[1]) * ranks_[2] + there[2];
    }
    [[nodiscard]] box3 slab_at(int d, int place) const {
        box3 b{{1, 1, 1}, {n_, n_, n_}};
        b.first[at(d)] = place;
        b.size[at(d)] = 1;
        return b;
    }
    [[nodiscard]] box3 inner_face(int d, bool up) const { return slab_at(d, up ? n_ : 1); }
    [[nodiscard]] box3 outer_face(int d, bool up) const { return slab_at(d, up ? n_ + 1 : 0); }

    static std::size_t at(int i) { return static_cast<std::size_t>(i); }
    [[nodiscard]] std::size_t local(int i, int j, int k) const { return (at(i) * at(n_ + 2) + at(j)) * at(n_ + 2) + at(k); }
    [[nodiscard]] std::size_t inside(int i, int j, int k) const {
        return local(i - here_[0] * n_ + 1, j - here_[1] * n_ + 1, k - here_[2] * n_ + 1);
    }
    [[nodiscard]] std::size_t points() const { return at(n_) * at(n_) * at(n_); }
    [[nodiscard]] std::size_t with_halo() const { return at(n_ + 2) * at(n_ + 2) * at(n_ + 2); }
    [[nodiscard]] std::size_t face_points() const { return at(n_) * at(n_); }
    /// Of the solution; 0 outside of the box.
    [[nodiscard]] double exact(int i, int j, int k) const {
        if (i < 0 || j < 0 || k < 0 || i >= ranks_[0] * n_ || j >= ranks_[1] * n_ || k >= ranks_[2] * n_) return 0;
        return static_cast<double>((7 * i + 13 * j + 17 * k + static_cast<int>(31 * round_ % 101)) % 101) / 101;
    }

    int n_, iterations_;
    mpi_world const& world_;
    corner ranks_{}, here_{};
    std::uint64_t round_ = 0;
    std::vector<double> along_, solution_, residual_, image_;
    std::vector<face> faces_;    // down and up in each dimension
    std::vector<derived> types_; // of each face: what goes, what comes
};

} // namespace

std::unique_ptr<application> make_cg(int n, int iterations, method m, mpi_world const& world) {
    return std::make_unique<conjugate_gradients>(n, iterations, m, world);
}

} // namespace sode::internal::bench
