// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/transport/pmpi_bootstrap.hpp"

#include <sode/messages.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace sode::internal::interpose {

/// The messages of one plan between machines, by MPI itself, past all tools. Any thread may go on with them, one at a time.
///
/// No persistent requests: a short message that is begun anew takes the shorter way through both MPIs.
class pmpi_messages final : public message_set {
public:
    explicit pmpi_messages(MPI_Comm communicator) noexcept : communicator_(communicator) {}
    ~pmpi_messages() override;
    pmpi_messages(pmpi_messages const&) = delete;
    pmpi_messages& operator=(pmpi_messages const&) = delete;
    pmpi_messages(pmpi_messages&&) = delete;
    pmpi_messages& operator=(pmpi_messages&&) = delete;

    [[nodiscard]] std::size_t send(void const* data, std::size_t bytes, int peer, int tag) override;
    [[nodiscard]] std::size_t receive(void* data, std::size_t bytes, int peer, int tag) override;
    void start(std::size_t message) override;
    [[nodiscard]] std::size_t collect(std::span<std::size_t> done) override;

private:
    struct message {
        void* data; ///< not written to where it is sent
        int bytes, peer, tag;
        bool leaves;
    };
    [[nodiscard]] std::size_t add(message const& one);

    MPI_Comm communicator_;
    std::vector<message> messages_;
    std::vector<MPI_Request> requests_; // by message; null: it is not under way
    std::vector<int> indices_;
};

/// Ranks of several machines, which exchange messages by MPI.
class machines_bootstrap final : public detail::mpi_ranks<pmpi_calls>, private messenger {
public:
    /// Collective. So many ranks pretend to be a machine (SODE_MACHINE_SIZE); 0: as they are. Errors: peer, if MPI fails.
    machines_bootstrap(MPI_Comm of, int machine_size);
    /// Collective; before PMPI_Finalize.
    ~machines_bootstrap() override { free_communicator(); }
    machines_bootstrap(machines_bootstrap const&) = delete;
    machines_bootstrap& operator=(machines_bootstrap const&) = delete;
    machines_bootstrap(machines_bootstrap&&) = delete;
    machines_bootstrap& operator=(machines_bootstrap&&) = delete;

    [[nodiscard]] std::vector<int> machines() override;
    void combine(std::span<std::uint64_t> maxima, std::span<std::uint64_t> sums) override;
    [[nodiscard]] messenger* messages() noexcept override { return this; }
    /// By MPI_Comm_create_group.
    [[nodiscard]] std::unique_ptr<bootstrap> part(std::span<int const> ranks) override;

private:
    void reduce(std::span<std::uint64_t> words, MPI_Op op) const;
    [[nodiscard]] std::unique_ptr<message_set> make_set() override { return std::make_unique<pmpi_messages>(communicator()); }
    [[nodiscard]] int most_tag() const noexcept override { return most_tag_; }

    int machine_size_;
    int most_tag_ = 32767; // that every MPI has
};

} // namespace sode::internal::interpose
