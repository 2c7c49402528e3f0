// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "mpi4/context.hpp"
#include "mpi4/held.hpp"

#include <functional>
#include <memory>
#include <mpi.h>
#include <utility>

namespace sode::internal::mpi4 {

/// A persistent collective: what begins it anew at every start, and what that needs.
///
/// The user's handle is a persistent send to nobody, which MPI made: as long as nothing is started, MPI itself knows what waiting
/// for it means. While one is under way, `now` stands in its place.
struct repeated {
    /// Begins it on that communicator.
    using beginning = std::function<int(MPI_Comm, MPI_Request*)>;

    repeated(context where, beginning begins, held_arguments holds)
        : where_(std::move(where)), begins_(std::move(begins)), holds_(std::move(holds)) {}

    [[nodiscard]] int start();
    [[nodiscard]] bool active() const noexcept { return now != MPI_REQUEST_NULL; }

    MPI_Request now = MPI_REQUEST_NULL; ///< of MPI's nonblocking call; null: inactive

private:
    context where_;
    beginning begins_;
    held_arguments holds_;
};

/// Collective. Makes one of them, and its request. Returns a code of MPI, of which the communicator's error handler has heard.
[[nodiscard]] int make_repeated(MPI_Comm communicator, held_arguments&& holds, repeated::beginning begins, MPI_Request* request);

/// The persistent collectives of this process, by handle. Any thread.
namespace table {
/// No lock: for the quick way around all of this.
[[nodiscard]] bool empty() noexcept;
[[nodiscard]] std::shared_ptr<repeated> find(MPI_Request request);
/// It is forgotten; what is under way is completed by whoever asks for it later, or at MPI_Finalize.
[[nodiscard]] bool forget(MPI_Request request);
/// Waits for what was under way when it was forgotten.
void finish();
} // namespace table

} // namespace sode::internal::mpi4
