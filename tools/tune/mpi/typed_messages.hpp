// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/requests/layer.hpp"
#include "layout/layout.hpp"
#include "tune/datatype_estimate.hpp"
#include "tune/turns.hpp"

#include <cstddef>
#include <cstdint>
#include <mpi.h>
#include <vector>

namespace sode::internal::tools {

/// A committed datatype, and where its bytes are.
class typed_rows {
public:
    /// Of doubles: vectors for loops, indexed datatypes for lists, structures for sequences. Errors: peer, if MPI fails.
    explicit typed_rows(layout rows);
    ~typed_rows();
    typed_rows(typed_rows&& other) noexcept;
    typed_rows(typed_rows const&) = delete;
    typed_rows& operator=(typed_rows const&) = delete;
    typed_rows& operator=(typed_rows&&) = delete;

    [[nodiscard]] MPI_Datatype type() const noexcept { return type_; }
    [[nodiscard]] layout const& where() const noexcept { return where_; }

private:
    layout where_;
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// Messages to and fro between the two ranks of a communicator, from and to memory that is written anew before each; rank 0 takes
/// the times. All functions that measure are called by both.
class typed_ping_pong {
public:
    typed_ping_pong(MPI_Comm pair, int rank, turns& turn);

    /// Nanoseconds of one way, half of there and back: the median of a few. Left to MPI.
    [[nodiscard]] double plain(typed_rows const& what);
    /// The same, moved by a layer of this program's world. Errors: environment, if the layer leaves it to MPI.
    [[nodiscard]] double moved(interpose::layer& by, typed_rows const& what);
    /// What the first messages by a layer, there and back, of a datatype that is new take longer than the next ones, each after
    /// other work, which has filled the caches.
    [[nodiscard]] double first(interpose::layer& by, layout const& where);

private:
    // Without a layer: by MPI.
    void send(interpose::layer* by, typed_rows const& what);
    void receive(interpose::layer* by, typed_rows const& what);
    void rewrite(typed_rows const& what);
    void fill_caches();
    [[nodiscard]] double to_and_fro(interpose::layer* by, typed_rows const& what);
    [[nodiscard]] double usual(interpose::layer* by, typed_rows const& what);

    MPI_Comm pair_;
    int rank_;
    turns& turn_;
    std::vector<std::byte> memory_;
    std::vector<std::byte> fresh_;
    std::vector<std::byte> other_; ///< more than any cache of a core
};

} // namespace sode::internal::tools
