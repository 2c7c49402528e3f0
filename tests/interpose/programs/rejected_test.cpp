// SPDX-License-Identifier: Apache-2.0
// Arguments that MPI rejects, in each collective that may be a plan and in each function that completes requests: the error
// handler is called as often as by the MPI alone, the class of the error is the MPI's, and the calls after it are right. Also
// MPI_Cancel of what is under way, and error handlers that communicators inherit.
#include "plain_mpi.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace {

int world_rank = 0, heard = 0, mistakes = 0;

[[noreturn]] void fail(std::string const& what) {
    std::fprintf(stderr, "rank %d: wrong: %s\n", world_rank, what.c_str());
    std::abort();
}

void hear(MPI_Comm*, int*, ...) {
    ++heard;
}

int class_of(int code) {
    int kind = MPI_SUCCESS;
    MPI_Error_class(code, &kind);
    return kind;
}

// What makes an MPI crash, with the layer and without, is no mistake to try: Open MPI 4.1 looks into no communicator in
// MPI_Allgather, and reads at addresses that are null; MPICH 4.0 combines a negative number of elements.
constexpr bool is_open_mpi =
#if defined(OPEN_MPI)
    true;
#else
    false;
#endif

constexpr int words = 300; // long enough to be bound, not copied
struct memory {
    std::vector<int> from, to;
    explicit memory(int size) : from(static_cast<std::size_t>(words * size), 1), to(from.size(), 0) {}
};

// What is passed, all of it right at first.
struct arguments {
    void *from, *to;
    int count = words, root = 0;
    MPI_Datatype type = MPI_INT;
    MPI_Op op = MPI_SUM;
    MPI_Comm communicator;
};

struct function {
    char const* name;
    bool rooted, combines, moves; // it has a root; an operator; both a datatype that is sent and one that is received
    std::function<int(bool plain, arguments const&, MPI_Request*)> call;
};

#define FORMS(NAME, ...)                                                                                                           \
    [](bool plain, arguments const& a, MPI_Request* r) {                                                                           \
        static_cast<void>(r);                                                                                                      \
        return plain ? PLAIN(NAME)(__VA_ARGS__) : MPI_##NAME(__VA_ARGS__);                                                         \
    }
