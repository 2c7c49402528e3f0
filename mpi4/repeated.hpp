// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/collective/persistent_face.hpp"
#include "mpi4/context.hpp"
#include "mpi4/held.hpp"

#include <functional>
#include <memory>
#include <mpi.h>
#include <optional>
#include <utility>

namespace sode::internal::mpi4 {

using interpose::persistent_arguments;
using interpose::planned_function;

/// The MPI layer, if it is loaded; else null.
[[nodiscard]] interpose::persistent_face const* layer() noexcept;

/// A persistent collective: what begins it anew at every start, and what that needs.
///
/// The user's handle is a persistent request that is never started, which MPI made: as long as nothing is started, MPI itself knows
/// what waiting for it means. While one is under way, `now` stands in its place; or the MPI layer runs it as a plan, of which MPI
/// knows nothing.
struct repeated {
    /// Begins it on that communicator.
    using beginning = std::function<int(MPI_Comm, MPI_Request*)>;

    repeated(context where, beginning begins, held_arguments holds)
        : where_(std::move(where)), begins_(std::move(begins)), holds_(std::move(holds)) {}

    /// A plan of the layer's.
    repeated(interpose::repeated_plan& plan, held_arguments holds) : holds_(std::move(holds)), plan_(&plan) {}
    ~repeated() {
        if (plan_ != nullptr) layer()->free(*plan_);
    }
    repeated(repeated const&) = delete;
    repeated& operator=(repeated const&) = delete;
    repeated(repeated&&) = delete;
    repeated& operator=(repeated&&) = delete;

    [[nodiscard]] int start();
    [[nodiscard]] bool active() const noexcept { return now != MPI_REQUEST_NULL || started_; }
    [[nodiscard]] bool is_planned() const noexcept { return plan_ != nullptr; }

    /// Of a plan that is active: goes on without waiting. Whether wait() would not wait either.
    [[nodiscard]] bool test();
    /// The same: it is inactive afterwards. Returns a code of MPI.
    [[nodiscard]] int wait();

    MPI_Request now = MPI_REQUEST_NULL; ///< of MPI's nonblocking call; null: inactive, or a plan

private:
    context where_;
    beginning begins_;
    held_arguments holds_;
    interpose::repeated_plan* plan_ = nullptr;
    bool started_ = false; // the plan
    int failed_ = MPI_SUCCESS;
};

/// Collective. Makes one of them, and its request. `plannable`: what the layer may make a plan of; of the functions that may be
/// one, all ranks pass it. Returns a code of MPI, of which the communicator's error handler has heard.
[[nodiscard]] int make_repeated(MPI_Comm communicator, held_arguments&& holds, repeated::beginning begins, MPI_Request* request,
                                std::optional<persistent_arguments> const& plannable = std::nullopt);

/// The persistent collectives of this process, by handle. Any thread.
namespace table {
/// No lock: for the quick way around all of this.
[[nodiscard]] bool empty() noexcept;
/// Null, if it is none. It stays until forget(), which no thread may call while another one uses the request.
[[nodiscard]] repeated* find(MPI_Request request);
/// It is forgotten; what is under way is completed by whoever asks for it later, or at MPI_Finalize.
[[nodiscard]] bool forget(MPI_Request request);
/// Waits for what was under way when it was forgotten.
void finish();
} // namespace table

} // namespace sode::internal::mpi4
