// SPDX-License-Identifier: Apache-2.0
#include "collectives/rivals.hpp"

#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

#include <stdexcept>

// MPI-4's persistent collectives have other names where they are an extension.
#if defined(OPEN_MPI) && defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define SODE_PERSISTENT(NAME) MPIX_##NAME##_init
#elif MPI_VERSION >= 4
#define SODE_PERSISTENT(NAME) MPI_##NAME##_init
#endif

namespace sode::internal::bench {
namespace {

struct arguments {
    MPI_Comm comm;
    int n;
    long* in;
    long* out;
};

enum class form { blocking, nonblocking, persistent };

void require(int code) {
    if (code != MPI_SUCCESS) throw std::runtime_error{"MPI refused a collective"};
}

// One table for the three forms: what comes before the communicator is the same.
#if defined(SODE_PERSISTENT)
#define SODE_PLAN(NAME, ...) require(SODE_PERSISTENT(NAME)(__VA_ARGS__, a.comm, MPI_INFO_NULL, &r))
#else
#define SODE_PLAN(NAME, ...)                                                                                                       \
    throw std::runtime_error {                                                                                                     \
        "this MPI has no persistent collectives"                                                                                   \
    }
#endif
#define SODE_FORMS(NAME, ...)                                                                                                      \
    {                                                                                                                              \
        if (how == form::blocking) return require(MPI_##NAME(__VA_ARGS__, a.comm));                                                \
        if (how == form::nonblocking) return require(MPI_I##NAME##_lower(__VA_ARGS__, a.comm, &r));                                \
        SODE_PLAN(NAME, __VA_ARGS__);                                                                                              \
        return;                                                                                                                    \
    }
#define MPI_IBcast_lower MPI_Ibcast
#define MPI_IReduce_lower MPI_Ireduce
#define MPI_IAllreduce_lower MPI_Iallreduce
#define MPI_IReduce_scatter_block_lower MPI_Ireduce_scatter_block
#define MPI_IScan_lower MPI_Iscan
#define MPI_IExscan_lower MPI_Iexscan
#define MPI_IGather_lower MPI_Igather
#define MPI_IScatter_lower MPI_Iscatter
#define MPI_IAllgather_lower MPI_Iallgather
#define MPI_IAlltoall_lower MPI_Ialltoall

// Makes the call, or starts it, or plans it.
void call(std::string const& op, form how, arguments const& a, MPI_Request& r) {
    constexpr int root = collective_case::root;
    if (op == "barrier") {
        if (how == form::blocking) return require(MPI_Barrier(a.comm));
        if (how == form::nonblocking) return require(MPI_Ibarrier(a.comm, &r));
#if defined(SODE_PERSISTENT)
        return require(SODE_PERSISTENT(Barrier)(a.comm, MPI_INFO_NULL, &r));
#endif
    }
    if (op == "bcast") SODE_FORMS(Bcast, a.in, a.n, MPI_LONG, root)
    if (op == "reduce") SODE_FORMS(Reduce, a.in, a.out, a.n, MPI_LONG, MPI_SUM, root)
    if (op == "allreduce") SODE_FORMS(Allreduce, a.in, a.out, a.n, MPI_LONG, MPI_SUM)
    if (op == "reduce_scatter") SODE_FORMS(Reduce_scatter_block, a.in, a.out, a.n, MPI_LONG, MPI_SUM)
    if (op == "scan") SODE_FORMS(Scan, a.in, a.out, a.n, MPI_LONG, MPI_SUM)
    if (op == "exscan") SODE_FORMS(Exscan, a.in, a.out, a.n, MPI_LONG, MPI_SUM)
    if (op == "gather") SODE_FORMS(Gather, a.in, a.n, MPI_LONG, a.out, a.n, MPI_LONG, root)
    if (op == "scatter") SODE_FORMS(Scatter, a.in, a.n, MPI_LONG, a.out, a.n, MPI_LONG, root)
    if (op == "allgather") SODE_FORMS(Allgather, a.in, a.n, MPI_LONG, a.out, a.n, MPI_LONG)
    SODE_FORMS(Alltoall, a.in, a.n, MPI_LONG, a.out, a.n, MPI_LONG)
}

struct planned_request {
    MPI_Request request = MPI_REQUEST_NULL;
    ~planned_request() {
        if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
    }
};

} // namespace

std::vector<std::unique_ptr<subject>> mpi_collectives(MPI_Comm communicator, collective_case const& c) {
    int rank = 0, size = 1;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &size);
    std::vector<std::unique_ptr<subject>> all;
    for (auto const& [name, how] : {std::pair{"blocking", form::blocking}, std::pair{"nonblocking", form::nonblocking},
                                    std::pair{"persistent", form::persistent}}) {
#if !defined(SODE_PERSISTENT)
        if (how == form::persistent) continue;
#endif
        auto const in_elements = c.given(rank, size), out_elements = c.got(rank, size);
        auto const memory = std::make_shared<std::vector<long>>(in_elements + out_elements + 64);
        auto const in = std::span{*memory}.first(in_elements);
        auto const out = c.operation == "bcast" ? in : std::span{*memory}.subspan(in_elements + 8, out_elements);
        arguments const a{communicator, static_cast<int>(c.elements), in.data(), out.data()};
        auto const kept = std::make_shared<planned_request>();
        if (how == form::persistent) call(c.operation, how, a, kept->request);
        all.push_back(
            std::make_unique<collective_subject>(name, c, rank, size, in, out, [memory, kept, a, how = how, op = c.operation] {
                MPI_Request r = MPI_REQUEST_NULL;
                if (how == form::persistent) {
                    MPI_Start(&kept->request);
                    MPI_Wait(&kept->request, MPI_STATUS_IGNORE);
                    return;
                }
                call(op, how, a, r);
                if (how == form::nonblocking) MPI_Wait(&r, MPI_STATUS_IGNORE);
            }));
    }
    return all;
}

} // namespace sode::internal::bench
