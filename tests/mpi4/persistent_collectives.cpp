// SPDX-License-Identifier: Apache-2.0
// All 22 persistent collectives of MPI-4, and their forms with large counts, are what the blocking ones are, at every start, with
// buffers that change in between: random counts, roots, datatypes with gaps, operators, in place, communicators of all kinds.
#include <sode/mpi4.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace {

using bytes = std::vector<unsigned char>;
using random_source = std::mt19937;

int pick(random_source& random, int from, int to) {
    return std::uniform_int_distribution<int>{from, to}(random);
}

// Not commutative: 2 x 2 matrices modulo 2^32, as 4 elements.
void multiply(void* in, void* inout, int* n, MPI_Datatype*) {
    auto const* a = static_cast<unsigned const*>(in);
    auto* b = static_cast<unsigned*>(inout);
    for (int i = 0; i < *n; ++i, a += 4, b += 4) {
        unsigned const r[4] = {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2],
                               a[2] * b[1] + a[3] * b[3]};
        std::copy(r, r + 4, b);
    }
}

// What a call gets. Counts of all ranks are drawn alike.
struct arguments {
    MPI_Comm on = MPI_COMM_NULL;
    int ranks = 0, rank = 0, parts = 0, sources = 0, targets = 0;
    bool inter = false, in_place = false;
    int n = 0, root = 0;
    std::vector<int> gives, takes, gives_at, takes_at; // v forms, by part; places in elements
    std::vector<MPI_Count> large_gives, large_takes;
    std::vector<MPI_Aint> large_gives_at, large_takes_at;
    std::vector<int> gives_bytes_at, takes_bytes_at;
    std::vector<MPI_Aint> gives_address, takes_address, large_gives_bytes_at, large_takes_bytes_at;
    std::vector<MPI_Datatype> types;
    std::vector<int> shares; // reduce_scatter
    std::vector<MPI_Count> large_shares;
    MPI_Datatype type = MPI_INT;
    MPI_Op op = MPI_SUM;
    [[nodiscard]] bool is_root() const { return inter ? root == MPI_ROOT : rank == root; }
};

constexpr int room = 64 * 64; // elements of a buffer
constexpr int most_extent = 64;

struct kind {
    char const* name;
    bool neighbours, reduces, rooted, can_be_in_place, can_be_inter;
    std::function<int(arguments const&, void*, void*, MPI_Request*, bool)> init; // the last: with large counts
    std::function<int(arguments const&, void*, void*)> call;
};

// The buffers that a call is given, where it is in place.
void* sent(arguments const& a, void* from) {
    return a.in_place ? MPI_IN_PLACE : from;
}

