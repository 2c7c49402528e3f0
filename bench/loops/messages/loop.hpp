// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "functions.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sode::internal::bench {

/// Who takes part in a loop: ranks in a ring, each of which also has a partner.
struct ring {
    MPI_Comm comm = MPI_COMM_WORLD;
    int rank = 0, ranks = 1;
    [[nodiscard]] int partner() const { return (rank ^ 1) < ranks ? rank ^ 1 : MPI_PROC_NULL; }
    [[nodiscard]] int left() const { return (rank + ranks - 1) % ranks; }
    [[nodiscard]] int right() const { return (rank + 1) % ranks; }
    [[nodiscard]] bool first() const { return rank % 2 == 0; } ///< of two partners
};

/// One turn of a loop, and what it needs as long as it lives. Made anew for each set of functions.
using turn = std::function<void()>;

/// A loop that programs have.
struct loop {
    std::string name;
    int messages = 1; ///< of one turn, in one direction
    std::function<turn(functions const&, ring const&, int bytes)> make;
    int least = 1; ///< bytes
    int most = 1 << 20;
};

/// Of messages that lie together.
std::vector<loop> contiguous_loops();
/// Of faces of arrays; the name says which, and how they are exchanged.
std::vector<loop> face_loops();

} // namespace sode::internal::bench
