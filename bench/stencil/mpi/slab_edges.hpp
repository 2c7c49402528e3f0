// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "halo/rivals/mpi_handles.hpp"

#include <array>

namespace sode::internal::bench {

/// The exchange of a slab's first and last layers with the ranks before and behind it: contiguous, so nothing is packed;
/// persistent, a set of requests for each of the two arrays that change roles.
class slab_edges {
public:
    /// Where the layers of one array lie: what is received from before and behind, what is sent there.
    struct layers {
        void *from_before, *to_before, *to_behind, *from_behind;
    };

    /// Rank r of `ranks` exchanges with r - 1 and r + 1, where they exist.
    slab_edges(MPI_Comm ranks, std::array<layers, 2> const& halves, long bytes) {
        int rank = 0, count = 1;
        MPI_Comm_rank(ranks, &rank);
        MPI_Comm_size(ranks, &count);
        constexpr int upwards = 900, downwards = 902;
        for (int half : {0, 1}) {
            auto const& l = halves[static_cast<std::size_t>(half)];
            auto& r = requests_[static_cast<std::size_t>(half)];
            auto const n = static_cast<int>(bytes);
            if (rank > 0) {
                r.receive(l.from_before, n, MPI_BYTE, rank - 1, upwards + half, ranks);
                r.send(l.to_before, n, MPI_BYTE, rank - 1, downwards + half, ranks);
            }
            if (rank + 1 < count) {
                r.receive(l.from_behind, n, MPI_BYTE, rank + 1, downwards + half, ranks);
                r.send(l.to_behind, n, MPI_BYTE, rank + 1, upwards + half, ranks);
            }
        }
        any_ = count > 1;
    }

    [[nodiscard]] bool any() const noexcept { return any_; }
    void start(int half) { requests_[static_cast<std::size_t>(half)].start(); }
    void progress(int half) { requests_[static_cast<std::size_t>(half)].progress(); }
    void wait(int half) { requests_[static_cast<std::size_t>(half)].wait(); }

private:
    std::array<persistent_requests, 2> requests_;
    bool any_ = false;
};

} // namespace sode::internal::bench
