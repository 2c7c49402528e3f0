// SPDX-License-Identifier: Apache-2.0
// All 22 persistent collectives of MPI-4, and their forms with large counts, are what the blocking ones are, at every start, with
// buffers that change in between: random counts, roots, datatypes with gaps, operators, in place, communicators of all kinds. Those
// among neighbours are what MPI-4.0, 8.6 says, message by message.
//
//     persistent_collectives ROUNDS SEED [plans]     TEST_PERSISTENT times as many rounds
//
// "plans": the MPI layer is there. Then there are topologies, too, that installed MPIs get wrong: neighbours that are several times
// neighbours, or a rank itself.
#include "persistent_kinds.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
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
// NOLINTNEXTLINE(readability-non-const-parameter): the type is MPI's
void multiply(void* in, void* inout, int* n, MPI_Datatype*) {
    auto const* a = static_cast<unsigned const*>(in);
    auto* b = static_cast<unsigned*>(inout);
    for (int i = 0; i < *n; ++i, a += 4, b += 4) {
        unsigned const r[4] = {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2],
                               a[2] * b[1] + a[3] * b[3]};
        std::copy(r, r + 4, b);
    }
}

// Commutative, on elements of two words with one between them, which is not theirs.
// NOLINTNEXTLINE(readability-non-const-parameter): the type is MPI's
void add_outer_words(void* in, void* inout, int* n, MPI_Datatype*) {
    auto const* a = static_cast<unsigned const*>(in);
    auto* b = static_cast<unsigned*>(inout);
    for (int i = 0; i < *n; ++i, a += 3, b += 3) b[0] += a[0], b[2] += a[2];
}

