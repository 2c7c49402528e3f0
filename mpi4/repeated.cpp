// SPDX-License-Identifier: Apache-2.0
#include "mpi4/repeated.hpp"

#include "interpose/collective/resting_request.hpp"
#include "mpi4/next.hpp"

#include <array>
#include <atomic>
#include <cstring>
#include <dlfcn.h>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace sode::internal::mpi4 {
namespace {

struct all_of_them {
    std::mutex mutex;
    std::unordered_map<std::uint64_t, std::unique_ptr<repeated>> by_handle;
    std::vector<std::unique_ptr<repeated>> forgotten; // and under way
    std::atomic<int> count{0};
    std::atomic<std::uint64_t> changes{1}; // of by_handle
};

/// What a thread has looked up: it asks for the same few requests in every step, and a lock takes as long as starting a plan.
struct looked_up {
    std::uint64_t changes = 0; ///< when
    std::uint64_t handle = 0;
    repeated* one = nullptr;
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
    std::erase_if(them.forgotten, [](std::unique_ptr<repeated> const& one) {
        if (one->is_planned()) return one->test() && one->wait() == MPI_SUCCESS;
        int over = 0;
        next().test(&one->now, &over, MPI_STATUS_IGNORE);
        return over != 0;
    });
}

} // namespace

// By it the MPI layer knows what this program will ask for (interpose/calls/thread_level.cpp).
extern "C" __attribute__((visibility("default"), used)) char const sode_mpi4_program = 1;

interpose::persistent_face const* layer() noexcept {
    static auto const* const found = []() -> interpose::persistent_face const* {
        // NOLINTNEXTLINE: the type is the one that the name stands for
        auto* const f =
            reinterpret_cast<interpose::persistent_face_function*>(::dlsym(RTLD_DEFAULT, interpose::persistent_face_name));
        return f == nullptr ? nullptr : f();
    }();
    return found;
}

bool repeated::test() {
    bool over = false;
    if (failed_ == MPI_SUCCESS) failed_ = layer()->test(*plan_, &over);
    return over || failed_ != MPI_SUCCESS;
}

int repeated::wait() {
    started_ = false;
    return failed_ != MPI_SUCCESS ? failed_ : layer()->wait(*plan_);
}

int repeated::start() {
    if (plan_ != nullptr) {
        if (failed_ != MPI_SUCCESS) return failed_;
        int const result = layer()->start(*plan_);
        started_ = result == MPI_SUCCESS;
        return result;
    }
    return begins_(where_.communicator(), &now);
}

namespace {

// As a plan of the layer's, or else by what MPI has.
int make(MPI_Comm communicator, held_arguments&& holds, repeated::beginning&& begins, MPI_Request* request,
         std::optional<persistent_arguments> const& plannable, std::unique_ptr<repeated>& result) {
    if (plannable && layer() != nullptr) {
        interpose::repeated_plan* plan = nullptr;
        if (int const error = layer()->make(communicator, *plannable, &plan); error != MPI_SUCCESS) return error;
        if (plan != nullptr) {
            result = std::make_unique<repeated>(*plan, std::move(holds));
            return interpose::make_resting_request(request);
        }
    }
    context where;
    if (int const error = context::on(communicator, where); error != MPI_SUCCESS) return error;
    if (int const error = interpose::make_resting_request(request); error != MPI_SUCCESS) return error;
    result = std::make_unique<repeated>(std::move(where), std::move(begins), std::move(holds));
    return MPI_SUCCESS;
}

} // namespace

int make_repeated(MPI_Comm communicator, held_arguments&& holds, repeated::beginning begins, MPI_Request* request,
                  std::optional<persistent_arguments> const& plannable) {
    if (holds.error() != MPI_SUCCESS) return holds.error(); // MPI has said so
    std::unique_ptr<repeated> one;
    if (int const error = make(communicator, std::move(holds), std::move(begins), request, plannable, one); error != MPI_SUCCESS)
        return error;
    auto& them = all();
    std::lock_guard const lock{them.mutex};
    complete_forgotten(them);
    them.by_handle[key(*request)] = std::move(one);
    them.changes.fetch_add(1, std::memory_order_release);
    them.count.store(static_cast<int>(them.by_handle.size()), std::memory_order_relaxed);
    return MPI_SUCCESS;
}

bool table::empty() noexcept {
    return all().count.load(std::memory_order_relaxed) == 0;
}

repeated* table::find(MPI_Request request) {
    // It is linked with the program, so its threads' memory is laid out with that of the program.
    static thread_local std::array<looked_up, 16> recent __attribute__((tls_model("initial-exec")));
    auto& them = all();
    auto const handle = key(request);
    auto& r = recent[handle * 0x9e3779b97f4a7c15U >> 60U];
    if (r.changes == them.changes.load(std::memory_order_acquire) && r.handle == handle) return r.one;
    std::lock_guard const lock{them.mutex};
    auto const at = them.by_handle.find(handle);
    r = {them.changes.load(std::memory_order_relaxed), handle, at == them.by_handle.end() ? nullptr : at->second.get()};
    return r.one;
}

bool table::forget(MPI_Request request) {
    auto& them = all();
    std::lock_guard const lock{them.mutex};
    auto const at = them.by_handle.find(key(request));
    if (at == them.by_handle.end()) return false;
    if (at->second->active()) them.forgotten.push_back(std::move(at->second));
    them.by_handle.erase(at);
    them.changes.fetch_add(1, std::memory_order_release);
    them.count.store(static_cast<int>(them.by_handle.size()), std::memory_order_relaxed);
    complete_forgotten(them);
    return true;
}

void table::finish() {
    auto& them = all();
    std::lock_guard const lock{them.mutex};
    for (auto const& one : them.forgotten)
        if (one->is_planned())
            static_cast<void>(one->wait());
        else
            next().wait(&one->now, MPI_STATUS_IGNORE);
    them.forgotten.clear();
}

} // namespace sode::internal::mpi4