#define INFO MPI_INFO_NULL
std::vector<kind> kinds() {
    using A = arguments const&;
    return {
        {"barrier", false, false, false, false, true,
         [](A a, void*, void*, MPI_Request* q, bool) { return MPI_Barrier_init(a.on, INFO, q); },
         [](A a, void*, void*) { return MPI_Barrier(a.on); }},
        {"bcast", false, false, true, false, true,
         [](A a, void*, void* to, MPI_Request* q, bool c) {
             return c ? MPI_Bcast_init_c(to, a.n, a.type, a.root, a.on, INFO, q)
                      : MPI_Bcast_init(to, a.n, a.type, a.root, a.on, INFO, q);
         },
         [](A a, void*, void* to) { return MPI_Bcast(to, a.n, a.type, a.root, a.on); }},
        {"gather", false, false, true, true, true,
         [](A a, void* f, void* to, MPI_Request* q, bool c) {
             auto* const from = a.in_place && a.is_root() ? MPI_IN_PLACE : f;
             return c ? MPI_Gather_init_c(from, a.n, a.type, to, a.n, a.type, a.root, a.on, INFO, q)
                      : MPI_Gather_init(from, a.n, a.type, to, a.n, a.type, a.root, a.on, INFO, q);
         },
         [](A a, void* f, void* to) {
             return MPI_Gather(a.in_place && a.is_root() ? MPI_IN_PLACE : f, a.n, a.type, to, a.n, a.type, a.root, a.on);
         }},
        {"gatherv", false, false, true, false, true,
         [](A a, void* f, void* to, MPI_Request* q, bool c) {
             auto const mine = a.takes[static_cast<std::size_t>(a.inter ? 0 : a.rank)];
             return c ? MPI_Gatherv_init_c(f, mine, a.type, to, a.large_takes.data(), a.large_takes_at.data(), a.type, a.root, a.on,
                                           INFO, q)
                      : MPI_Gatherv_init(f, mine, a.type, to, a.takes.data(), a.takes_at.data(), a.type, a.root, a.on, INFO, q);
         },
         [](A a, void* f, void* to) {
             auto const mine = a.takes[static_cast<std::size_t>(a.inter ? 0 : a.rank)];
             return MPI_Gatherv(f, mine, a.type, to, a.takes.data(), a.takes_at.data(), a.type, a.root, a.on);
         }},
        {"scatter", false, false, true, true, true,
         [](A a, void* f, void* t, MPI_Request* q, bool c) {
             auto* const to = a.in_place && a.is_root() ? MPI_IN_PLACE : t;
             return c ? MPI_Scatter_init_c(f, a.n, a.type, to, a.n, a.type, a.root, a.on, INFO, q)
                      : MPI_Scatter_init(f, a.n, a.type, to, a.n, a.type, a.root, a.on, INFO, q);
         },
         [](A a, void* f, void* t) {
             return MPI_Scatter(f, a.n, a.type, a.in_place && a.is_root() ? MPI_IN_PLACE : t, a.n, a.type, a.root, a.on);
         }},
        {"scatterv", false, false, true, false, true,
         [](A a, void* f, void* to, MPI_Request* q, bool c) {
             auto const mine = a.takes[static_cast<std::size_t>(a.inter ? 0 : a.rank)];
             return c ? MPI_Scatterv_init_c(f, a.large_takes.data(), a.large_takes_at.data(), a.type, to, mine, a.type, a.root,
                                            a.on, INFO, q)
                      : MPI_Scatterv_init(f, a.takes.data(), a.takes_at.data(), a.type, to, mine, a.type, a.root, a.on, INFO, q);
         },
         [](A a, void* f, void* to) {
             auto const mine = a.takes[static_cast<std::size_t>(a.inter ? 0 : a.rank)];
             return MPI_Scatterv(f, a.takes.data(), a.takes_at.data(), a.type, to, mine, a.type, a.root, a.on);
         }},
        {"allgather", false, false, false, true, true,
         [](A a, void* f, void* to, MPI_Request* q, bool c) {
             return c ? MPI_Allgather_init_c(sent(a, f), a.n, a.type, to, a.n, a.type, a.on, INFO, q)
                      : MPI_Allgather_init(sent(a, f), a.n, a.type, to, a.n, a.type, a.on, INFO, q);
         },
         [](A a, void* f, void* to) { return MPI_Allgather(sent(a, f), a.n, a.type, to, a.n, a.type, a.on); }},
        {"allgatherv", false, false, false, true, true,
         [](A a, void* f, void* to, MPI_Request* q, bool c) {
             auto const mine = a.takes[static_cast<std::size_t>(a.inter ? 0 : a.rank)];
             return c ? MPI_Allgatherv_init_c(sent(a, f), mine, a.type, to, a.large_takes.data(), a.large_takes_at.data(), a.type,
                                              a.on, INFO, q)
                      : MPI_Allgatherv_init(sent(a, f), mine, a.type, to, a.takes.data(), a.takes_at.data(), a.type, a.on, INFO, q);
         },
         [](A a, void* f, void* to) {
             auto const mine = a.takes[static_cast<std::size_t>(a.inter ? 0 : a.rank)];
             return MPI_Allgatherv(sent(a, f), mine, a.type, to, a.takes.data(), a.takes_at.data(), a.type, a.on);
         }},
        {"alltoall", false, false, false, true, true,
         [](A a, void* f, void* to, MPI_Request* q, bool c) {
             return c ? MPI_Alltoall_init_c(sent(a, f), a.n, a.type, to, a.n, a.type, a.on, INFO, q)
                      : MPI_Alltoall_init(sent(a, f), a.n, a.type, to, a.n, a.type, a.on, INFO, q);
         },
         [](A a, void* f, void* to) { return MPI_Alltoall(sent(a, f), a.n, a.type, to, a.n, a.type, a.on); }},
        {"alltoallv", false, false, false, false, true,
         [](A a, void* f, void* to, MPI_Request* q, bool c) {
             return c ? MPI_Alltoallv_init_c(f, a.large_gives.data(), a.large_gives_at.data(), a.type, to, a.large_takes.data(),
                                             a.large_takes_at.data(), a.type, a.on, INFO, q)
                      : MPI_Alltoallv_init(f, a.gives.data(), a.gives_at.data(), a.type, to, a.takes.data(), a.takes_at.data(),
                                           a.type, a.on, INFO, q);
         },
         [](A a, void* f, void* to) {
             return MPI_Alltoallv(f, a.gives.data(), a.gives_at.data(), a.type, to, a.takes.data(), a.takes_at.data(), a.type,
                                  a.on);
         }},
        {"alltoallw", false, false, false, false, true,
         [](A a, void* f, void* to, MPI_Request* q, bool c) {
             return c ? MPI_Alltoallw_init_c(f, a.large_gives.data(), a.large_gives_bytes_at.data(), a.types.data(), to,
                                             a.large_takes.data(), a.large_takes_bytes_at.data(), a.types.data(), a.on, INFO, q)
                      : MPI_Alltoallw_init(f, a.gives.data(), a.gives_bytes_at.data(), a.types.data(), to, a.takes.data(),
                                           a.takes_bytes_at.data(), a.types.data(), a.on, INFO, q);
         },
         [](A a, void* f, void* to) {
             return MPI_Alltoallw(f, a.gives.data(), a.gives_bytes_at.data(), a.types.data(), to, a.takes.data(),
                                  a.takes_bytes_at.data(), a.types.data(), a.on);
         }},
        {"reduce", false, true, true, true, true,
         [](A a, void* f, void* to, MPI_Request* q, bool c) {
             auto* const from = a.in_place && a.is_root() ? MPI_IN_PLACE : f;
             return c ? MPI_Reduce_init_c(from, to, a.n, a.type, a.op, a.root, a.on, INFO, q)
                      : MPI_Reduce_init(from, to, a.n, a.type, a.op, a.root, a.on, INFO, q);
         },
         [](A a, void* f, void* to) {
             return MPI_Reduce(a.in_place && a.is_root() ? MPI_IN_PLACE : f, to, a.n, a.type, a.op, a.root, a.on);
         }},
        {"allreduce", false, true, false, true, true,
         [](A a, void* f, void* to, MPI_Request* q, bool c) {
             return c ? MPI_Allreduce_init_c(sent(a, f), to, a.n, a.type, a.op, a.on, INFO, q)
                      : MPI_Allreduce_init(sent(a, f), to, a.n, a.type, a.op, a.on, INFO, q);
         },
         [](A a, void* f, void* to) { return MPI_Allreduce(sent(a, f), to, a.n, a.type, a.op, a.on); }},
        {"reduce_scatter_block", false, true, false, true, false,
         [](A a, void* f, void* to, MPI_Request* q, bool c) {
             return c ? MPI_Reduce_scatter_block_init_c(sent(a, f), to, a.n, a.type, a.op, a.on, INFO, q)
                      : MPI_Reduce_scatter_block_init(sent(a, f), to, a.n, a.type, a.op, a.on, INFO, q);
         },
         [](A a, void* f, void* to) { return MPI_Reduce_scatter_block(sent(a, f), to, a.n, a.type, a.op, a.on); }},
        {"reduce_scatter", false, true, false, true, false,
         [](A a, void* f, void* to, MPI_Request* q, bool c) {
             return c ? MPI_Reduce_scatter_init_c(sent(a, f), to, a.large_shares.data(), a.type, a.op, a.on, INFO, q)
                      : MPI_Reduce_scatter_init(sent(a, f), to, a.shares.data(), a.type, a.op, a.on, INFO, q);
         },
         [](A a, void* f, void* to) { return MPI_Reduce_scatter(sent(a, f), to, a.shares.data(), a.type, a.op, a.on); }},
        {"scan", false, true, false, true, false,
         [](A a, void* f, void* to, MPI_Request* q, bool c) {
             return c ? MPI_Scan_init_c(sent(a, f), to, a.n, a.type, a.op, a.on, INFO, q)
                      : MPI_Scan_init(sent(a, f), to, a.n, a.type, a.op, a.on, INFO, q);
         },
         [](A a, void* f, void* to) { return MPI_Scan(sent(a, f), to, a.n, a.type, a.op, a.on); }},
        {"exscan", false, true, false, true, false,
         [](A a, void* f, void* to, MPI_Request* q, bool c) {
             return c ? MPI_Exscan_init_c(sent(a, f), to, a.n, a.type, a.op, a.on, INFO, q)
                      : MPI_Exscan_init(sent(a, f), to, a.n, a.type, a.op, a.on, INFO, q);
         },
         [](A a, void* f, void* to) { return MPI_Exscan(sent(a, f), to, a.n, a.type, a.op, a.on); }},
        {"neighbor_allgather", true, false, false, false, false,
         [](A a, void* f, void* to, MPI_Request* q, bool c) {
             return c ? MPI_Neighbor_allgather_init_c(f, a.n, a.type, to, a.n, a.type, a.on, INFO, q)
                      : MPI_Neighbor_allgather_init(f, a.n, a.type, to, a.n, a.type, a.on, INFO, q);
         },
         [](A a, void* f, void* to) { return MPI_Neighbor_allgather(f, a.n, a.type, to, a.n, a.type, a.on); }},
        {"neighbor_allgatherv", true, false, false, false, false,
         [](A a, void* f, void* to, MPI_Request* q, bool c) {
             return c ? MPI_Neighbor_allgatherv_init_c(f, a.n, a.type, to, a.large_takes.data(), a.large_takes_at.data(), a.type,
                                                       a.on, INFO, q)
                      : MPI_Neighbor_allgatherv_init(f, a.n, a.type, to, a.takes.data(), a.takes_at.data(), a.type, a.on, INFO, q);
         },
         [](A a, void* f, void* to) {
             return MPI_Neighbor_allgatherv(f, a.n, a.type, to, a.takes.data(), a.takes_at.data(), a.type, a.on);
         }},
        {"neighbor_alltoall", true, false, false, false, false,
         [](A a, void* f, void* to, MPI_Request* q, bool c) {
             return c ? MPI_Neighbor_alltoall_init_c(f, a.n, a.type, to, a.n, a.type, a.on, INFO, q)
                      : MPI_Neighbor_alltoall_init(f, a.n, a.type, to, a.n, a.type, a.on, INFO, q);
         },
         [](A a, void* f, void* to) { return MPI_Neighbor_alltoall(f, a.n, a.type, to, a.n, a.type, a.on); }},
        {"neighbor_alltoallv", true, false, false, false, false,
         [](A a, void* f, void* to, MPI_Request* q, bool c) {
             return c ? MPI_Neighbor_alltoallv_init_c(f, a.large_gives.data(), a.large_gives_at.data(), a.type, to,
                                                      a.large_takes.data(), a.large_takes_at.data(), a.type, a.on, INFO, q)
                      : MPI_Neighbor_alltoallv_init(f, a.gives.data(), a.gives_at.data(), a.type, to, a.takes.data(),
                                                    a.takes_at.data(), a.type, a.on, INFO, q);
         },
         [](A a, void* f, void* to) {
             return MPI_Neighbor_alltoallv(f, a.gives.data(), a.gives_at.data(), a.type, to, a.takes.data(), a.takes_at.data(),
                                           a.type, a.on);
         }},
        {"neighbor_alltoallw", true, false, false, false, false,
         [](A a, void* f, void* to, MPI_Request* q, bool c) {
             return c ? MPI_Neighbor_alltoallw_init_c(f, a.large_gives.data(), a.gives_address.data(), a.types.data(), to,
                                                      a.large_takes.data(), a.takes_address.data(), a.types.data(), a.on, INFO, q)
                      : MPI_Neighbor_alltoallw_init(f, a.gives.data(), a.gives_address.data(), a.types.data(), to, a.takes.data(),
                                                    a.takes_address.data(), a.types.data(), a.on, INFO, q);
         },
         [](A a, void* f, void* to) {
             return MPI_Neighbor_alltoallw(f, a.gives.data(), a.gives_address.data(), a.types.data(), to, a.takes.data(),
                                           a.takes_address.data(), a.types.data(), a.on);
         }}};
}

