// SPDX-License-Identifier: Apache-2.0
// Collectives that the layer carries as plans, held against those of the MPI itself, byte for byte: called again and again, with
// other memory, on communicators that come and go. What is told to the layer by MPI_ names is asked of MPI through its library.
#include "plain_mpi.hpp"
#include "resident.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace {

int world_rank = 0;

[[noreturn]] void fail(std::string const& what) {
    std::fprintf(stderr, "rank %d: wrong: %s\n", world_rank, what.c_str());
    std::abort();
}

using bytes = std::vector<unsigned char>;

struct occasion {
    MPI_Comm communicator;
    int rank = 0, size = 1;
    explicit occasion(MPI_Comm c) : communicator(c) {
        MPI_Comm_rank(c, &rank);
        MPI_Comm_size(c, &size);
    }
};

bytes given(int rank, std::size_t n, int round) {
    bytes b(n);
    for (std::size_t i = 0; i < n; ++i)
        b[i] =
            static_cast<unsigned char>(31U * static_cast<unsigned>(rank) + 7U * i + 13U * static_cast<unsigned>(round) + i / 251);
    return b;
}

// Small whole numbers, whose sums and products are exact in any order.
template <class T> bytes numbers(int rank, int count, int round) {
    std::vector<T> v(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) v[static_cast<std::size_t>(i)] = static_cast<T>((rank * 5 + i * 3 + round) % 4);
    bytes b(v.size() * sizeof(T));
    if (!b.empty()) std::memcpy(b.data(), v.data(), b.size());
    return b;
}

struct combined_type {
    MPI_Datatype type;
    bytes (*of)(int, int, int);
    std::size_t bytes_of;
    bool whole;
};

void expect_equal(bytes const& got, bytes const& right, char const* what, occasion const& o, int round) {
    if (got == right) return;
    std::size_t i = 0;
    while (got[i] == right[i]) ++i;
    fail(std::string{what} + ": byte " + std::to_string(i) + " of " + std::to_string(got.size()) + ", rank " +
         std::to_string(o.rank) + " of " + std::to_string(o.size) + ", round " + std::to_string(round));
}

// Memory that lies elsewhere in every round, and not aligned as malloc does it.
class moving {
public:
    moving(bytes const& content, int round)
        : room_(content.size() + 256), at_(room_.data() + 16U * (static_cast<unsigned>(round) % 5U)) {
        std::copy(content.begin(), content.end(), at_);
        n_ = content.size();
    }
    [[nodiscard]] void* data() { return at_; }
    [[nodiscard]] bytes content() const { return {at_, at_ + n_}; }

private:
    bytes room_;
    unsigned char* at_;
    std::size_t n_ = 0;
};

// Two doubles of three: ranks may differ in how they describe the same bytes.
MPI_Datatype with_gaps(int doubles) {
    MPI_Datatype t = MPI_DATATYPE_NULL;
    MPI_Type_vector(doubles, 1, 2, MPI_DOUBLE, &t);
    MPI_Type_commit(&t);
    return t;
}

