// SPDX-License-Identifier: Apache-2.0
// Theme by theme from the text of the MPI standard, so often that plans carry what they can: arguments that count at the root only,
// nothing at all and null pointers, periodic grids of one and two, graphs with double edges, receives that are cancelled,
// persistent requests that are freed while active, messages without a partner, datatypes of all makers, extents beyond 2 GiB,
// errors that come back, groups that connect, files, a function of MPI that the program itself wraps, and threads. What must come
// out is known, or the MPI says it, asked past the layer.
#include <mpi.h>

#include "standard_datatypes.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace standard;

namespace {

// What counts at the root only may be anything elsewhere.
void only_at_the_root() {
    auto const p = static_cast<std::size_t>(world_size);
    std::vector<int> all(p), counts(p, 1), at(p);
    std::iota(at.begin(), at.end(), 0);
    for (int i = 0; i < rounds; ++i) {
        int const root = i % world_size, mine = world_rank + i;
        bool const here = root == world_rank;
        int got = -1;
        int const none = here ? 1 : -7;
        auto const type = here ? MPI_INT : MPI_DATATYPE_NULL;
        int* const at_root = here ? all.data() : nullptr;
        MPI_Gather(&mine, 1, MPI_INT, at_root, none, type, root, MPI_COMM_WORLD);
        expect(!here || all[p - 1] == world_size - 1 + i, "gather");
        MPI_Gatherv(&mine, 1, MPI_INT, at_root, here ? counts.data() : nullptr, here ? at.data() : nullptr, type, root,
                    MPI_COMM_WORLD);
        expect(!here || all[p - 1] == world_size - 1 + i, "gatherv");
        for (std::size_t r = 0; r < p; ++r) all[r] = static_cast<int>(r) * 3 + i;
        MPI_Scatter(at_root, none, type, &got, 1, MPI_INT, root, MPI_COMM_WORLD);
        expect(got == world_rank * 3 + i, "scatter");
        MPI_Scatterv(at_root, here ? counts.data() : nullptr, here ? at.data() : nullptr, type, &got, 1, MPI_INT, root,
                     MPI_COMM_WORLD);
        expect(got == world_rank * 3 + i, "scatterv");
        MPI_Reduce(&mine, here ? &got : nullptr, 1, MPI_INT, MPI_MAX, root, MPI_COMM_WORLD);
        expect(!here || got == world_size - 1 + i, "reduce");
    }
}

void nothing() {
    auto const p = static_cast<std::size_t>(world_size);
    std::vector<int> const zeros(p, 0);
    std::vector<MPI_Datatype> const types(p, MPI_INT);
    int const* const z = zeros.data();
    MPI_Datatype empty = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(0, MPI_INT, &empty);
    MPI_Type_commit(&empty);
    int word = world_rank, other = 0;
    for (int i = 0; i < rounds; ++i) {
        MPI_Comm const c = MPI_COMM_WORLD;
        MPI_Bcast(nullptr, 0, MPI_INT, 0, c);
        MPI_Bcast(&word, INT_MAX, empty, 0, c);
        MPI_Allreduce(nullptr, nullptr, 0, MPI_INT, MPI_SUM, c);
        MPI_Reduce(nullptr, nullptr, 0, MPI_INT, MPI_SUM, 0, c);
        MPI_Allgather(nullptr, 0, MPI_INT, nullptr, 0, MPI_INT, c);
        MPI_Alltoall(nullptr, 0, MPI_INT, nullptr, 0, MPI_INT, c);
#if defined(OPEN_MPI)
        int *here = nullptr, *there = nullptr;
#else // MPICH 4.0 takes null pointers for one buffer, and refuses that
        int *here = &word, *there = &other;
#endif
        MPI_Alltoallv(here, z, z, MPI_INT, there, z, z, MPI_INT, c);
        MPI_Alltoallw(here, z, z, types.data(), there, z, z, types.data(), c);
        MPI_Scan(nullptr, nullptr, 0, MPI_INT, MPI_SUM, c);
        MPI_Reduce_scatter(nullptr, nullptr, z, MPI_INT, MPI_SUM, c);
        MPI_Reduce_scatter_block(nullptr, nullptr, 0, MPI_INT, MPI_SUM, c);
        MPI_Request r[3];
        MPI_Iallreduce(nullptr, nullptr, 0, MPI_INT, MPI_SUM, c, &r[0]);
        MPI_Ibcast(nullptr, 0, MPI_INT, world_size - 1, c, &r[1]);
        MPI_Iallgather(&word, 3, empty, &other, 3, empty, c, &r[2]);
        MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
        MPI_Status s;
        MPI_Sendrecv(nullptr, 0, MPI_INT, right_of(), 1, nullptr, 0, MPI_INT, left_of(), 1, c, &s);
        MPI_Sendrecv(&word, INT_MAX, empty, right_of(), 1, &word, INT_MAX, empty, left_of(), 1, c, &s);
        expect(word == world_rank && s.MPI_SOURCE == left_of(), "nothing came with something");
    }
    static_cast<void>(other);
    MPI_Type_free(&empty);
}

// Neighbours that are one and the same rank, and this rank itself.
void neighbours_of(MPI_Comm c, int in, int out, char const* what) {
    constexpr int n = 100;
    auto const ins = static_cast<std::size_t>(in), outs = static_cast<std::size_t>(out);
    std::vector<int> from(n * outs), to(n * ins), right(n * ins);
    for (int i = 0; i < rounds; ++i) {
        for (std::size_t k = 0; k < from.size(); ++k) from[k] = world_rank * 100000 + i * 1000 + static_cast<int>(k);
        int const m = i % 2 == 0 ? 1 : n;
        std::ranges::fill(to, -1), std::ranges::fill(right, -1);
        PLAIN(Neighbor_alltoall)(from.data(), m, MPI_INT, right.data(), m, MPI_INT, c);
        MPI_Neighbor_alltoall(from.data(), m, MPI_INT, to.data(), m, MPI_INT, c);
        expect(to == right, std::string{"alltoall, "} + what);
        MPI_Request r = MPI_REQUEST_NULL;
        std::ranges::fill(to, -1), std::ranges::fill(right, -1);
        PLAIN(Neighbor_allgather)(from.data(), m, MPI_INT, right.data(), m, MPI_INT, c);
        MPI_Ineighbor_allgather(from.data(), m, MPI_INT, to.data(), m, MPI_INT, c, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        expect(to == right, std::string{"allgather, "} + what);
    }
}
void neighbourhoods() {
    int dims[2] = {world_size, 1};
    int const periods[2] = {1, 1};
    MPI_Comm c = MPI_COMM_NULL;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &c);
    neighbours_of(c, 4, 4, "a periodic grid");
    MPI_Comm_free(&c);
    MPI_Cart_create(MPI_COMM_WORLD, 0, dims, periods, 0, &c);
    if (c != MPI_COMM_NULL) {
        int word = 3, sum = 0;
        for (int i = 0; i < rounds; ++i) MPI_Allreduce(&word, &sum, 1, MPI_INT, MPI_SUM, c);
        expect(sum == 3, "a grid without dimensions");
        MPI_Comm_free(&c);
    }
    std::array<int, 4> const in{left_of(), left_of(), world_rank, left_of()}, out{right_of(), right_of(), world_rank, right_of()};
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 4, in.data(), MPI_UNWEIGHTED, 4, out.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                   &c);
    neighbours_of(c, 4, 4, "a graph with double edges");
    MPI_Comm_free(&c);
}

