// SPDX-License-Identifier: Apache-2.0
#include "interpose/transport/machines_bootstrap.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <limits>
#include <utility>

namespace sode::internal::interpose {

namespace {

int length_of_message(std::size_t bytes) {
    if (bytes <= static_cast<std::size_t>(std::numeric_limits<int>::max())) return static_cast<int>(bytes);
    throw error{error_kind::internal, fmt::format("a message of {} bytes was planned", bytes),
                "the MPI layer plans only shorter collectives", "report this defect of Sode"};
}

} // namespace

// Only what was given up is under way then.
pmpi_messages::~pmpi_messages() {
    for (auto& r : requests_)
        if (r != MPI_REQUEST_NULL) mpi_itself().request_free(&r);
}

std::size_t pmpi_messages::add(message const& one) {
    messages_.push_back(one);
    requests_.push_back(MPI_REQUEST_NULL);
    indices_.resize(requests_.size());
    return requests_.size() - 1;
}

std::size_t pmpi_messages::send(void const* data, std::size_t bytes, int peer, int tag) {
    return add(
        {const_cast<void*>(data), length_of_message(bytes), peer, tag, true}); // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

std::size_t pmpi_messages::receive(void* data, std::size_t bytes, int peer, int tag) {
    return add({data, length_of_message(bytes), peer, tag, false});
}

void pmpi_messages::start(std::size_t message) {
    auto const& [data, bytes, peer, tag, leaves] = messages_[message];
    auto* const request = &requests_[message];
    if (leaves)
        check(mpi_itself().isend(data, bytes, MPI_BYTE, peer, tag, communicator_, request), "MPI_Isend");
    else
        check(mpi_itself().irecv(data, bytes, MPI_BYTE, peer, tag, communicator_, request), "MPI_Irecv");
}

std::size_t pmpi_messages::collect(std::span<std::size_t> done) {
    int count = 0;
    check(mpi_itself().testsome(static_cast<int>(requests_.size()), requests_.data(), &count, indices_.data(), MPI_STATUSES_IGNORE),
          "MPI_Testsome");
    if (count == MPI_UNDEFINED) return 0; // nothing is under way
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) done[i] = static_cast<std::size_t>(indices_[i]);
    return static_cast<std::size_t>(count);
}

machines_bootstrap::machines_bootstrap(MPI_Comm of, int machine_size) : mpi_ranks(of), machine_size_(machine_size) {
    int* bound = nullptr;
    int known = 0;
    if (PMPI_Comm_get_attr(communicator(), MPI_TAG_UB, static_cast<void*>(&bound), &known) == MPI_SUCCESS && known != 0)
        most_tag_ = *bound;
}

std::vector<int> machines_bootstrap::machines() {
    auto all = mpi_ranks::machines();
    return machine_size_ > 0 ? divided_machines(std::move(all), machine_size_) : all;
}

void machines_bootstrap::combine(std::span<std::uint64_t> maxima, std::span<std::uint64_t> sums) {
    if (maxima.empty() && sums.empty()) return barrier();
    reduce(maxima, MPI_MAX);
    reduce(sums, MPI_SUM);
}

void machines_bootstrap::reduce(std::span<std::uint64_t> words, MPI_Op op) const {
    if (words.empty()) return;
    check(mpi_itself().allreduce(MPI_IN_PLACE, words.data(), static_cast<int>(words.size()), MPI_UINT64_T, op, communicator()),
          "MPI_Allreduce");
}

std::unique_ptr<bootstrap> machines_bootstrap::part(std::span<int const> ranks) {
    MPI_Group all = MPI_GROUP_NULL, some = MPI_GROUP_NULL;
    MPI_Comm of_them = MPI_COMM_NULL;
    check(PMPI_Comm_group(communicator(), &all), "MPI_Comm_group");
    int status = PMPI_Group_incl(all, static_cast<int>(ranks.size()), ranks.data(), &some);
    PMPI_Group_free(&all);
    check(status, "MPI_Group_incl");
    status = PMPI_Comm_create_group(communicator(), some, 0, &of_them);
    PMPI_Group_free(&some);
    check(status, "MPI_Comm_create_group");
    auto result = std::make_unique<machines_bootstrap>(of_them, 0); // who is where, the whole knows
    PMPI_Comm_free(&of_them);
    return result;
}

} // namespace sode::internal::interpose