void move_bytes(occasion const& o, int count, int root, int round, int variant) {
    auto const n = static_cast<std::size_t>(count), p = static_cast<std::size_t>(o.size);
    MPI_Comm const c = o.communicator;
    {
        bytes const mine = given(o.rank, n, round);
        moving a{mine, round}, b{mine, round + 1};
        PLAIN(Bcast)(a.data(), count, MPI_BYTE, root, c);
        MPI_Bcast(b.data(), count, MPI_BYTE, root, c);
        expect_equal(b.content(), a.content(), "MPI_Bcast", o, round);
    }
    if (count % 8 == 0 && count > 0) { // some ranks have gaps
        bool const gaps = (o.rank + variant) % 2 == 0;
        std::vector<double> a(2 * n / 8 + 1, -1), b(a);
        for (std::size_t i = 0; i < a.size(); ++i) a[i] = b[i] = o.rank * 1000 + static_cast<double>(i) + round;
        MPI_Datatype t = with_gaps(count / 8);
        int const elements = gaps ? 1 : count / 8;
        PLAIN(Bcast)(a.data(), elements, gaps ? t : MPI_DOUBLE, root, c);
        MPI_Bcast(b.data(), elements, gaps ? t : MPI_DOUBLE, root, c);
        if (a != b) fail("MPI_Bcast with gaps");
        std::vector<double> all_a(p * n / 8), all_b(all_a);
        PLAIN(Allgather)(a.data(), elements, gaps ? t : MPI_DOUBLE, all_a.data(), count, MPI_BYTE, c);
        MPI_Allgather(b.data(), elements, gaps ? t : MPI_DOUBLE, all_b.data(), count, MPI_BYTE, c);
        if (all_a != all_b) fail("MPI_Allgather with gaps");
        MPI_Type_free(&t);
    }
    bytes const one = given(o.rank, n, round), many = given(o.rank, n * p, round + 3);
    bool const in_place = variant % 3 == 0;
    {
        moving f{one, round}, a{many, round}, b{many, round + 2};
        void* const from = in_place && o.rank == root ? MPI_IN_PLACE : f.data();
        PLAIN(Gather)(from, count, MPI_BYTE, a.data(), count, MPI_BYTE, root, c);
        MPI_Gather(from, count, MPI_BYTE, b.data(), count, MPI_BYTE, root, c);
        expect_equal(b.content(), a.content(), "MPI_Gather", o, round);
    }
    {
        moving f{many, round}, a{one, round}, b{one, round + 2};
        bool const keeps = in_place && o.rank == root;
        PLAIN(Scatter)(f.data(), count, MPI_BYTE, keeps ? MPI_IN_PLACE : a.data(), count, MPI_BYTE, root, c);
        MPI_Scatter(f.data(), count, MPI_BYTE, keeps ? MPI_IN_PLACE : b.data(), count, MPI_BYTE, root, c);
        expect_equal(b.content(), a.content(), "MPI_Scatter", o, round);
    }
    {
        moving f{one, round}, a{many, round}, b{many, round + 2};
        PLAIN(Allgather)(in_place ? MPI_IN_PLACE : f.data(), count, MPI_BYTE, a.data(), count, MPI_BYTE, c);
        MPI_Allgather(in_place ? MPI_IN_PLACE : f.data(), count, MPI_BYTE, b.data(), count, MPI_BYTE, c);
        expect_equal(b.content(), a.content(), "MPI_Allgather", o, round);
    }
    {
        moving f{many, round}, a{many, round}, b{many, round + 2};
        PLAIN(Alltoall)(in_place ? MPI_IN_PLACE : f.data(), count, MPI_BYTE, a.data(), count, MPI_BYTE, c);
        MPI_Alltoall(in_place ? MPI_IN_PLACE : f.data(), count, MPI_BYTE, b.data(), count, MPI_BYTE, c);
        expect_equal(b.content(), a.content(), "MPI_Alltoall", o, round);
    }
}

