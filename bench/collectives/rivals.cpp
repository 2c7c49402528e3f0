// SPDX-License-Identifier: Apache-2.0
#include "collectives/rivals.hpp"
#include "collectives/past_layer.hpp"

#include <sode/mpi4.h>

#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

#include <stdexcept>

// Through a layer that may be there, or past it.
#define SODE_CALLED(FUNCTION)                                                                                                      \
    ([&a] {                                                                                                                        \
        static auto* const past = past_layer(#FUNCTION, FUNCTION);                                                                 \
        return a.layer ? &(FUNCTION) : past;                                                                                       \
    }())

// MPI-4's persistent collectives: through the layer those of libsode-mpi4, past it the MPI's own, which have other names where they
// are an extension.
#if defined(OPEN_MPI) && defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define SODE_PERSISTENT_OF_MPI "MPIX_"
#else
#define SODE_PERSISTENT_OF_MPI "MPI_"
#endif
#define SODE_PERSISTENT(NAME)                                                                                                      \
    ([&a] {                                                                                                                        \
        static auto* const past = past_layer(SODE_PERSISTENT_OF_MPI #NAME "_init", MPI_##NAME##_init);                             \
        return a.layer ? &MPI_##NAME##_init : past;                                                                                \
    }())

namespace sode::internal::bench {
namespace {

struct arguments {
    MPI_Comm comm;
    int n;
    long* in;
    long* out;
    bool layer; // call what a library that was loaded before MPI puts in front of it
};

enum class form { blocking, nonblocking, persistent };

void require(int code) {
    if (code != MPI_SUCCESS) throw std::runtime_error{"MPI refused a collective"};
}

// One table for the three forms: what comes before the communicator is the same.
#define SODE_FORMS(NAME, LOWER, ...)                                                                                               \
    {                                                                                                                              \
        if (how == form::blocking) return require(SODE_CALLED(MPI_##NAME)(__VA_ARGS__, a.comm));                                   \
        if (how == form::nonblocking) return require(SODE_CALLED(MPI_I##LOWER)(__VA_ARGS__, a.comm, &r));                          \
        return require(SODE_PERSISTENT(NAME)(__VA_ARGS__, a.comm, MPI_INFO_NULL, &r));                                             \
    }

// Makes the call, or starts it, or plans it.
void call(std::string const& op, form how, arguments const& a, MPI_Request& r) {
    constexpr int root = collective_case::root;
    if (op == "barrier") {
        if (how == form::blocking) return require(SODE_CALLED(MPI_Barrier)(a.comm));
        if (how == form::nonblocking) return require(SODE_CALLED(MPI_Ibarrier)(a.comm, &r));
        return require(SODE_PERSISTENT(Barrier)(a.comm, MPI_INFO_NULL, &r));
    }
    if (op == "bcast") SODE_FORMS(Bcast, bcast, a.in, a.n, MPI_LONG, root)
    if (op == "reduce") SODE_FORMS(Reduce, reduce, a.in, a.out, a.n, MPI_LONG, MPI_SUM, root)
    if (op == "allreduce") SODE_FORMS(Allreduce, allreduce, a.in, a.out, a.n, MPI_LONG, MPI_SUM)
    if (op == "reduce_scatter") SODE_FORMS(Reduce_scatter_block, reduce_scatter_block, a.in, a.out, a.n, MPI_LONG, MPI_SUM)
    if (op == "scan") SODE_FORMS(Scan, scan, a.in, a.out, a.n, MPI_LONG, MPI_SUM)
    if (op == "exscan") SODE_FORMS(Exscan, exscan, a.in, a.out, a.n, MPI_LONG, MPI_SUM)
    if (op == "gather") SODE_FORMS(Gather, gather, a.in, a.n, MPI_LONG, a.out, a.n, MPI_LONG, root)
    if (op == "scatter") SODE_FORMS(Scatter, scatter, a.in, a.n, MPI_LONG, a.out, a.n, MPI_LONG, root)
    if (op == "allgather") SODE_FORMS(Allgather, allgather, a.in, a.n, MPI_LONG, a.out, a.n, MPI_LONG)
    SODE_FORMS(Alltoall, alltoall, a.in, a.n, MPI_LONG, a.out, a.n, MPI_LONG)
}

collective_steps steps_of(std::string const& op, form how, arguments const& a) {
    auto const request = std::make_shared<MPI_Request>(MPI_REQUEST_NULL);
    auto const start = SODE_CALLED(MPI_Start);
    auto const wait = SODE_CALLED(MPI_Wait);
    auto const free = SODE_CALLED(MPI_Request_free);
    auto const made = [op, how, a, request] { call(op, how, a, *request); };
    auto const over = [wait, request] { require(wait(request.get(), MPI_STATUS_IGNORE)); };
    collective_steps steps;
    steps.start = made;
    if (how != form::blocking) steps.wait = over;
    if (how == form::persistent) {
        steps.init = made;
        steps.start = [start, request] { require(start(request.get())); };
        steps.free = [free, request] { require(free(request.get())); };
    }
    return steps;
}

} // namespace

std::vector<std::unique_ptr<collective_subject>> mpi_collectives(MPI_Comm communicator, collective_case const& c, bool layer) {
    int rank = 0, size = 1;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &size);
    std::vector<std::unique_ptr<collective_subject>> all;
    for (auto const& [name, how] : {std::pair{"blocking", form::blocking}, std::pair{"nonblocking", form::nonblocking},
                                    std::pair{"persistent", form::persistent}}) {
        if (how == form::persistent && !layer && in_mpi_itself(SODE_PERSISTENT_OF_MPI "Barrier_init") == nullptr) continue;
        auto const in_elements = c.given(rank, size), out_elements = c.got(rank, size);
        auto const memory = std::make_shared<std::vector<long>>(in_elements + out_elements + 64);
        auto const in = std::span{*memory}.first(in_elements);
        auto const out = c.operation == "bcast" ? in : std::span{*memory}.subspan(in_elements + 8, out_elements);
        arguments const a{communicator, static_cast<int>(c.elements), in.data(), out.data(), layer};
        all.push_back(std::make_unique<collective_subject>(layer ? std::string{layer_prefix} + name : name, c, rank, size, in, out,
                                                           steps_of(c.operation, how, a), memory));
    }
    return all;
}

} // namespace sode::internal::bench
