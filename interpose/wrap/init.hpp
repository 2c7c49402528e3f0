// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/config.hpp"
#include "base/warn.hpp"
#include "interpose/calls/other_mpi.hpp"
#include "interpose/calls/straight.hpp"
#include "interpose/calls/thread_level.hpp"
#include "interpose/collective/collective_service.hpp"
#include "interpose/requests/layer.hpp"

#include <cstdio>
#include <exception>
#include <memory>
#include <string>

namespace sode::internal::interpose::wrap {

/// Takes the layer down, while calls still go to MPI.
inline void end() {
    straight.close();
    sizes_of_types.close();
    if (std::unique_ptr<layer> const over{on_duty.exchange(nullptr)}) {
        std::unique_ptr<collective_service> plans{serving.load()};
        std::string const told = over->told() + plans->text();
        over->base.keep_learnt();
        plans.reset();
        serving.store(nullptr);
        std::fputs(told.c_str(), stderr);
    }
}

/// What MPI_Finalize calls first is what hangs on MPI_COMM_SELF, the latest first (MPI-4.0, 11.2.4): there a program may still
/// receive what others have sent to it. So the layer ends by an attribute of that communicator, which was its first.
inline int end_by_attribute(MPI_Comm, int, void*, void*) {
    entry const call;
    end();
    return MPI_SUCCESS;
}
inline void end_with_self() {
    int key = MPI_KEYVAL_INVALID;
    check(PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end_by_attribute, &key, nullptr), "MPI_Comm_create_keyval");
    check(PMPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr), "MPI_Comm_set_attr");
    PMPI_Comm_free_keyval(&key); // when the attribute has gone
}

/// A layer for this process, where it is wanted and where it has anything to do. A mistake in the settings ends the job: it must
/// not be ignored, and MPI has no error for it.
inline void begin() {
    try {
        auto const settings = config::from_environment();
        if (settings.mpi_path == "plain") return;
        auto made = std::make_unique<layer>(settings);
        auto plans = std::make_unique<collective_service>(made->base, settings);
        if (!made->base.here().has_neighbours() && !made->base.here().has_other_machines() && !settings.mpi_report) return;
        end_with_self();
        serving.store(plans.release(), std::memory_order_release);
        made->open_straight_ways();
        on_duty.store(made.release(), std::memory_order_release);
    } catch (std::exception const& e) {
        sode::internal::tell(e);
        PMPI_Abort(MPI_COMM_WORLD, 1);
    }
}

template <auto Next> int init(int* argc, char*** argv) {
    refuse_other_mpi();
    entry const call;
    int result = MPI_SUCCESS;
    if (wants_mpi_in_helper()) {
        int provided = MPI_THREAD_SINGLE;
        result = call.next().init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);
        static_cast<void>(level_for_program(MPI_THREAD_SINGLE, provided));
    } else {
        result = (call.next().*Next)(argc, argv);
    }
    if (result == MPI_SUCCESS) begin();
    return result;
}

template <auto Next> int init_thread(int* argc, char*** argv, int required, int* provided) {
    refuse_other_mpi();
    entry const call;
    bool const more = required < MPI_THREAD_MULTIPLE && wants_mpi_in_helper();
    int const result = (call.next().*Next)(argc, argv, more ? MPI_THREAD_MULTIPLE : required, provided);
    if (result != MPI_SUCCESS) return result;
    if (more) *provided = level_for_program(required, *provided);
    begin();
    return result;
}

template <auto Next> int query_thread(int* provided) {
    entry const call;
    int const result = (call.next().*Next)(provided);
    if (int const asked = level_of_program.load(std::memory_order_acquire); asked >= 0 && result == MPI_SUCCESS) *provided = asked;
    return result;
}

template <auto Next> int finalize() {
    entry const call;
    int result = MPI_SUCCESS;
    {
        program_called_back const mpi{call};
        result = (call.next().*Next)();
    }
    // An attribute of the program's that failed may have been the last.
    straight.close();
    on_duty.store(nullptr);
    return result;
}

} // namespace sode::internal::interpose::wrap