void combine_numbers(occasion const& o, combined_type const& t, MPI_Op op, int count, int root, int round, bool in_place) {
    MPI_Comm const c = o.communicator;
    bytes const mine = t.of(o.rank, count, round), nothing(mine.size(), 0xee);
    bytes const many = t.of(o.rank, count * o.size, round + 1);
    auto const both = [&](char const* what, auto const& plain, auto const& ours, bytes const& in, bytes const& out) {
        moving f{in, round}, a{in_place ? in : out, round}, b{in_place ? in : out, round + 2};
        plain(in_place ? MPI_IN_PLACE : f.data(), a.data());
        ours(in_place ? MPI_IN_PLACE : f.data(), b.data());
        expect_equal(b.content(), a.content(), what, o, round);
    };
    {
        // MPICH 4.0 reads at MPI_IN_PLACE where the root of a longer MPI_Reduce is not rank 0.
        bool const here = in_place && o.rank == root && (root == 0 || mine.size() <= 1024);
        moving f{mine, round}, a{here ? mine : nothing, round}, b{here ? mine : nothing, round + 1};
        PLAIN(Reduce)(here ? MPI_IN_PLACE : f.data(), a.data(), count, t.type, op, root, c);
        MPI_Reduce(here ? MPI_IN_PLACE : f.data(), b.data(), count, t.type, op, root, c);
        if (o.rank == root) expect_equal(b.content(), a.content(), "MPI_Reduce", o, round);
    }
    both(
        "MPI_Allreduce",
        [&](void* f, void* a) {
            PLAIN(Allreduce)
            (f, a, count, t.type, op, c);
        },
        [&](void* f, void* b) { MPI_Allreduce(f, b, count, t.type, op, c); }, mine, nothing);
    both(
        "MPI_Scan",
        [&](void* f, void* a) {
            PLAIN(Scan)
            (f, a, count, t.type, op, c);
        },
        [&](void* f, void* b) { MPI_Scan(f, b, count, t.type, op, c); }, mine, nothing);
    if (o.rank > 0 || !in_place)
        both(
            "MPI_Exscan",
            [&](void* f, void* a) {
                PLAIN(Exscan)
                (f, a, count, t.type, op, c);
            },
            [&](void* f, void* b) { MPI_Exscan(f, b, count, t.type, op, c); }, mine, nothing);
    else { // what rank 0 gets is undefined
        moving a{mine, round}, b{mine, round};
        PLAIN(Exscan)(MPI_IN_PLACE, a.data(), count, t.type, op, c);
        MPI_Exscan(MPI_IN_PLACE, b.data(), count, t.type, op, c);
    }
    moving f{many, round}, a{in_place ? many : nothing, round}, b{in_place ? many : nothing, round + 3};
    PLAIN(Reduce_scatter_block)(in_place ? MPI_IN_PLACE : f.data(), a.data(), count, t.type, op, c);
    MPI_Reduce_scatter_block(in_place ? MPI_IN_PLACE : f.data(), b.data(), count, t.type, op, c);
    bytes x = a.content(), y = b.content();
    x.resize(mine.size()); // what lies behind, in place, is undefined
    y.resize(mine.size());
    expect_equal(y, x, "MPI_Reduce_scatter_block", o, round);
}

void try_all(MPI_Comm communicator, int rounds, unsigned seed) {
    occasion const o{communicator};
    std::mt19937 chance{seed}; // alike on all ranks
    auto const any = [&](int n) { return static_cast<int>(chance() % static_cast<unsigned>(n)); };
    combined_type const types[] = {
        {MPI_INT, numbers<int>, sizeof(int), true},        {MPI_DOUBLE, numbers<double>, sizeof(double), false},
        {MPI_FLOAT, numbers<float>, sizeof(float), false}, {MPI_UINT64_T, numbers<std::uint64_t>, 8, true},
        {MPI_SHORT, numbers<short>, sizeof(short), true},  {MPI_SIGNED_CHAR, numbers<signed char>, 1, true}};
    MPI_Op const ops[] = {MPI_SUM, MPI_MAX, MPI_MIN, MPI_PROD, MPI_BAND, MPI_BOR, MPI_LXOR, MPI_LAND};
    int const counts[] = {0, 1, 3, 7, 8, 56, 64, 100, 1000, 1024, 5000, 40000};
    for (int round = 0; round < rounds; ++round) {
        int const count = counts[any(12)], root = any(o.size), variant = any(12);
        auto const& t = types[any(6)];
        MPI_Op const op = ops[any(t.whole ? 8 : 4)];
        for (int again = 0; again < 6; ++again) {
            move_bytes(o, count, root, round + again, variant + again % 2);
            combine_numbers(o, t, op, count, root, round + again, (variant + again) % 4 == 0);
            if (any(4) == 0) MPI_Barrier(communicator);
        }
    }
}

