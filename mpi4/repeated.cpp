// SPDX-License-Identifier: Apache-2.0
#include "mpi4/repeated.hpp"

#include "mpi4/next.hpp"

#include <atomic>
#include <cstring>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace sode::internal::mpi4 {
namespace {

struct all_of_them {
    std::mutex mutex;
    std::unordered_map<std::uint64_t, std::shared_ptr<repeated>> by_handle;
    std::vector<std::shared_ptr<repeated>> forgotten; // and under way
    std::atomic<int> count{0};
};

// Never destroyed: a program may end in the middle of things.
all_of_them& all() {
    static auto& them = *new all_of_them;
    return them;
}

std::uint64_t key(MPI_Request request) noexcept {
    std::uint64_t k = 0;
    // NOLINTNEXTLINE(bugprone-sizeof-expression): it is the handle, a pointer in one MPI and a number in another
    std::memcpy(&k, &request, sizeof request);
    return k;
}

// With the lock. What has been completed in the meantime goes.
void complete_forgotten(all_of_them& them) {
    std::erase_if(them.forgotten, [](std::shared_ptr<repeated> const& one) {
        int over = 0;
        next().test(&one->now, &over, MPI_STATUS_IGNORE);
        return over != 0;
    });
}

} // namespace

int repeated::start() {
    return begins_(where_.communicator(), &now);
}

int make_repeated(MPI_Comm communicator, held_arguments&& holds, repeated::beginning begins, MPI_Request* request) {
    if (holds.error() != MPI_SUCCESS) return holds.error(); // MPI has said so
    context where;
    if (int const result = context::on(communicator, where); result != MPI_SUCCESS) return result;
    int const result = PMPI_Send_init(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0, where.communicator(), request);
    if (result != MPI_SUCCESS) return result;
    auto one = std::make_shared<repeated>(std::move(where), std::move(begins), std::move(holds));
    auto& them = all();
    std::lock_guard const lock{them.mutex};
    complete_forgotten(them);
    them.by_handle[key(*request)] = std::move(one);
    them.count.store(static_cast<int>(them.by_handle.size()), std::memory_order_relaxed);
    return MPI_SUCCESS;
}

bool table::empty() noexcept {
    return all().count.load(std::memory_order_relaxed) == 0;
}

std::shared_ptr<repeated> table::find(MPI_Request request) {
    auto& them = all();
    std::lock_guard const lock{them.mutex};
    auto const at = them.by_handle.find(key(request));
    return at == them.by_handle.end() ? nullptr : at->second;
}

bool table::forget(MPI_Request request) {
    auto& them = all();
    std::lock_guard const lock{them.mutex};
    auto const at = them.by_handle.find(key(request));
    if (at == them.by_handle.end()) return false;
    if (at->second->active()) them.forgotten.push_back(at->second);
    them.by_handle.erase(at);
    them.count.store(static_cast<int>(them.by_handle.size()), std::memory_order_relaxed);
    complete_forgotten(them);
    return true;
}

void table::finish() {
    auto& them = all();
    std::lock_guard const lock{them.mutex};
    for (auto const& one : them.forgotten) next().wait(&one->now, MPI_STATUS_IGNORE);
    them.forgotten.clear();
}

} // namespace sode::internal::mpi4