void cancelled_and_freed() {
    constexpr int n = 20000;
    auto type = every_other(n);
    std::vector<int> out(2 * n), in(2 * n), other(2 * n);
    for (int i = 0; i < rounds; ++i) {
        for (int k = 0; k < 2 * n; ++k) out[static_cast<std::size_t>(k)] = world_rank + k + i;
        MPI_Request r[2];
        MPI_Status s;
        int flag = 0;
        // A receive that is cancelled, between those that come.
        MPI_Irecv(other.data(), 1, type, left_of(), 99, MPI_COMM_WORLD, &r[0]);
        MPI_Irecv(in.data(), 1, type, left_of(), 4, MPI_COMM_WORLD, &r[1]);
        MPI_Cancel(&r[0]);
        MPI_Send(out.data(), 1, type, right_of(), 4, MPI_COMM_WORLD);
        MPI_Wait(&r[0], &s);
        MPI_Test_cancelled(&s, &flag);
        expect(flag != 0 && r[0] == MPI_REQUEST_NULL, "a receive that was cancelled");
        MPI_Wait(&r[1], &s);
        MPI_Test_cancelled(&s, &flag);
        expect(flag == 0 && in[2 * n - 2] == left_of() + 2 * n - 2 + i, "the receive beside it");
        // A persistent send that is freed while active.
        MPI_Irecv(in.data(), 1, type, left_of(), 5, MPI_COMM_WORLD, &r[1]);
        MPI_Send_init(out.data(), 1, type, right_of(), 5, MPI_COMM_WORLD, &r[0]);
        MPI_Start(&r[0]);
        MPI_Request_free(&r[0]);
        MPI_Wait(&r[1], &s);
        int count = 0;
        MPI_Get_count(&s, type, &count);
        expect(count == 1 && in[0] == left_of() + i, "a persistent send that was freed");
        MPI_Barrier(MPI_COMM_WORLD);
        // A datatype that is freed while messages of it are under way.
        auto short_lived = every_other(n);
        MPI_Irecv(in.data(), 1, short_lived, left_of(), 6, MPI_COMM_WORLD, &r[1]);
        MPI_Isend(out.data(), 1, short_lived, right_of(), 6, MPI_COMM_WORLD, &r[0]);
        MPI_Type_free(&short_lived);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
        expect(in[2] == left_of() + 2 + i, "a datatype that is gone");
    }
    MPI_Type_free(&type);
}