// Nobody leaves a barrier before all have come.
void try_barrier(MPI_Comm communicator, int rounds) {
    occasion const o{communicator};
    MPI_Win window = MPI_WIN_NULL;
    int* come = nullptr;
    MPI_Comm machine = MPI_COMM_NULL;
    MPI_Comm_split_type(communicator, MPI_COMM_TYPE_SHARED, o.rank, MPI_INFO_NULL, &machine);
    MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, machine, &come, &window);
    *come = 0;
    MPI_Barrier(machine);
    for (int round = 1; round <= rounds; ++round) {
        __atomic_store_n(come, round, __ATOMIC_RELEASE);
        MPI_Barrier(communicator);
        for (int r = 0; r < o.size; ++r) {
            MPI_Aint n = 0;
            int unit = 0;
            int* theirs = nullptr;
            MPI_Win_shared_query(window, r, &n, &unit, &theirs);
            if (__atomic_load_n(theirs, __ATOMIC_ACQUIRE) < round) fail("MPI_Barrier lets ranks go too soon");
        }
    }
    MPI_Win_free(&window);
    MPI_Comm_free(&machine);
}

// A rank that waits in a collective of ours owes another one a message that MPI moves only while it is called.
void owe_messages(MPI_Comm communicator) {
    occasion const o{communicator};
    std::vector<double> out(1 << 17, o.rank), in(out.size());
    int const right = (o.rank + 1) % o.size, left = (o.rank + o.size - 1) % o.size;
    double sum = 0, one = 1;
    for (int round = 0; round < 20; ++round) {
        MPI_Request sending = MPI_REQUEST_NULL;
        // The even ranks owe, and go on to the barrier; the odd ones get what they are owed before they come there.
        if (o.rank % 2 == 0) MPI_Isend(out.data(), static_cast<int>(out.size()), MPI_DOUBLE, right, round, communicator, &sending);
        if (left % 2 == 0) {
            MPI_Request receiving = MPI_REQUEST_NULL;
            if (o.rank % 2 == 0) // of an odd number of ranks, the first is owed by an even one, and cannot wait before
                MPI_Irecv(in.data(), static_cast<int>(in.size()), MPI_DOUBLE, left, round, communicator, &receiving);
            else
                MPI_Recv(in.data(), static_cast<int>(in.size()), MPI_DOUBLE, left, round, communicator, MPI_STATUS_IGNORE);
            if (round % 2 == 0) MPI_Barrier(communicator);
            if (round % 2 == 1) MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, communicator);
            MPI_Wait(&receiving, MPI_STATUS_IGNORE);
            if (in.front() != left || in.back() != left) fail("a message that was owed");
        } else {
            if (round % 2 == 0) MPI_Barrier(communicator);
            if (round % 2 == 1) MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, communicator);
        }
        MPI_Wait(&sending, MPI_STATUS_IGNORE);
    }
}

// A communicator that is freed while a message on it is under way, which is received after that.
void free_with_messages() {
    occasion const o{MPI_COMM_WORLD};
    MPI_Comm c = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &c);
    std::vector<double> out(1 << 17, o.rank), in(out.size(), -1);
    int const right = (o.rank + 1) % o.size, left = (o.rank + o.size - 1) % o.size;
    double one = 1, sum = 0;
    for (int round = 0; round < 24; ++round) MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, c);
    MPI_Request both[2];
    MPI_Irecv(in.data(), static_cast<int>(in.size()), MPI_DOUBLE, left, 0, c, &both[0]);
    MPI_Isend(out.data(), static_cast<int>(out.size()), MPI_DOUBLE, right, 0, c, &both[1]);
    MPI_Comm_free(&c);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
    if (in.front() != left || in.back() != left) fail("a message on a communicator that was freed");
}

// After a standstill the job's plans give up, a barrier too; this one is MPI's.
void meet_by_mpi() {
    MPI_Request all = MPI_REQUEST_NULL;
    MPI_Ibarrier(MPI_COMM_WORLD, &all);
    MPI_Wait(&all, MPI_STATUS_IGNORE);
}