int failures = 0;

void complain(std::string const& what) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (++failures <= 10) std::printf("rank %d: %s\n", rank, what.c_str());
    std::fflush(stdout);
}

std::string text(arguments const& a) {
    std::string s = std::to_string(a.ranks) + (a.inter ? " ranks between groups" : " ranks") + (a.in_place ? ", in place" : "");
    s += ", count " + std::to_string(a.n) + ", root " + std::to_string(a.root) + ", shares";
    for (int const n : a.shares) s += ' ' + std::to_string(n);
    return s + (a.op == MPI_SUM || a.op == MPI_MAX || a.op == MPI_BXOR ? "" : ", operator of the user");
}

// `random` is alike on all ranks of the job.
arguments drawn(random_source& random, kind const& k, MPI_Comm on, bool inter) {
    arguments a;
    a.on = on, a.inter = inter;
    MPI_Comm_rank(on, &a.rank);
    MPI_Comm_size(on, &a.ranks);
    a.parts = a.ranks;
    if (inter) MPI_Comm_remote_size(on, &a.parts);
    int const seed = pick(random, 0, 1 << 30);
    a.n = pick(random, 0, 40);
    a.in_place = k.can_be_in_place && !inter && pick(random, 0, 2) == 0;
    int const chosen_root = pick(random, 0, 100);
    a.root = chosen_root % a.ranks;
    if (inter) { // the root is in the group of rank 0 of the job
        int world = 0, low = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &world);
        low = world % 2 == 0;
        a.root = low == 0 ? chosen_root % a.parts : a.rank == chosen_root % a.ranks ? MPI_ROOT : MPI_PROC_NULL;
    }
    int parts = a.parts;
    if (k.neighbours) {
        int status = MPI_UNDEFINED, dims = 0, weighted = 0;
        MPI_Topo_test(on, &status);
        if (status == MPI_CART) {
            MPI_Cartdim_get(on, &dims);
            a.sources = a.targets = 2 * dims;
        } else if (status == MPI_GRAPH) {
            MPI_Graph_neighbors_count(on, a.rank, &a.sources);
            a.targets = a.sources;
        } else {
            MPI_Dist_graph_neighbors_count(on, &a.sources, &a.targets, &weighted);
        }
        parts = std::max(a.sources, a.targets);
    }
    // The same count for each pair of ranks, told from their numbers: everything matches. Among neighbours one for all.
    auto const one = [seed](int from, int to) {
        return static_cast<int>((static_cast<unsigned>(seed) + 7U * static_cast<unsigned>(from) + 13U * static_cast<unsigned>(to)) %
                                9U);
    };
    bool const by_pair = std::string{k.name}.find("alltoall") != std::string::npos && !k.neighbours && !inter;
    for (int p = 0; p < std::max(parts, 1); ++p) { // lists of nothing have an address
        a.gives.push_back(by_pair ? one(a.rank, p) : k.neighbours || inter ? a.n % 9 : one(p, 0));
        a.takes.push_back(by_pair ? one(p, a.rank) : k.neighbours || inter ? a.n % 9 : one(p, 0));
        a.gives_at.push_back(p * 10);
        a.takes_at.push_back((parts - 1 - p) * 10);
        a.types.push_back(MPI_INT);
    }
    if (k.neighbours && std::string{k.name} == "neighbor_allgatherv") std::fill(a.takes.begin(), a.takes.end(), a.n);
    for (int p = 0; p < parts; ++p)
        if (k.neighbours && std::string{k.name} == "neighbor_allgatherv")
            a.takes_at[static_cast<std::size_t>(p)] = (parts - 1 - p) * 41;
    for (int p = 0; p < a.ranks; ++p) a.shares.push_back(one(p, 1));
    int const type = pick(random, 0, 2), op = pick(random, 0, 3);
    if (k.reduces) {
        a.type = type == 0 ? MPI_INT : type == 1 ? MPI_UNSIGNED : MPI_LONG_LONG;
        a.op = op == 0 ? MPI_SUM : op == 1 ? MPI_MAX : MPI_BXOR;
        if (a.op == MPI_MAX && type == 1) a.type = MPI_INT; // MPICH 4.0 compares MPI_UNSIGNED as if it had a sign, and plans do not
        if (op == 3) {
            MPI_Type_contiguous(4, MPI_UNSIGNED, &a.type);
            MPI_Type_commit(&a.type);
            MPI_Op_create(&multiply, 0, &a.op);
        }
    } else if (type == 1) {
        MPI_Type_vector(3, 1, 2, MPI_SHORT, &a.type);
        MPI_Type_commit(&a.type);
        std::fill(a.types.begin(), a.types.end(), a.type);
    }
    MPI_Aint lower = 0, extent = 0;
    MPI_Type_get_extent(a.type, &lower, &extent);
    for (int p = 0; p < std::max(parts, 1); ++p) {
        auto const at = static_cast<std::size_t>(p);
        a.gives_bytes_at.push_back(a.gives_at[at] * static_cast<int>(extent));
        a.takes_bytes_at.push_back(a.takes_at[at] * static_cast<int>(extent));
    }
    a.large_gives.assign(a.gives.begin(), a.gives.end());
    a.large_takes.assign(a.takes.begin(), a.takes.end());
    a.large_gives_at.assign(a.gives_at.begin(), a.gives_at.end());
    a.large_takes_at.assign(a.takes_at.begin(), a.takes_at.end());
    a.gives_address.assign(a.gives_bytes_at.begin(), a.gives_bytes_at.end());
    a.takes_address.assign(a.takes_bytes_at.begin(), a.takes_bytes_at.end());
    a.large_gives_bytes_at = a.gives_address, a.large_takes_bytes_at = a.takes_address;
    a.large_shares.assign(a.shares.begin(), a.shares.end());
    return a;
}