void nobody() {
    auto type = every_other(20000);
    std::vector<int> memory(40000, 7);
    MPI_Status s;
    MPI_Request r[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    int index = 5, flag = 0, count = -1, done = 5, indices[3];
    MPI_Send(memory.data(), 1, type, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    MPI_Recv(memory.data(), 1, type, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &s);
    MPI_Get_count(&s, type, &count);
    expect(s.MPI_SOURCE == MPI_PROC_NULL && s.MPI_TAG == MPI_ANY_TAG && count == 0 && memory[0] == 7, "a message from nobody");
    MPI_Sendrecv(memory.data(), 1, type, MPI_PROC_NULL, 1, memory.data(), 1, type, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &s);
    expect(s.MPI_SOURCE == MPI_PROC_NULL, "an exchange with nobody");
    MPI_Probe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &s);
    expect(s.MPI_SOURCE == MPI_PROC_NULL && s.MPI_TAG == MPI_ANY_TAG, "a probe of nobody");
    MPI_Message m = MPI_MESSAGE_NULL;
    MPI_Mprobe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &m, &s);
    expect(m == MPI_MESSAGE_NO_PROC, "a matched probe of nobody");
    MPI_Mrecv(memory.data(), 1, type, &m, &s);
    expect(m == MPI_MESSAGE_NULL && s.MPI_SOURCE == MPI_PROC_NULL, "a matched receive from nobody");
    // None, and one that rests.
    for (bool const rests : {false, true}) {
        if (rests) MPI_Recv_init(memory.data(), 1, type, left_of(), 1, MPI_COMM_WORLD, &r[1]);
        MPI_Waitany(3, r, &index, &s);
        expect(index == MPI_UNDEFINED, "MPI_Waitany of nothing active");
        MPI_Testany(3, r, &index, &flag, &s);
        expect(index == MPI_UNDEFINED && flag != 0, "MPI_Testany of nothing active");
        MPI_Waitsome(3, r, &done, indices, MPI_STATUSES_IGNORE);
        expect(done == MPI_UNDEFINED, "MPI_Waitsome of nothing active");
        MPI_Testsome(3, r, &done, indices, MPI_STATUSES_IGNORE);
        expect(done == MPI_UNDEFINED, "MPI_Testsome of nothing active");
        MPI_Testall(3, r, &flag, MPI_STATUSES_IGNORE);
        expect(flag != 0, "MPI_Testall of nothing active");
        MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
        MPI_Wait(&r[1], &s);
        int tests = 0;
        MPI_Request_get_status(r[1], &tests, &s);
        expect(tests != 0 && (r[1] != MPI_REQUEST_NULL) == rests, "what rests is over");
    }
    MPI_Waitall(0, nullptr, MPI_STATUSES_IGNORE);
#if !defined(OPEN_MPI) // Open MPI 4.1 refuses none
    MPI_Startall(0, nullptr);
#endif
    MPI_Request_free(&r[1]);
    MPI_Type_free(&type);
}