// Calls that MPI forbids: an error on all ranks, and soon.
void disagree() {
    MPI_Comm c = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &c);
    MPI_Comm_set_errhandler(c, MPI_ERRORS_RETURN);
    std::vector<double> const x(4, 1);
    std::vector<double> y(4);
    for (int round = 0; round < 32; ++round) MPI_Allreduce(x.data(), y.data(), 1 + round % 2, MPI_DOUBLE, MPI_SUM, c);
    double const begun = MPI_Wtime();
    int const result = MPI_Allreduce(x.data(), y.data(), world_rank == 0 ? 1 : 2, MPI_DOUBLE, MPI_SUM, c);
    double const took = MPI_Wtime() - begun;
    if (result == MPI_SUCCESS) fail("two lengths of one MPI_Allreduce, and no error");
    int ranks = 0;
    MPI_Comm_size(c, &ranks);
    double const most = ranks <= 2 ? 1 : 5; // more ranks than cores wait for each other
    if (took > most) fail("an error after " + std::to_string(took) + " s");
    meet_by_mpi();
}

// Many counts, called so often that plans of the first hundred take each other's place, and many communicators.
void stay_small(int counts, int communicators) {
    std::vector<double> x(static_cast<std::size_t>(counts) + 1, 1), y(x.size());
    std::size_t before = 0;
    auto const round = [&](int from, int to) {
        for (int count = from; count < to; ++count)
            for (int again = 0; again < 12; ++again) MPI_Allreduce(x.data(), y.data(), count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    };
    auto const many = [&](int n) {
        for (int i = 0; i < n; ++i) {
            MPI_Comm c = MPI_COMM_NULL;
            MPI_Comm_dup(MPI_COMM_WORLD, &c);
            for (int again = 0; again < 24; ++again) MPI_Allreduce(x.data(), y.data(), 2, MPI_DOUBLE, MPI_SUM, c);
            MPI_Comm_free(&c);
        }
    };
    round(1, counts / 4);
    many(communicators / 4);
    before = resident();
    round(counts / 4, counts);
    many(communicators);
    std::size_t const after = resident();
    if (after > before + (8U << 20)) fail("memory has grown by " + std::to_string(after - before) + " bytes");
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    occasion const all{MPI_COMM_WORLD};
    bool const crowded = all.size > 2; // ranks of MPICH that wait leave their processors to nobody
    bool const thronged = all.size > 6;
    int const rounds = argc > 1 ? std::atoi(argv[1]) : all.size > 4 ? 2 : crowded ? 4 : 12;
    try_all(MPI_COMM_WORLD, rounds, 1);
    MPI_Comm twin = MPI_COMM_NULL, half = MPI_COMM_NULL, backwards = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    try_all(twin, rounds / 2, 2);
    MPI_Comm_split(MPI_COMM_WORLD, all.rank % 2, all.rank, &half);
    try_all(half, rounds / 2, 3);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -all.rank, &backwards);
    try_all(backwards, rounds / 2, 4);
    try_barrier(MPI_COMM_WORLD, thronged ? 10 : crowded ? 40 : 200);
    try_barrier(half, thronged ? 10 : 40);
    if (all.size > 1) owe_messages(MPI_COMM_WORLD);
    free_with_messages();
    MPI_Comm_free(&half);
    MPI_Comm_free(&twin);
    thronged ? stay_small(20, 2) : all.size > 4 ? stay_small(40, 3) : crowded ? stay_small(48, 6) : stay_small(400, 60);
    char const* const which = std::getenv("SODE_MPI_COLLECTIVES");
    bool const plans = which != nullptr && std::string{which} == "on" && std::getenv("SODE_MACHINE_SIZE") == nullptr;
    if (all.size > 1 && plans) disagree(); // of MPI itself, one cannot ask that
    meet_by_mpi();
    if (all.rank == 0) std::puts("all right");
    MPI_Finalize(); // one communicator is left
    return 0;
}
