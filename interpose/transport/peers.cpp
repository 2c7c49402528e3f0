// SPDX-License-Identifier: Apache-2.0
#include "interpose/transport/peers.hpp"

#include "interpose/calls/entry.hpp"
#include "interpose/transport/pmpi_bootstrap.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <numeric>
#include <utility>

namespace sode::internal::interpose {

namespace {

// Grows when a communicator is freed: what threads remember is then void.
std::atomic<std::uint64_t> generation{1};

int forget(MPI_Comm, int, void* attribute, void*) {
    entry const call;
    auto* const known = static_cast<acquaintance*>(attribute);
    if (known->twin != MPI_COMM_NULL) PMPI_Comm_free(&known->twin);
    generation.fetch_add(1, std::memory_order_release);
    delete known; // NOLINT(cppcoreguidelines-owning-memory): MPI was the owner
    return MPI_SUCCESS;
}

} // namespace

peers::peers() {
    check(PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &key_, nullptr), "MPI_Comm_create_keyval");
    check(PMPI_Comm_size(MPI_COMM_WORLD, &world_size_), "MPI_Comm_size");
}

peers::~peers() {
    // What MPI_Finalize may leave to nobody.
    acquaintance* known = nullptr;
    int there = 0;
    PMPI_Comm_get_attr(MPI_COMM_WORLD, key_, &known, &there);
    if (there != 0) PMPI_Comm_delete_attr(MPI_COMM_WORLD, key_);
    PMPI_Comm_free_keyval(&key_);
}

int peers::in_world(MPI_Comm communicator, int rank) {
    if (rank < 0 || communicator == MPI_COMM_NULL) return -1;
    if (communicator == MPI_COMM_WORLD) return rank < world_size_ ? rank : -1;
    acquaintance const* const known = of(communicator);
    if (known == nullptr || static_cast<std::size_t>(rank) >= known->in_world.size()) return -1;
    return known->in_world[static_cast<std::size_t>(rank)];
}

acquaintance* peers::of(MPI_Comm communicator) {
    struct recent {
        std::uint64_t generation = 0;
        int key = MPI_KEYVAL_INVALID;
        MPI_Comm communicator = MPI_COMM_NULL;
        acquaintance* known = nullptr;
    };
    thread_local recent last; // MPI looks for an attribute under a lock
    std::uint64_t const now = generation.load(std::memory_order_acquire);
    if (last.generation == now && last.key == key_ && last.communicator == communicator) return last.known;
    acquaintance* const known = look_for(communicator);
    if (known != nullptr) last = {now, key_, communicator, known};
    return known;
}

acquaintance* peers::look_for(MPI_Comm communicator) {
    acquaintance* known = nullptr;
    int there = 0;
    PMPI_Comm_get_attr(communicator, key_, &known, &there);
    if (there != 0) return known;
    std::lock_guard const lock{making_};
    PMPI_Comm_get_attr(communicator, key_, &known, &there);
    if (there != 0) return known;
    auto* const end = find_ending(communicator);
    if (end != nullptr && end->known_) return end->known_.get();
    auto made = std::make_unique<acquaintance>();
    made->in_world = look_up(communicator);
    if (end != nullptr) {
        end->known_ = std::move(made);
        return end->known_.get();
    }
    if (PMPI_Comm_set_attr(communicator, key_, made.get()) != MPI_SUCCESS) return nullptr;
    return made.release();
}

peers::ending::ending(peers& of, MPI_Comm communicator) : of_(of), communicator_(communicator) {
    std::lock_guard const lock{of_.making_};
    of_.endings_.push_back(this);
}

peers::ending::~ending() {
    {
        std::lock_guard const lock{of_.making_};
        std::erase(of_.endings_, this);
    }
    if (!known_) return;
    if (known_->twin != MPI_COMM_NULL) PMPI_Comm_free(&known_->twin);
    generation.fetch_add(1, std::memory_order_release);
}

/// Under the lock.
peers::ending* peers::find_ending(MPI_Comm communicator) {
    auto const at = std::ranges::find(endings_, communicator, [](ending const* e) { return e->communicator_; });
    return at == endings_.end() ? nullptr : *at;
}

bool peers::is_ending(MPI_Comm communicator) {
    std::lock_guard const lock{making_};
    return find_ending(communicator) != nullptr;
}

std::vector<int> peers::look_up(MPI_Comm communicator) {
    int inter = 0;
    PMPI_Comm_test_inter(communicator, &inter);
    MPI_Group group = MPI_GROUP_NULL, world = MPI_GROUP_NULL;
    inter != 0 ? PMPI_Comm_remote_group(communicator, &group) : PMPI_Comm_group(communicator, &group);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    int size = 0;
    PMPI_Group_size(group, &size);
    std::vector<int> from(static_cast<std::size_t>(size)), to(from.size());
    std::iota(from.begin(), from.end(), 0);
    PMPI_Group_translate_ranks(group, size, from.data(), world, to.data());
    PMPI_Group_free(&group);
    PMPI_Group_free(&world);
    for (int& rank : to)
        if (rank == MPI_UNDEFINED) rank = -1;
    return to;
}

} // namespace sode::internal::interpose
