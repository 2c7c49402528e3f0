// SPDX-License-Identifier: Apache-2.0
// Programs that chance makes: collectives of all kinds, blocking, nonblocking and persistent, with datatypes, operators and places
// in memory that differ between ranks where MPI lets them, on communicators of all kinds, many under way at a time and ended in any
// way. What comes out is held against what the MPI itself makes of the same call, byte for byte, with the bytes in between.
#include <mpi.h>
#ifdef TEST_PERSISTENT
#include <sode/mpi4.h>
#endif

#include "any_operation.hpp"

#include <csignal>
#include <unistd.h>

using namespace any;

namespace {

struct under_way {
    std::unique_ptr<operation> what;
    MPI_Request request;
};

// Ends some, in the way that chance has it on this rank.
void end_some(std::vector<under_way>& all, bool every, chance& own) {
    std::vector<MPI_Request> requests;
    for (auto const& u : all) requests.push_back(u.request);
    int const n = static_cast<int>(requests.size());
    std::vector<int> indices(requests.size() + 1);
    std::vector<MPI_Status> statuses(requests.size() + 1);
    MPI_Status* const many = pick(own, 0, 1) == 0 ? MPI_STATUSES_IGNORE : statuses.data();
    MPI_Status* const one = pick(own, 0, 1) == 0 ? MPI_STATUS_IGNORE : statuses.data();
    std::vector<char> over(requests.size() + 1, 0);
    int left = every ? n : pick(own, 0, n);
    auto const ended = [&](int i) {
        if (i < 0 || i >= n || over[static_cast<std::size_t>(i)] != 0) fail("the index of what is over");
        over[static_cast<std::size_t>(i)] = 1;
        --left;
    };
    int const way = pick(own, 0, 7);
    at_work = "ending " + std::to_string(n) + ", way " + std::to_string(way);
    while (left > 0) {
        int index = MPI_UNDEFINED, flag = 0, done = 0;
        switch (way) {
        case 0:
            if (left == n) {
                MPI_Waitall(n, requests.data(), many);
                for (int i = 0; i < n; ++i) ended(i);
            } else {
                MPI_Waitany(n, requests.data(), &index, one);
                ended(index);
            }
            break;
        case 1: MPI_Waitany(n, requests.data(), &index, one), ended(index); break;
        case 2:
            MPI_Testany(n, requests.data(), &index, &flag, one);
            if (flag != 0) ended(index);
            break;
        case 3:
        case 4:
            way == 3 ? MPI_Waitsome(n, requests.data(), &done, indices.data(), many)
                     : MPI_Testsome(n, requests.data(), &done, indices.data(), many);
            for (int i = 0; i < done; ++i) ended(indices[static_cast<std::size_t>(i)]);
            break;
        case 5:
            if (left == n) {
                MPI_Testall(n, requests.data(), &flag, many);
                if (flag != 0)
                    for (int i = 0; i < n; ++i) ended(i);
                break;
            }
            [[fallthrough]];
        case 6: {
            do index = pick(own, 0, n - 1);
            while (over[static_cast<std::size_t>(index)] != 0);
            MPI_Wait(&requests[static_cast<std::size_t>(index)], one);
            ended(index);
            break;
        }
        default: {
            index = pick(own, 0, n - 1);
            if (over[static_cast<std::size_t>(index)] != 0) break;
            if (pick(own, 0, 1) == 0) {
                MPI_Request_get_status(requests[static_cast<std::size_t>(index)], &flag, one);
                break;
            }
            MPI_Test(&requests[static_cast<std::size_t>(index)], &flag, one);
            if (flag != 0) ended(index);
        }
        }
    }
    std::vector<under_way> others;
    for (int i = 0; i < n; ++i) {
        auto const k = static_cast<std::size_t>(i);
        if (over[k] == 0) {
            others.push_back(std::move(all[k]));
            continue;
        }
        if (all[k].what) all[k].what->expect("ended");
#ifdef TEST_PERSISTENT
        if (requests[k] != MPI_REQUEST_NULL) MPI_Request_free(&requests[k]);
#else
        if (requests[k] != MPI_REQUEST_NULL) fail("a handle of what is over");
#endif
    }
    all = std::move(others);
}

std::vector<place> places() {
    std::vector<place> all;
    int size = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    auto const add_place = [&](MPI_Comm c, char const* name) {
        if (c != MPI_COMM_NULL) all.push_back(place_of(c, name));
    };
    MPI_Comm c = MPI_COMM_NULL;
    add_place(MPI_COMM_WORLD, "world");
    MPI_Comm_dup(MPI_COMM_WORLD, &c), add_place(c, "a duplicate");
    MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank, &c), add_place(c, "the reverse");
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, world_rank % 2, world_rank, &half), add_place(half, "a half");
    MPI_Comm_split(MPI_COMM_WORLD, world_rank == size - 1 ? MPI_UNDEFINED : 0, world_rank, &c), add_place(c, "all but the last");
    add_place(MPI_COMM_SELF, "self");
    if (size > 1) {
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - world_rank % 2, 5, &c), add_place(c, "between halves");
        MPI_Comm merged = MPI_COMM_NULL;
        MPI_Intercomm_merge(c, world_rank % 2, &merged), add_place(merged, "merged");
    }
    int dims[2] = {0, 0};
    int const none[2] = {0, 0};
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, none, 0, &c);
    auto cart = place_of(c, "a grid");
    for (int d = 0; d < 2; ++d) {
        int below = 0, above = 0;
        MPI_Cart_shift(c, d, 1, &below, &above);
        for (int const r : {below, above}) cart.sources.push_back(r), cart.targets.push_back(r);
    }
    cart.topology = true;
    all.push_back(cart);
    if (size > 2) {
        int const next = (world_rank + 1) % size, last = (world_rank + size - 1) % size;
        MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &last, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &c);
        auto ring = place_of(c, "a ring");
        ring.sources = {last}, ring.targets = {next}, ring.topology = true;
        all.push_back(ring);
    }
    return all;
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    int size = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    test_seed = static_cast<unsigned>(number_of("TEST_SEED", 1));
    long const cases = (argc > 1 ? std::atol(argv[1]) : 400) * number_of("TEST_REPEATS", 1);
    signal(SIGALRM, [](int) {
        std::fprintf(stderr, "rank %d hangs: %s\n", world_rank, at_work.c_str());
        std::abort();
    });
    alarm(static_cast<unsigned>(number_of("TEST_ALARM", 280)));
    auto const all_places = places();
    auto const all_elements = elements();
    // Of each communicator its own patterns and its own chance, as not all ranks are in all of them.
    struct stock {
        std::vector<pattern> patterns;
    };
    chance same{test_seed}, own{test_seed * 7919U + static_cast<unsigned>(world_rank) + 1U};
    int const sizes[] = {0, 1, 1, 2, 3, 16, 63, 64, 65, 200, 1000, 9000};
    std::vector<stock> stocks(16);
    for (auto& s : stocks)
        for (int i = 0; i < 8; ++i)
            s.patterns.push_back({static_cast<kind>(pick(same, 0, kinds - 1)), sizes[pick(same, 0, 11)], pick(same, 0, size - 1),
                                  pick(same, 0, 1) == 0, static_cast<unsigned>(same())});
    std::vector<under_way> all;
    for (long i = 0; i < cases; ++i) {
        auto const where = same(), which = same(), how = same(), in_place = same();
        // By name, as "all but the last" is not everywhere.
        static std::vector<std::string> const order{
            "world", "world",          "a duplicate", "the reverse", "a half", "all but the last",
            "self",  "between halves", "merged",      "a grid",      "a ring"};
        auto const at = where % order.size();
        auto const p = std::ranges::find(all_places, order[at], &place::name);
        if (p != all_places.end()) {
            auto t = stocks[at].patterns[which % stocks[at].patterns.size()];
            if (which % 16 == 15) t.n = static_cast<int>(how % 500); // now and then one that does not come again
            bool const neighbours = t.what >= neighbor_allgather;
            if (neighbours && !p->topology) t.what = static_cast<kind>(t.what - neighbor_allgather + 1);
            if (p->inter && (t.what == scan || t.what == exscan || t.what == reduce_scatter || t.what == reduce_scatter_block))
                t.what = allreduce;
            bool const combines = t.what >= reduce && t.what <= exscan;
            if (p->inter) t.n = std::max(t.n, 1);
            bool const must_block = (p->inter && t.what == bcast) ||      // the MPI_Ibcast of MPICH 4.0 between groups,
                                    (p->topology && t.what == alltoallw); // the MPI_Ialltoallw of Open MPI 4.1 in a topology
            auto const& e = all_elements[t.of % all_elements.size()];
            auto const& basic = combines ? e : all_elements[t.of % 20 == 17 ? 16 : t.of % 20]; // those that are moved have no gaps
            MPI_Op const op = combines ? e.ops[t.of / 8 % e.ops.size()] : MPI_OP_NULL;
            if (combines && t.n > 300 && op == MPI_PROD) t.n = 300;
            int const m = static_cast<int>(how / 8 % 8);
            auto one =
                std::make_unique<operation>(*p, t, basic, op, static_cast<int>(i), own, world_rank % 2 == 0, in_place % 4 == 0);
            MPI_Request request = MPI_REQUEST_NULL;
            bool const blocks = m < 4 || must_block;
            if (blocks) {
                one->begin(mode::blocking, nullptr);
                one->expect("blocking");
            } else {
#ifdef TEST_PERSISTENT
                bool const persistent = m != 7;
                one->begin(persistent ? mode::persistent : mode::nonblocking, &request);
                for (int start = 2; persistent && m == 6 && start < 4; ++start) {
                    MPI_Wait(&request, MPI_STATUS_IGNORE);
                    one->expect("persistent");
                    one->again(static_cast<int>(i) + start, own, &request);
                }
#else
                one->begin(mode::nonblocking, &request);
#endif
                all.push_back({std::move(one), request});
            }
        }
        if (how % 8 == 1 && size > 1) { // a message to the next one
            int const next = (world_rank + 1) % size, last = (world_rank + size - 1) % size;
            MPI_Request in = MPI_REQUEST_NULL, out = MPI_REQUEST_NULL;
            static bytes sent(100000), got(100000);
            MPI_Irecv(got.data(), how / 64 % 2 == 0 ? 100 : 100000, MPI_BYTE, last, 3, MPI_COMM_WORLD, &in);
            MPI_Isend(sent.data(), how / 64 % 2 == 0 ? 100 : 100000, MPI_BYTE, next, 3, MPI_COMM_WORLD, &out);
            all.push_back({nullptr, in}), all.push_back({nullptr, out});
            end_some(all, true, own);
        }
        if (how % 32 == 2 || all.size() > 40)
            end_some(all, true, own);
        else if (own() % 4 == 0)
            end_some(all, false, own);
    }
    end_some(all, true, own);
    int failed = 0, any = 0;
    MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (world_rank == 0) std::printf("%ld cases, seed %u: all right\n", cases, test_seed);
    MPI_Finalize();
    return 0;
}
