// SPDX-License-Identifier: Apache-2.0
#include "halo/rivals/mpi_handles.hpp"
#include "stencil/mpi/slab_place.hpp"
#include "stencil/mpi/slab_solver.hpp"
#include "stencil/mpi/with_fields.hpp"
#include "support/mpi_world.hpp"

namespace sode::internal::bench {
namespace {

template <class Fields, bool Reduces> class window_solver final : public solver {
public:
    window_solver(MPI_Comm ranks, problem_size size)
        : ranks_(ranks), size_(size), place_(ranks), own_(own_part(place_, size, reach)),
          window_(ranks, place_.rank == 0 ? Fields::values(size, all()) * sizeof(typename Fields::value) : 0, first_touch::user),
          fields_(size, all(), reinterpret_cast<typename Fields::value*>(window_.of(0))) {
        fields_.fill(with_ends(own_, size.layers, reach));
        constexpr int tag = 950;
        for (int peer : {place_.rank - 1, place_.rank + 1}) {
            if (peer < 0 || peer >= place_.ranks) continue;
            neighbours_.receive(nullptr, 0, MPI_BYTE, peer, tag, ranks);
            neighbours_.send(nullptr, 0, MPI_BYTE, peer, tag, ranks);
        }
        MPI_Win_sync(window_.handle());
        MPI_Barrier(ranks);
    }

    void steps(int n) override {
        for (int s = 0; s < n; ++s, now_ = 1 - now_) {
            // What the neighbours wrote can be read, and what they have read can be overwritten.
            MPI_Win_sync(window_.handle());
            neighbours_.start();
            neighbours_.wait();
            MPI_Win_sync(window_.handle());
            if constexpr (Reduces) {
                change_ = fields_.sweep(own_, now_);
                MPI_Allreduce(MPI_IN_PLACE, &change_, 1, MPI_DOUBLE, MPI_SUM, ranks_);
            } else {
                fields_.sweep(own_, now_);
            }
        }
    }

    [[nodiscard]] std::uint64_t fingerprint() const override {
        return fields_.fingerprint(with_ends(own_, size_.layers, reach), now_);
    }
    void meet() override { MPI_Barrier(ranks_); }

private:
    static constexpr long reach = Fields::reach;
    [[nodiscard]] slab all() const noexcept { return {0, size_.layers}; }

    MPI_Comm ranks_;
    problem_size size_;
    slab_place place_;
    slab own_;
    shared_window window_;
    Fields fields_;
    persistent_requests neighbours_;
    double change_ = 0;
    int now_ = 0;
};

} // namespace

std::unique_ptr<solver> by_window(std::string const& problem, MPI_Comm ranks, problem_size size) {
    return with_fields(problem, [&]<class Fields, bool Reduces>() -> std::unique_ptr<solver> {
        return std::make_unique<window_solver<Fields, Reduces>>(ranks, size);
    });
}

} // namespace sode::internal::bench