// Cuts off what a rank does not get.
void result_of(arguments const& a, kind const& k, bytes& b) {
    MPI_Aint lower = 0, extent = 0;
    MPI_Type_get_extent(a.type, &lower, &extent);
    int const n = std::string{k.name} == "reduce_scatter" ? a.shares[static_cast<std::size_t>(a.rank)] : a.n;
    b.resize(static_cast<std::size_t>(n * extent));
}

void check(random_source& random, kind const& k, MPI_Comm on, bool inter) {
    auto a = drawn(random, k, on, inter);
    bool const large = pick(random, 0, 1) == 1;
    int const way = pick(random, 0, 3);
    auto const size = static_cast<std::size_t>(room) * most_extent / 8;
    bytes from(size), to(size), expected;
    MPI_Request request = MPI_REQUEST_NULL;
    if (k.init(a, from.data(), to.data(), &request, large) != MPI_SUCCESS) complain(std::string{k.name} + " cannot be made");
    auto const wants = a; // what was freed or overwritten since is wanted for the comparison
    MPI_Datatype type = a.type;
    MPI_Op op = a.op;
    // Lists are the user's again.
    for (auto* const list : {&a.gives, &a.takes, &a.gives_at, &a.takes_at, &a.gives_bytes_at, &a.takes_bytes_at, &a.shares})
        std::fill(list->begin(), list->end(), -7);
    std::fill(a.types.begin(), a.types.end(), MPI_DATATYPE_NULL);
    for (int start = 1; start <= 3; ++start) {
        random_source mine{static_cast<unsigned>(1000 * start + wants.rank + 17 * wants.n)};
        to.resize(size);
        for (auto& b : from) b = static_cast<unsigned char>(mine());
        for (auto& b : to) b = static_cast<unsigned char>(mine());
        expected = to;
        bytes const sends = from;
        k.call(wants, from.data(), expected.data());
        if (from != sends) complain(std::string{k.name} + " (MPI's own) changes what is sent");
        MPI_Status status;
        int over = 0, index = 0;
        if (way == 1)
            MPI_Startall(1, &request);
        else
            MPI_Start(&request);
        if (way == 0) MPI_Wait(&request, &status);
        if (way == 1) MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
        if (way == 2)
            while (over == 0) MPI_Test(&request, &over, &status);
        if (way == 3) MPI_Waitany(1, &request, &index, &status);
        if (request == MPI_REQUEST_NULL) complain(std::string{k.name} + ": the request is gone");
        if (wants.in_place && std::string{k.name}.starts_with("reduce_scatter")) // behind the result anything may stand
            result_of(wants, k, to), result_of(wants, k, expected);
        if (to != expected || from != sends)
            complain(std::string{k.name} + (large ? "_c" : "") + " is wrong at start " + std::to_string(start) + ": " +
                     text(wants));
    }
    MPI_Request_free(&request);
    if (request != MPI_REQUEST_NULL) complain("a request is freed and not null");
    if (k.reduces && op != MPI_SUM && op != MPI_MAX && op != MPI_BXOR) MPI_Op_free(&op);
    if (type != MPI_INT && type != MPI_UNSIGNED && type != MPI_LONG_LONG) MPI_Type_free(&type);
}