// Errors come back, and what comes next is right.
void errors() {
    MPI_Comm c = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &c);
    MPI_Comm_set_errhandler(c, MPI_ERRORS_RETURN);
    std::array<int, 8> out{}, in{};
    auto const is = [](int code, int right) {
        int what = 0;
        MPI_Error_class(code, &what);
        return what == right;
    };
    for (int i = 0; i < rounds; ++i) {
        int sum = 0, mine = 1;
        MPI_Request r = MPI_REQUEST_NULL;
        MPI_Isend(out.data(), 8, MPI_INT, right_of(), 1, c, &r);
        expect(is(MPI_Recv(in.data(), 4, MPI_INT, left_of(), 1, c, MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE),
               "a message that is too long");
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        expect(is(MPI_Send(out.data(), 1, MPI_INT, world_size, 1, c), MPI_ERR_RANK), "a rank that is not");
        expect(is(MPI_Send(out.data(), 1, MPI_INT, 0, -5, c), MPI_ERR_TAG), "a tag that is not");
        expect(is(MPI_Send(out.data(), -1, MPI_INT, 0, 1, c), MPI_ERR_COUNT), "a negative count");
        expect(MPI_Bcast(&mine, 1, MPI_INT, world_size, c) != MPI_SUCCESS, "a root that is not");
        MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, c);
        expect(sum == world_size, "a sum after errors");
    }
    MPI_Comm_free(&c);
}

// Two groups that connect, and become one.
[[maybe_unused]] void connected() {
    if (world_size < 2) return;
    MPI_Comm half = MPI_COMM_NULL, other = MPI_COMM_NULL, all = MPI_COMM_NULL;
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm_split(MPI_COMM_WORLD, world_rank % 2, world_rank, &half);
    if (world_rank == 0) MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
    world_rank % 2 == 0 ? MPI_Comm_accept(port, MPI_INFO_NULL, 0, half, &other)
                        : MPI_Comm_connect(port, MPI_INFO_NULL, 0, half, &other);
    MPI_Intercomm_merge(other, world_rank % 2, &all);
    auto type = every_other(20000);
    std::vector<int> out(40000), in(40000);
    int rank = 0, size = 0;
    MPI_Comm_rank(all, &rank), MPI_Comm_size(all, &size);
    for (int i = 0; i < rounds; ++i) {
        int const mine = rank + i;
        int sum = 0;
        MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, all);
        expect(size == world_size && sum == size * (size - 1) / 2 + size * i, "a sum of groups that have met");
        std::ranges::fill(out, mine);
        MPI_Sendrecv(out.data(), 1, type, (rank + 1) % size, 1, in.data(), 1, type, (rank + size - 1) % size, 1, all,
                     MPI_STATUS_IGNORE);
        expect(in[39998] == (rank + size - 1) % size + i, "a message of groups that have met");
    }
    MPI_Type_free(&type);
    MPI_Comm_free(&all), MPI_Comm_free(&half);
    MPI_Comm_disconnect(&other);
    if (world_rank == 0) MPI_Close_port(port);
}

