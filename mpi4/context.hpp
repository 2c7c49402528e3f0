// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <mpi.h>
#include <utility>

namespace sode::internal::mpi4 {

struct context_pool;

/// A communicator like the user's, topology included, for one persistent collective: ranks may start several of them in different
/// orders (MPI-4.0, 6.13), and nonblocking collectives of one communicator have to begin in one order.
class context {
public:
    context() = default;
    ~context();
    context(context const&) = delete;
    context& operator=(context const&) = delete;
    context(context&& other) noexcept : pool_(std::move(other.pool_)), at_(other.at_) {}
    context& operator=(context&& other) noexcept {
        std::swap(pool_, other.pool_);
        std::swap(at_, other.at_);
        return *this;
    }

    /// Collective over `communicator`: one that all ranks have free there, or a new one. MPIs have some thousands of communicators.
    /// Attributes are not copied. Returns a code of MPI, of which the error handler has heard.
    [[nodiscard]] static int on(MPI_Comm communicator, context& result);
    [[nodiscard]] MPI_Comm communicator() const noexcept;

private:
    std::shared_ptr<context_pool> pool_;
    std::size_t at_ = 0;
};

} // namespace sode::internal::mpi4