struct communicators {
    std::vector<MPI_Comm> plain, topologies;
    MPI_Comm between = MPI_COMM_NULL;
};

communicators made() {
    communicators c;
    int rank = 0, ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm reversed = MPI_COMM_NULL, cart = MPI_COMM_NULL, open = MPI_COMM_NULL, ring = MPI_COMM_NULL, graph = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
    c.plain = {MPI_COMM_WORLD, reversed, MPI_COMM_SELF};
    // What arrives where is said of neighbours that differ: dimensions of 1 or 2 do not wrap, and small graphs are lines.
    int dims[2] = {0, 0}, around[2] = {1, 1}, walls[2] = {0, 0};
    MPI_Dims_create(ranks, 2, dims);
    for (int d = 0; d < 2; ++d) around[d] = dims[d] > 2 ? 1 : 0;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, around, 0, &cart);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, walls, 0, &open);
    int const next = (rank + 1) % ranks, last = (rank + ranks - 1) % ranks;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &last, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring);
    std::vector<int> index, edges; // everybody's neighbours are both sides
    for (int r = 0; r < ranks; ++r) {
        if (r + 1 < ranks || ranks > 2) edges.push_back((r + 1) % ranks);
        if (r > 0 || ranks > 2) edges.push_back((r + ranks - 1) % ranks);
        index.push_back(static_cast<int>(edges.size()));
    }
    edges.push_back(0); // there may be none, and MPICH wants an address
    MPI_Graph_create(MPI_COMM_WORLD, ranks, index.data(), edges.data(), 0, &graph);
    c.topologies = {cart, open, ring, graph};
    if (ranks > 1) {
        MPI_Comm half = MPI_COMM_NULL;
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &c.between);
        MPI_Comm_free(&half);
    }
    return c;
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int const rounds = argc > 1 ? std::atoi(argv[1]) : 6;
    unsigned const seed = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 1;
    random_source random{seed};
    auto all = made();
    auto const every = kinds();
    for (int round = 0; round < rounds; ++round)
        for (auto const& k : every) {
            auto const& on = k.neighbours ? all.topologies : all.plain;
            check(random, k, on[static_cast<std::size_t>(round) % on.size()], false);
            if (k.can_be_inter && all.between != MPI_COMM_NULL) check(random, k, all.between, true);
        }
    int all_failures = 0, rank = 0;
    MPI_Allreduce(&failures, &all_failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) std::printf("%d rounds of %zu collectives, seed %u: %d wrong\n", rounds, every.size(), seed, all_failures);
    MPI_Finalize();
    return all_failures == 0 ? 0 : 1;
}