#define FORMS_I(NAME, ...)                                                                                                         \
    [](bool plain, arguments const& a, MPI_Request* r) { return plain ? PLAIN(NAME)(__VA_ARGS__, r) : MPI_##NAME(__VA_ARGS__, r); }
#define REDUCED a.from, a.to, a.count, a.type, a.op
#define MOVED a.from, a.count, a.type, a.to, a.count, a.type
#define BOTH(NAME, SMALL, ROOTED, COMBINES, MOVES, ...)                                                                            \
    {"MPI_" #NAME, ROOTED, COMBINES, MOVES, FORMS(NAME, __VA_ARGS__)}, {                                                           \
        "MPI_I" #SMALL, ROOTED, COMBINES, MOVES, FORMS_I(I##SMALL, __VA_ARGS__)                                                    \
    }

std::vector<function> const& functions() {
    static std::vector<function> const all{
        BOTH(Barrier, barrier, false, false, false, a.communicator),
        BOTH(Bcast, bcast, true, false, false, a.to, a.count, a.type, a.root, a.communicator),
        BOTH(Reduce, reduce, true, true, false, REDUCED, a.root, a.communicator),
        BOTH(Allreduce, allreduce, false, true, false, REDUCED, a.communicator),
        BOTH(Reduce_scatter_block, reduce_scatter_block, false, true, false, REDUCED, a.communicator),
        BOTH(Scan, scan, false, true, false, REDUCED, a.communicator),
        BOTH(Exscan, exscan, false, true, false, REDUCED, a.communicator),
        BOTH(Gather, gather, true, false, true, MOVED, a.root, a.communicator),
        BOTH(Scatter, scatter, true, false, true, MOVED, a.root, a.communicator),
        BOTH(Allgather, allgather, false, false, true, MOVED, a.communicator),
        BOTH(Alltoall, alltoall, false, false, true, MOVED, a.communicator),
    };
    return all;
}

int end(int code, MPI_Request* request) {
    if (code != MPI_SUCCESS || *request == MPI_REQUEST_NULL) return code;
    return MPI_Wait(request, MPI_STATUS_IGNORE);
}

// Ones come in; what must come out is known for the sums.
void right(function const& f, MPI_Comm c, memory& m, int rank, int size) {
    arguments const a{.from = m.from.data(), .to = m.to.data(), .communicator = c};
    std::fill(m.to.begin(), m.to.end(), 1);
    MPI_Request request = MPI_REQUEST_NULL;
    if (end(f.call(false, a, &request), &request) != MPI_SUCCESS) fail(std::string{f.name} + ": a right call has an error");
    int const sum = std::string{f.name}.find("xscan") != std::string::npos ? rank
                    : std::string{f.name}.find("can") != std::string::npos ? rank + 1
                                                                           : size;
    bool const undefined = (f.rooted && rank != 0) || sum == 0;
    if (f.combines && !undefined && m.to[words - 1] != sum) fail(std::string{f.name} + ": the sum of a right call");
    if (!f.combines && m.to[words - 1] != 1) fail(std::string{f.name} + ": what a right call moves");
}

void wrong(function const& f, char const* mistake, arguments const& a) {
    int heard_by[2] = {0, 0}, kinds[2] = {0, 0};
    for (int plain = 1; plain >= 0; --plain) {
        MPI_Request request = MPI_REQUEST_NULL;
        heard = 0;
        int const code = f.call(plain != 0, a, &request);
        kinds[plain] = class_of(code);
        heard_by[plain] = heard;
        if (code == MPI_SUCCESS && request != MPI_REQUEST_NULL) MPI_Wait(&request, MPI_STATUS_IGNORE); // this MPI does not mind
    }
    ++mistakes;
    std::string const what = std::string{f.name} + ", " + mistake;
    if (kinds[0] != kinds[1]) fail(what + ": class " + std::to_string(kinds[0]) + " for " + std::to_string(kinds[1]));
    if (heard_by[0] != heard_by[1])
        fail(what + ": the handler was called " + std::to_string(heard_by[0]) + " times for " + std::to_string(heard_by[1]));
}

void all_mistakes(function const& f, MPI_Comm c, memory& m, int rank, int size) {
    arguments const good{.from = m.from.data(), .to = m.to.data(), .communicator = c};
    auto const with = [&](char const* mistake, auto change) {
        arguments a = good;
        change(a);
        wrong(f, mistake, a);
        right(f, c, m, rank, size);
    };
    bool const gathers = std::string{f.name}.find("llgather") != std::string::npos;
    if (!is_open_mpi || !gathers) with("no communicator", [](auto& a) { a.communicator = MPI_COMM_NULL; });
    if (std::string{f.name}.find("arrier") != std::string::npos) return;
    if (is_open_mpi || !f.combines) with("a negative count", [](auto& a) { a.count = -1; });
    with("no datatype", [](auto& a) { a.type = MPI_DATATYPE_NULL; });
    if (f.rooted) {
        with("a root behind the last rank", [&](auto& a) { a.root = size; });
        with("a root far below", [](auto& a) { a.root = -77; });
    }
    if (f.combines) {
        with("no operator", [](auto& a) { a.op = MPI_OP_NULL; });
        with("bits of real numbers", [](auto& a) {
            a.op = MPI_BAND;
            a.type = MPI_FLOAT;
        });
        with("the place of a number", [](auto& a) { a.op = MPI_MAXLOC; });
    }
}

// Of functions that complete: no requests, and fewer than none.
void completing(MPI_Comm c) {
    int index = 0, flag = 0, done = 0, indices[2];
    MPI_Request none[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status statuses[2];
    struct one {
        char const* name;
        std::function<int(bool)> call;
    };
#define EITHER(NAME, ...) [&](bool plain) { return plain ? PLAIN(NAME)(__VA_ARGS__) : MPI_##NAME(__VA_ARGS__); }
    std::vector<one> const all{
        {"MPI_Wait of no place", EITHER(Wait, nullptr, statuses)},
        {"MPI_Test of no place", EITHER(Test, nullptr, &flag, statuses)},
        {"MPI_Test of no flag", EITHER(Test, none, nullptr, statuses)},
        {"MPI_Waitall of fewer than none", EITHER(Waitall, -1, none, statuses)},
        {"MPI_Waitall of no places", EITHER(Waitall, 2, nullptr, statuses)},
        {"MPI_Waitany of fewer than none", EITHER(Waitany, -1, none, &index, statuses)},
        {"MPI_Waitany of no index", EITHER(Waitany, 2, none, nullptr, statuses)},
        {"MPI_Testany of no index", EITHER(Testany, 2, none, nullptr, &flag, statuses)},
        {"MPI_Testall of no flag", EITHER(Testall, 2, none, nullptr, statuses)},
        {"MPI_Waitsome of no number", EITHER(Waitsome, 2, none, nullptr, indices, statuses)},
        {"MPI_Waitsome of fewer than none", EITHER(Waitsome, -1, none, &done, indices, statuses)},
        {"MPI_Testall of fewer than none", EITHER(Testall, -1, none, &flag, statuses)},
        {"MPI_Testany of fewer than none", EITHER(Testany, -1, none, &index, &flag, statuses)},
        {"MPI_Testsome of fewer than none", EITHER(Testsome, -1, none, &done, indices, statuses)},
        {"MPI_Request_free of nothing", EITHER(Request_free, none)},
        {"MPI_Request_free of no place", EITHER(Request_free, nullptr)},
        {"MPI_Start of nothing", EITHER(Start, none)},
        {"MPI_Startall of fewer than none", EITHER(Startall, -1, none)},
    };
    // While nothing is under way, while a collective is, and while there are more receives than the layer has places for.
    enum class under_way { nothing, collective, receives };
    for (auto const busy : {under_way::nothing, under_way::collective, under_way::receives}) {
        MPI_Request request = MPI_REQUEST_NULL;
        int mine = 1, sum = 0, size = 0, rank = 0;
        MPI_Comm_size(c, &size);
        MPI_Comm_rank(c, &rank);
        std::vector<std::vector<int>> blocks(300, std::vector<int>(5000, 0));
        std::vector<MPI_Request> receives(busy == under_way::receives ? blocks.size() : 0);
        auto const length = static_cast<int>(blocks.front().size());
        for (std::size_t i = 0; i < receives.size(); ++i)
            MPI_Irecv(blocks[i].data(), length, MPI_INT, rank, 5000 + static_cast<int>(i), c, &receives[i]);
        if (busy == under_way::collective) MPI_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, c, &request);
        for (auto const& o : all) {
            heard = 0;
            int const expected = class_of(o.call(true)), times = heard;
            heard = 0;
            int const kind = class_of(o.call(false));
            ++mistakes;
            if (kind != expected)
                fail(std::string{o.name} + ": class " + std::to_string(kind) + " for " + std::to_string(expected));
            if (heard != times)
                fail(std::string{o.name} + ": the handler was called " + std::to_string(heard) + " times for " +
                     std::to_string(times));
        }
        std::vector<int> const ones(blocks.front().size(), 1);
        for (std::size_t i = 0; i < receives.size(); ++i)
            MPI_Send(ones.data(), length, MPI_INT, rank, 5000 + static_cast<int>(i), c);
        MPI_Waitall(static_cast<int>(receives.size()), receives.data(), MPI_STATUSES_IGNORE);
        for (std::size_t i = 0; i < receives.size(); ++i)
            if (blocks[i] != ones) fail("a receive among mistakes");
        if (busy == under_way::collective) {
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            if (sum != size) fail("a sum among mistakes");
        }
    }
}

// MPI forbids it for collectives; whatever it says, the call goes on to its end.
void cancelled(MPI_Comm c) {
    int mine = 1, sum = 0, size = 0;
    MPI_Comm_size(c, &size);
    for (int i = 0; i < 3; ++i) {
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, c, &request);
        static_cast<void>(MPI_Cancel(&request));
        if (MPI_Wait(&request, MPI_STATUS_IGNORE) != MPI_SUCCESS || sum != size) fail("a sum that was to be cancelled");
    }
    // A receive that nobody sends to, beside a collective.
    int word = 0, flag = 0;
    MPI_Request both[2];
    MPI_Status statuses[2];
    MPI_Irecv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 4711, c, &both[0]);
    MPI_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, c, &both[1]);
    MPI_Cancel(&both[0]);
    if (MPI_Waitall(2, both, statuses) != MPI_SUCCESS) fail("a receive that was cancelled, beside a sum");
    MPI_Test_cancelled(&statuses[0], &flag);
    if (flag == 0 || sum != size) fail("a receive that was cancelled");
    MPI_Test_cancelled(&statuses[1], &flag);
    if (flag != 0) fail("a sum is not cancelled");
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Comm_create_errhandler(&hear, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler); // also of errors that belong to no communicator
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    MPI_Comm twin = MPI_COMM_NULL, half = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &twin); // which inherits it
    MPI_Comm_split(MPI_COMM_WORLD, world_rank % 2, 0, &half);
    for (MPI_Comm const c : {MPI_COMM_WORLD, twin, half, MPI_COMM_SELF}) {
        int rank = 0, size = 1;
        MPI_Comm_rank(c, &rank);
        MPI_Comm_size(c, &size);
        memory m{size};
        for (int round = 0; round < 6; ++round) // until plans carry them
            for (auto const& f : functions()) right(f, c, m, rank, size);
        for (auto const& f : functions()) all_mistakes(f, c, m, rank, size);
        completing(c);
        cancelled(c);
        for (auto const& f : functions()) right(f, c, m, rank, size);
    }
    MPI_Errhandler_free(&handler);
    MPI_Comm_free(&half);
    MPI_Comm_free(&twin);
    if (world_rank == 0) std::printf("%d mistakes: all right\n", mistakes);
    MPI_Finalize();
    return 0;
}