// Files and one-sided calls between collectives, and the tools interface.
void beside() {
    char name[64] = "/tmp/sode-standard-XXXXXX";
    if (world_rank == 0) close(mkstemp(name));
    MPI_Bcast(name, sizeof name, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_File f = MPI_FILE_NULL;
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &f);
    int* window_memory = nullptr;
    MPI_Win w = MPI_WIN_NULL;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window_memory, &w);
    MPI_Datatype mine_in_file = MPI_DATATYPE_NULL;
    MPI_Type_vector(10, 1, world_size, MPI_INT, &mine_in_file);
    MPI_Type_commit(&mine_in_file);
    MPI_File_set_view(f, world_rank * static_cast<MPI_Offset>(sizeof(int)), MPI_INT, mine_in_file, "native", MPI_INFO_NULL);
    for (int i = 0; i < rounds; ++i) {
        int const value = world_rank + i;
        int sum = 0;
        std::array<int, 10> numbers{}, back{};
        numbers.fill(value);
        MPI_Request r = MPI_REQUEST_NULL;
        MPI_Iallreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r);
        MPI_File_write_at_all(f, 0, numbers.data(), 10, MPI_INT, MPI_STATUS_IGNORE);
        MPI_File_read_at_all(f, 0, back.data(), 10, MPI_INT, MPI_STATUS_IGNORE);
        MPI_Win_fence(0, w);
        MPI_Put(&value, 1, MPI_INT, right_of(), 0, 1, MPI_INT, w);
        MPI_Win_fence(0, w);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        expect(back == numbers && sum == world_size * (world_size - 1) / 2 + world_size * i, "files beside a collective");
#if defined(OPEN_MPI) // a window of MPICH 4.0 shows the value of before here, now and then, without the layer, too
        expect(*window_memory == left_of() + i, "windows beside a collective");
#endif
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Type_free(&mine_in_file);
    MPI_Win_free(&w);
    MPI_File_close(&f);
    int provided = 0, variables = 0;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_T_cvar_get_num(&variables);
    MPI_T_finalize();
    int word = world_rank, sum = 0;
    MPI_Exscan(&word, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect(variables >= 0, "the tools interface");
}