constexpr int room = 64 * 64; // elements of a buffer
constexpr int most_extent = 64;

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
    return s + (a.users ? ", operator of the user" : "");
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
    for (int p = 0; p < std::max(parts, 1); ++p) {                       // lists of nothing have an address
        int const low = std::min(a.rank, p), high = std::max(a.rank, p); // in place, as much goes there as comes from there
        a.gives.push_back(by_pair && a.in_place   ? one(low, high)
                          : by_pair               ? one(a.rank, p)
                          : k.neighbours || inter ? a.n % 9
                                                  : one(p, 0));
        a.takes.push_back(by_pair && a.in_place   ? one(low, high)
                          : by_pair               ? one(p, a.rank)
                          : k.neighbours || inter ? a.n % 9
                                                  : one(p, 0));
        a.gives_at.push_back(p * 10);
        a.takes_at.push_back((parts - 1 - p) * 10);
        a.types.push_back(MPI_INT);
    }
    if (k.neighbours && std::string{k.name} == "neighbor_allgatherv") std::fill(a.takes.begin(), a.takes.end(), a.n);
    for (int p = 0; p < parts; ++p)
        if (k.neighbours && std::string{k.name} == "neighbor_allgatherv")
            a.takes_at[static_cast<std::size_t>(p)] = (parts - 1 - p) * 41;
    for (int p = 0; p < a.ranks; ++p) a.shares.push_back(one(p, 1));
    int const type = pick(random, 0, 2), op = pick(random, 0, 6);
    if (k.reduces) {
        a.type = type == 0 ? MPI_INT : type == 1 ? MPI_UNSIGNED : MPI_LONG_LONG;
        a.op = op == 0 ? MPI_SUM : op == 1 ? MPI_MAX : op == 2 ? MPI_BXOR : op == 5 ? MPI_MAXLOC : MPI_MINLOC;
        if (op > 4) a.type = MPI_2INT;
        if (a.op == MPI_MAX && type == 1) a.type = MPI_INT; // MPICH 4.0 compares MPI_UNSIGNED as if it had a sign, and plans do not
        a.derived = a.users = op == 3 || op == 4;
        if (op == 3) {
            MPI_Type_contiguous(4, MPI_UNSIGNED, &a.type);
            MPI_Op_create(&multiply, 0, &a.op);
        }
        if (op == 4) {
            MPI_Type_vector(2, 1, 2, MPI_UNSIGNED, &a.type);
            MPI_Op_create(&add_outer_words, 1, &a.op);
        }
        if (a.derived) MPI_Type_commit(&a.type);
    } else if (type == 1) {
        a.derived = true;
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

struct neighbour {
    int rank, tag;
};

// In which order, and what meets what: MPI-4.0, 8.6.
void find_neighbours(MPI_Comm on, std::vector<neighbour>& sources, std::vector<neighbour>& targets) {
    int status = MPI_UNDEFINED, rank = 0, n = 0, m = 0, weighted = 0;
    MPI_Topo_test(on, &status);
    MPI_Comm_rank(on, &rank);
    if (status == MPI_CART) {
        MPI_Cartdim_get(on, &n);
        for (int d = 0; d < n; ++d) {
            int below = 0, above = 0;
            MPI_Cart_shift(on, d, 1, &below, &above);
            sources.push_back({below, 2 * d + 1}), sources.push_back({above, 2 * d});
            targets.push_back({below, 2 * d}), targets.push_back({above, 2 * d + 1});
        }
    } else if (status == MPI_GRAPH) {
        MPI_Graph_neighbors_count(on, rank, &n);
        std::vector<int> all(static_cast<std::size_t>(n) + 1);
        MPI_Graph_neighbors(on, rank, n, all.data());
        for (int i = 0; i < n; ++i) sources.push_back({all[static_cast<std::size_t>(i)], 0});
        targets = sources;
    } else {
        MPI_Dist_graph_neighbors_count(on, &n, &m, &weighted);
        std::vector<int> in(static_cast<std::size_t>(n) + 1), out(static_cast<std::size_t>(m) + 1), w(in), v(out);
        MPI_Dist_graph_neighbors(on, n, in.data(), w.data(), m, out.data(), v.data());
        for (int i = 0; i < n; ++i) sources.push_back({in[static_cast<std::size_t>(i)], 0});
        for (int i = 0; i < m; ++i) targets.push_back({out[static_cast<std::size_t>(i)], 0});
    }
}

// One among neighbours, as messages.
void message_by_message(arguments const& a, kind const& k, unsigned char* from, unsigned char* to) {
    std::string const name = k.name;
    bool const one = name.find("allgather") != std::string::npos, lists = name.back() == 'v' || name.back() == 'w';
    std::vector<neighbour> sources, targets;
    find_neighbours(a.on, sources, targets);
    MPI_Aint lower = 0, extent = 0;
    MPI_Type_get_extent(a.type, &lower, &extent);
    std::vector<MPI_Request> all;
    for (std::size_t i = 0; i < sources.size(); ++i) {
        MPI_Aint const at = lists ? a.takes_at[i] * extent : static_cast<MPI_Aint>(i) * a.n * extent;
        MPI_Irecv(to + at, lists ? a.takes[i] : a.n, a.type, sources[i].rank, 100 + sources[i].tag, a.on, &all.emplace_back());
    }
    for (std::size_t i = 0; i < targets.size(); ++i) {
        MPI_Aint const at = one ? 0 : lists ? a.gives_at[i] * extent : static_cast<MPI_Aint>(i) * a.n * extent;
        MPI_Isend(from + at, !one && lists ? a.gives[i] : a.n, a.type, targets[i].rank, 100 + targets[i].tag, a.on,
                  &all.emplace_back());
    }
    MPI_Waitall(static_cast<int>(all.size()), all.data(), MPI_STATUSES_IGNORE);
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
        if (k.neighbours)
            message_by_message(wants, k, from.data(), expected.data());
        else
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
    if (wants.users) MPI_Op_free(&op);
    if (wants.derived) MPI_Type_free(&type);
}

struct communicators {
    std::vector<MPI_Comm> plain, topologies;
    MPI_Comm between = MPI_COMM_NULL;
};

communicators made(bool by_plans) {
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
    if (by_plans && ranks > 1) { // one rank alone has no plan
        int all_around[2] = {1, 1}, flat[2] = {1, ranks};
        MPI_Comm torus = MPI_COMM_NULL, thin = MPI_COMM_NULL, loops = MPI_COMM_NULL;
        MPI_Cart_create(MPI_COMM_WORLD, 2, dims, all_around, 0, &torus);
        MPI_Cart_create(MPI_COMM_WORLD, 2, flat, all_around, 0, &thin);
        // Twice the next one, and a loop; what comes is in another order than what goes.
        int const out[4] = {next, rank, next, last}, in[4] = {next, last, rank, last};
        MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 4, in, MPI_UNWEIGHTED, 4, out, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &loops);
        c.topologies.insert(c.topologies.end(), {torus, thin, loops});
    }
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
    char const* const more = std::getenv("TEST_PERSISTENT");
    int const rounds = (argc > 1 ? std::atoi(argv[1]) : 6) * (more == nullptr ? 1 : std::atoi(more));
    unsigned const seed = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 1;
    random_source random{seed};
    auto all = made(argc > 3);
    auto const every = kinds();
    for (int round = 0; round < rounds; ++round)
        for (auto const& k : every) {
            auto const& on = k.neighbours ? all.topologies : all.plain;
            check(random, k, on[static_cast<std::size_t>(round) % on.size()], false);
            if (k.can_be_inter && all.between != MPI_COMM_NULL) check(random, k, all.between, true);
        }
    int all_failures = 0, rank = 0;
    std::size_t const between = all.between == MPI_COMM_NULL ? 0 : 12;
    MPI_Allreduce(&failures, &all_failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        std::printf("%zu cases, seed %u: %d wrong\n", static_cast<std::size_t>(rounds) * (every.size() + between), seed,
                    all_failures);
    MPI_Finalize();
    return all_failures == 0 ? 0 : 1;
}