#if MPI_VERSION >= 4
void fourth() {
    constexpr int parts = 4, n = 5000;
    std::vector<int> out(parts * n), in(parts * n);
    MPI_Request r[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Psend_init(out.data(), parts, n, MPI_INT, right_of(), 3, MPI_COMM_WORLD, MPI_INFO_NULL, &r[0]);
    MPI_Precv_init(in.data(), parts, n, MPI_INT, left_of(), 3, MPI_COMM_WORLD, MPI_INFO_NULL, &r[1]);
    auto type = every_other(20000);
    std::vector<int> from(40000), to(40000);
    for (int i = 0; i < rounds; ++i) {
        int const value = world_rank + i;
        int sum = 0;
        MPI_Startall(2, r);
        MPI_Request more[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        MPI_Iallreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &more[0]);
        std::ranges::fill(from, value);
        MPI_Isendrecv(from.data(), 40000, MPI_INT, right_of(), 1, to.data(), 40000, MPI_INT, left_of(), 1, MPI_COMM_WORLD,
                      &more[1]);
        for (int p = parts - 1; p >= 0; --p) {
            std::fill_n(out.begin() + p * n, n, value * 10 + p);
            MPI_Pready(p, r[0]);
        }
        int there = 0;
        while (there == 0) MPI_Parrived(r[1], parts - 1, &there);
        MPI_Request all[4] = {r[0], r[1], more[0], more[1]};
        MPI_Waitall(4, all, MPI_STATUSES_IGNORE);
        expect(in[0] == (left_of() + i) * 10 && in[parts * n - 1] == (left_of() + i) * 10 + parts - 1, "a message in parts");
        expect(to[39998] == left_of() + i && sum == world_size * (world_size - 1) / 2 + world_size * i, "what came beside it");
    }
    MPI_Request_free(&r[0]), MPI_Request_free(&r[1]);
    MPI_Type_free(&type);
}
#endif

// Threads, each on a communicator of its own, and one with messages.
void threads() {
    std::array<MPI_Comm, 3> c{};
    for (auto& one : c) MPI_Comm_dup(MPI_COMM_WORLD, &one);
    std::atomic<int> wrong{0};
    auto const collective = [&](MPI_Comm on, int seed) {
        std::vector<int> all(static_cast<std::size_t>(world_size));
        for (int i = 0; i < rounds; ++i) {
            int const mine = world_rank + seed + i;
            int sum = 0, word = world_rank == i % world_size ? mine : -1;
            MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, on);
            if (sum != world_size * (world_size - 1) / 2 + world_size * (seed + i)) ++wrong;
            MPI_Bcast(&word, 1, MPI_INT, i % world_size, on);
            if (word != i % world_size + seed + i) ++wrong;
            MPI_Request r = MPI_REQUEST_NULL;
            MPI_Iallgather(&mine, 1, MPI_INT, all.data(), 1, MPI_INT, on, &r);
            MPI_Wait(&r, MPI_STATUS_IGNORE);
            if (all.back() != world_size - 1 + seed + i) ++wrong;
            MPI_Barrier(on);
        }
    };
    std::thread one{[&] { collective(c[0], 5); }}, two{[&] { collective(c[1], 900); }}, three{[&] {
        auto type = every_other(20000);
        std::vector<int> out(40000), in(40000);
        for (int i = 0; i < rounds; ++i) {
            std::ranges::fill(out, world_rank + i);
            MPI_Sendrecv(out.data(), 1, type, right_of(), 1, in.data(), 1, type, left_of(), 1, c[2], MPI_STATUS_IGNORE);
            if (in[39998] != left_of() + i) ++wrong;
        }
        MPI_Type_free(&type);
    }};
    one.join(), two.join(), three.join();
    expect(wrong == 0, "collectives and messages of several threads");
    for (auto& each : c) MPI_Comm_free(&each);
}

int wrapped_calls = 0;

} // namespace

// The program's own: what it calls by the other name goes on to the layer.
extern "C" int MPI_Exscan(void const* from, void* to, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c) {
    ++wrapped_calls;
    return PMPI_Exscan(from, to, n, t, op, c);
}

namespace {

void own_wrapper() {
    int const before = wrapped_calls;
    for (int i = 0; i < rounds; ++i) {
        int const mine = world_rank + i;
        int sum = -1;
        MPI_Exscan(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        expect(world_rank == 0 || sum == world_rank * (world_rank - 1) / 2 + world_rank * i, "a function that the program wraps");
    }
    expect(wrapped_calls == before + rounds, "calls of a function that the program wraps");
}

} // namespace

int main(int argc, char** argv) {
    std::string const only = argc > 1 ? argv[1] : "";
    int level = 0;
    MPI_Init_thread(&argc, &argv, only == "threads" ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world_size);
    if (world_size > 2) rounds = 18; // ranks of MPICH that wait leave their processors to nobody
    auto const run = [&](char const* name, void (*what)()) {
        if (!only.empty() && only != name) return;
        theme = name;
        what();
        if (world_rank == 0 && !only.empty()) std::printf("%s\n", name);
    };
    run("only_at_the_root", only_at_the_root);
    run("nothing", nothing);
    run("neighbourhoods", neighbourhoods);
    run("cancelled_and_freed", cancelled_and_freed);
    run("nobody", nobody);
    run("datatypes", datatypes);
    run("wide_extents", wide_extents);
    run("addresses", addresses);
    run("errors", errors);
#if defined(OPEN_MPI) // the MPICH 4.0 of Debian opens no port
    run("connected", connected);
#endif
    run("beside", beside);
    run("own_wrapper", own_wrapper);
#if MPI_VERSION >= 4
    run("fourth", fourth);
#endif
    if (only == "threads" && level == MPI_THREAD_MULTIPLE) run("threads", threads);
    if (world_rank == 0) std::puts("all right");
    MPI_Finalize();
    return 0;
}
