// SPDX-License-Identifier: Apache-2.0
// What MPI allows and few programs do, around collectives: memory that must not be written to, odd addresses, both names and both
// forms of a function, handles that are used again for something else, requests of all kinds in one array, callbacks that
// communicate, communicators made in all ways. What must come out is known.
#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <sys/mman.h>
#include <vector>

namespace {

int world_rank = 0, world_size = 1;

[[noreturn]] void fail(std::string const& what) {
    std::fprintf(stderr, "rank %d: wrong: %s\n", world_rank, what.c_str());
    std::abort();
}
void expect(bool truth, std::string const& what) {
    if (!truth) fail(what);
}

struct on {
    MPI_Comm communicator;
    int rank = 0, size = 1;
    explicit on(MPI_Comm c) : communicator(c) {
        MPI_Comm_rank(c, &rank);
        MPI_Comm_size(c, &size);
    }
};
int sum_to(int n) {
    return n * (n + 1) / 2;
}

// Each in its blocking form, then in its nonblocking one, so often that plans carry them; `blocks`: which of them it is.
void again_and_again(int rounds, std::function<void(bool blocks, MPI_Request*)> const& call, std::function<void()> const& look) {
    for (int i = 0; i < rounds; ++i)
        for (bool blocks : {true, false}) {
            MPI_Request request = MPI_REQUEST_NULL;
            call(blocks, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            look();
        }
}
#define CALL(NAME, INAME, ...)                                                                                                     \
    [&](bool blocks, MPI_Request* request) { blocks ? MPI_##NAME(__VA_ARGS__) : MPI_##INAME(__VA_ARGS__, request); }

// What is given may lie in memory that is for reading only, at an address that is odd.
void given_and_got(on const& o, int count, std::size_t odd, int rounds) {
    auto const n = static_cast<std::size_t>(count), p = static_cast<std::size_t>(o.size);
    std::size_t const bytes = n * p * sizeof(int) + 4096;
    auto* const page =
        static_cast<unsigned char*>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    expect(page != MAP_FAILED, "no memory");
    auto* const from = page + odd;
    auto const put = [](unsigned char* at, std::size_t i, int v) { std::memcpy(at + i * sizeof v, &v, sizeof v); };
    auto const get = [](unsigned char const* at, std::size_t i) {
        int v = 0;
        std::memcpy(&v, at + i * sizeof v, sizeof v);
        return v;
    };
    for (std::size_t i = 0; i < n * p; ++i) put(from, i, o.rank + 1 + static_cast<int>(i % 7));
    mprotect(page, bytes, PROT_READ);
    std::vector<unsigned char> room(n * p * sizeof(int) + 64, 0xee);
    auto* const to = room.data() + 16 + odd;
    MPI_Comm const c = o.communicator;
    int const last = o.size - 1;
    auto const all_equal = [&](char const* what, std::size_t many, auto const& right) {
        return [&, what, many, right] {
            for (std::size_t i = 0; i < many; ++i)
                if (get(to, i) != right(i))
                    fail(std::string{what} + ", word " + std::to_string(i) + ": " + std::to_string(get(to, i)) + " for " +
                         std::to_string(right(i)));
            expect(to[-1] == 0xee && to[many * sizeof(int)] == 0xee, std::string{what} + ": bytes around the result");
            std::memset(room.data(), 0xee, room.size());
        };
    };
    auto const of = [](int rank, std::size_t i) { return rank + 1 + static_cast<int>(i % 7); };
    auto const sum = [&](int ranks, std::size_t i) { return sum_to(ranks) + ranks * static_cast<int>(i % 7); };
    std::vector<unsigned char> copy(from, from + n * sizeof(int));
    void* source = from;
#if !defined(OPEN_MPI) // MPI_Bcast of MPICH 4.0 writes at the root
    source = copy.data();
#endif
    again_and_again(
        rounds,
        [&](bool blocks, MPI_Request* r) {
            void* const b = o.rank == last ? source : to;
            blocks ? MPI_Bcast(b, count, MPI_INT, last, c) : MPI_Ibcast(b, count, MPI_INT, last, c, r);
        },
        [&, look = all_equal("a broadcast", n, [&](std::size_t i) { return of(last, i); })] {
            if (o.rank != last) look();
        });
    again_and_again(rounds, CALL(Allreduce, Iallreduce, from, to, count, MPI_INT, MPI_SUM, c),
                    all_equal("a sum", n, [&](std::size_t i) { return sum(o.size, i); }));
    again_and_again(rounds, CALL(Scan, Iscan, from, to, count, MPI_INT, MPI_SUM, c),
                    all_equal("a scan", n, [&](std::size_t i) { return sum(o.rank + 1, i); }));
    again_and_again(
        rounds, CALL(Reduce_scatter_block, Ireduce_scatter_block, from, to, count, MPI_INT, MPI_SUM, c),
        all_equal("a scattered sum", n, [&](std::size_t i) { return sum(o.size, static_cast<std::size_t>(o.rank) * n + i); }));
    again_and_again(rounds, CALL(Allgather, Iallgather, from, count, MPI_INT, to, count, MPI_INT, c),
                    all_equal("an allgather", n * p, [&](std::size_t i) { return of(static_cast<int>(i / n), i % n); }));
    again_and_again(rounds, CALL(Alltoall, Ialltoall, from, count, MPI_INT, to, count, MPI_INT, c),
                    all_equal("an alltoall", n * p, [&](std::size_t i) {
                        return of(static_cast<int>(i / n), static_cast<std::size_t>(o.rank) * n + i % n);
                    }));
    again_and_again(rounds, CALL(Reduce, Ireduce, from, to, count, MPI_INT, MPI_SUM, last, c),
                    [&, look = all_equal("a sum at one rank", n, [&](std::size_t i) { return sum(o.size, i); })] {
                        if (o.rank == last) look();
                    });
    again_and_again(rounds, CALL(Gather, Igather, from, count, MPI_INT, to, count, MPI_INT, 0, c),
                    [&, look = all_equal("a gather", n * p, [&](std::size_t i) { return of(static_cast<int>(i / n), i % n); })] {
                        if (o.rank == 0) look();
                    });
    again_and_again(rounds, CALL(Scatter, Iscatter, from, count, MPI_INT, to, count, MPI_INT, 0, c),
                    all_equal("a scatter", n, [&](std::size_t i) { return of(0, static_cast<std::size_t>(o.rank) * n + i); }));
    munmap(page, bytes);
}

// A function has two names, and since MPI-4 two forms. Ranks need not call the same.
void names_and_forms(on const& o, int rounds) {
    int const mine = o.rank + 1;
    int sum = 0, word = 0;
    std::vector<int> all(static_cast<std::size_t>(o.size));
    for (int i = 0; i < rounds; ++i) {
        bool const other = (o.rank + i) % 2 == 0;
        (other ? MPI_Allreduce : PMPI_Allreduce)(&mine, &sum, 1, MPI_INT, MPI_SUM, o.communicator);
        expect(sum == sum_to(o.size), "a sum by both names");
        MPI_Request request = MPI_REQUEST_NULL;
        (other ? MPI_Iallreduce : PMPI_Iallreduce)(&mine, &sum, 1, MPI_INT, MPI_SUM, o.communicator, &request);
        (other ? PMPI_Wait : MPI_Wait)(&request, MPI_STATUS_IGNORE);
        expect(sum == sum_to(o.size), "a nonblocking sum by both names");
#if MPI_VERSION >= 4
        word = o.rank == 0 ? i : -1;
        other ? MPI_Bcast(&word, 1, MPI_INT, 0, o.communicator) : MPI_Bcast_c(&word, 1, MPI_INT, 0, o.communicator);
        expect(word == i, "a broadcast in both forms");
        other ? MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, o.communicator)
              : MPI_Allreduce_c(&mine, &sum, 1, MPI_INT, MPI_SUM, o.communicator);
        expect(sum == sum_to(o.size), "a sum in both forms");
        other ? MPI_Allgather(&mine, 1, MPI_INT, all.data(), 1, MPI_INT, o.communicator)
              : MPI_Allgather_c(&mine, 1, MPI_INT, all.data(), 1, MPI_INT, o.communicator);
        expect(all.back() == o.size, "an allgather in both forms");
        other ? MPI_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, o.communicator, &request)
              : MPI_Iallreduce_c(&mine, &sum, 1, MPI_INT, MPI_SUM, o.communicator, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        expect(sum == sum_to(o.size), "a nonblocking sum in both forms");
#endif
    }
    static_cast<void>(word);
}

// A datatype that is made anew for each call gets the handle of the one before, of another length; the other ranks have none.
void handles_again(on const& o, int rounds) {
    std::vector<int> words(64), all(64 * static_cast<std::size_t>(o.size));
    for (int i = 0; i < rounds; ++i) {
        int const n = 1 + (i < 12 ? i / 4 : i % 7);
        std::fill(words.begin(), words.end(), o.rank == 0 ? i : -1);
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_Type_contiguous(n, MPI_INT, &type);
        MPI_Type_commit(&type);
        bool const one = o.rank % 2 == 0;
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Ibcast(words.data(), one ? 1 : n, one ? type : MPI_INT, 0, o.communicator, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Type_free(&type);
        expect(words[static_cast<std::size_t>(n - 1)] == i, "a broadcast of a datatype that was made for it");
        if (i % 20 == 19) MPI_Barrier(o.communicator); // in which ranks agree on what has come so often
    }
    for (int i = 0; i < rounds; ++i) {
        int const n = 1 + i % 3;
        bool const one = o.rank % 2 == 0;
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_Type_vector(n, 1, 2, MPI_INT, &type);
        MPI_Type_commit(&type);
        std::fill(words.begin(), words.end(), o.rank);
        MPI_Allgather(words.data(), one ? 1 : n, one ? type : MPI_INT, all.data(), n, MPI_INT, o.communicator);
        MPI_Type_free(&type);
        expect(all[static_cast<std::size_t>(n * o.size - 1)] == o.size - 1, "an allgather of a datatype that was made for it");
    }
}

void twice(void* in, void* inout, int* n, MPI_Datatype*) {
    for (int i = 0; i < *n; ++i) static_cast<int*>(inout)[i] += 2 * static_cast<int*>(in)[i];
}
void larger(void* in, void* inout, int* n, MPI_Datatype*) {
    for (int i = 0; i < *n; ++i) static_cast<int*>(inout)[i] = std::max(static_cast<int*>(inout)[i], static_cast<int*>(in)[i]);
}

// The same of operators; MPI lets them be freed as soon as a nonblocking call has begun.
void operators_again(on const& o, int rounds) {
    int const mine = o.rank + 1;
    for (int i = 0; i < rounds; ++i) {
        MPI_Op op = MPI_OP_NULL;
        MPI_Op_create(i % 2 == 0 ? &larger : &twice, i % 2 == 0 ? 1 : 0, &op);
        int got = -1, sum = 0;
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Iallreduce(&mine, &got, 1, MPI_INT, op, o.communicator, &request);
        MPI_Op_free(&op);
        MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, o.communicator);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        int right = o.size;
        if (i % 2 != 0 && o.size > 2) continue; // not associative: any of several is right
        if (i % 2 != 0) right = o.size == 1 ? 1 : 2 + 2 * 1;
        expect(got == right && sum == sum_to(o.size), "a nonblocking operator of the program");
    }
}

int query(void*, MPI_Status* s) {
    MPI_Status_set_elements(s, MPI_INT, 7);
    MPI_Status_set_cancelled(s, 0);
    s->MPI_SOURCE = 5;
    s->MPI_TAG = 6;
    return MPI_SUCCESS;
}
int leave(void*) {
    return MPI_SUCCESS;
}
int refuse(void*, int) {
    return MPI_SUCCESS;
}

// Requests of all kinds in one array.
void all_requests(on const& o, int rounds) {
    int const right = (o.rank + 1) % o.size, left = (o.rank + o.size - 1) % o.size;
    int mine = o.rank + 1, sum = 0, word = 0, out = o.rank, persistent = o.rank, got = -1;
    MPI_Request resting = MPI_REQUEST_NULL, starts[2];
    MPI_Send_init(&out, 1, MPI_INT, MPI_PROC_NULL, 0, o.communicator, &resting); // never started
    MPI_Send_init(&persistent, 1, MPI_INT, right, 8, o.communicator, &starts[0]);
    MPI_Recv_init(&got, 1, MPI_INT, left, 8, o.communicator, &starts[1]);
    for (int i = 0; i < rounds; ++i) {
        MPI_Request r[10];
        MPI_Status s[10];
        word = -1;
        r[0] = MPI_REQUEST_NULL;
        r[1] = resting;
        MPI_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, o.communicator, &r[2]);
        MPI_Grequest_start(&query, &leave, &refuse, nullptr, &r[3]);
        MPI_Irecv(&word, 1, MPI_INT, left, 9, o.communicator, &r[4]);
        MPI_Isend(&out, 1, MPI_INT, right, 9, o.communicator, &r[5]);
        MPI_Ibarrier(o.communicator, &r[6]);
        MPI_Startall(2, starts);
        r[7] = starts[0], r[8] = starts[1];
        MPI_Irecv(&word, 1, MPI_INT, MPI_PROC_NULL, 9, o.communicator, &r[9]);
        MPI_Grequest_complete(r[3]);
        switch (i % 4) {
        case 0: MPI_Waitall(10, r, s); break;
        case 1:
            for (int flag = 0; flag == 0;) MPI_Testall(10, r, &flag, s);
            break;
        case 2:
            for (int left_over = 8; left_over > 0; --left_over) {
                int index = -1;
                MPI_Status one;
                MPI_Waitany(10, r, &index, &one);
                expect(index >= 2 && index < 10, "the index of MPI_Waitany");
                s[index] = one;
            }
            break;
        default:
            for (int left_over = 8; left_over > 0;) {
                int done = 0, indices[10];
                MPI_Status some[10];
                MPI_Waitsome(10, r, &done, indices, some);
                expect(done > 0, "MPI_Waitsome of what is active");
                for (int k = 0; k < done; ++k) s[indices[k]] = some[k];
                left_over -= done;
            }
        }
        expect(sum == sum_to(o.size) && word == left && got == left, "what requests of all kinds bring");
        expect(r[2] == MPI_REQUEST_NULL && r[3] == MPI_REQUEST_NULL && r[4] == MPI_REQUEST_NULL && r[6] == MPI_REQUEST_NULL,
               "handles of what is over");
        expect(r[1] == resting && r[7] == starts[0] && r[8] == starts[1], "handles of persistent requests");
        int elements = 0;
        MPI_Get_count(&s[3], MPI_INT, &elements);
        expect(s[3].MPI_SOURCE == 5 && s[3].MPI_TAG == 6 && elements == 7, "the status of a request of the program's own");
        expect(s[4].MPI_SOURCE == left && s[4].MPI_TAG == 9 && s[8].MPI_SOURCE == left, "the status of a receive");
#if defined(OPEN_MPI) // MPICH 4.0 tells something else
        expect(s[9].MPI_SOURCE == MPI_PROC_NULL, "the status of a receive from nobody");
#endif
        sum = 0, got = -1;
        if (i % 5 == 4) MPI_Barrier(o.communicator);
    }
    for (auto* const r : {&resting, &starts[0], &starts[1]}) MPI_Request_free(r);
}

// Callbacks of attributes may communicate.
int callbacks = 0;
int copy_and_meet(MPI_Comm, int, void* extra, void* from, void* to, int* flag) {
    int mine = 1, sum = 0;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect(sum == world_size && extra == &callbacks, "a sum while a communicator is duplicated");
    *static_cast<void**>(to) = from;
    *flag = 1;
    return MPI_SUCCESS;
}
int delete_and_meet(MPI_Comm, int, void*, void*) {
    int mine = 1, sum = 0;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect(sum == world_size, "a sum while a communicator is freed");
    ++callbacks;
    return MPI_SUCCESS;
}
void attributes(int rounds) {
    int key = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(&copy_and_meet, &delete_and_meet, &key, &callbacks);
    callbacks = 0;
    for (int i = 0; i < rounds; ++i) {
        MPI_Comm one = MPI_COMM_NULL, two = MPI_COMM_NULL;
        MPI_Comm_dup(MPI_COMM_WORLD, &one);
        MPI_Comm_set_attr(one, key, &callbacks);
        int mine = 1, sum = 0;
        for (int k = 0; k < 20; ++k) MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, one);
        MPI_Comm_dup(one, &two);
        MPI_Comm_free(&one);
        for (int k = 0; k < 20; ++k) MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, two);
        expect(sum == world_size, "a sum on the duplicate of what is gone");
        MPI_Comm_free(&two);
        expect(callbacks == 2 * (i + 1), "callbacks of attributes");
    }
    MPI_Comm_free_keyval(&key);
}

// What is attached to MPI_COMM_SELF goes at the beginning of MPI_Finalize, where all of MPI still works.
int at_the_end(MPI_Comm, int, void*, void*) {
    int mine = world_rank + 1, sum = 0;
    for (int i = 0; i < 20; ++i) {
        MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        expect(sum == sum_to(world_size), "a sum in MPI_Finalize");
    }
    if (world_rank == 0) std::puts("all right");
    return MPI_SUCCESS;
}

// Communicators made in all ways, and after the one they were made of is gone.
void communicators(int rounds) {
    std::vector<MPI_Comm> all;
    MPI_Comm c = MPI_COMM_NULL, parent = MPI_COMM_NULL;
    MPI_Group group = MPI_GROUP_NULL, odd = MPI_GROUP_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &parent);
    MPI_Comm_group(parent, &group);
    std::vector<int> members;
    for (int r = world_rank % 2; r < world_size; r += 2) members.push_back(r);
    MPI_Group_incl(group, static_cast<int>(members.size()), members.data(), &odd);
    MPI_Comm_create_group(parent, odd, 3, &c), all.push_back(c);
    MPI_Comm_create(parent, odd, &c), all.push_back(c);
    MPI_Comm_split_type(parent, MPI_COMM_TYPE_SHARED, -world_rank, MPI_INFO_NULL, &c), all.push_back(c);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Comm_idup(parent, &c, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    all.push_back(c);
    MPI_Comm_dup_with_info(parent, MPI_INFO_NULL, &c), all.push_back(c);
    int dims[2] = {world_size, 1}, none[2] = {1, 0}, keep[2] = {1, 0};
    MPI_Comm cart = MPI_COMM_NULL;
    MPI_Cart_create(parent, 2, dims, none, 1, &cart);
    MPI_Cart_sub(cart, keep, &c), all.push_back(c), all.push_back(cart);
    MPI_Group_free(&group);
    MPI_Group_free(&odd);
    MPI_Comm_free(&parent);
    for (int i = 0; i < rounds; ++i)
        for (auto const one : all) {
            on const o{one};
            int const mine = o.rank + 1;
            int sum = 0, word = o.rank == o.size - 1 ? i : -1;
            MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, one);
            MPI_Bcast(&word, 1, MPI_INT, o.size - 1, one);
            expect(sum == sum_to(o.size) && word == i, "on a communicator that was made in another way");
            MPI_Ibarrier(one, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
    for (auto& one : all) world_rank % 2 == 0 ? MPI_Comm_free(&one) : MPI_Comm_free(&one);
}

#if MPI_VERSION >= 4
// A session beside MPI_Init.
void sessions(int rounds) {
    MPI_Session session = MPI_SESSION_NULL;
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Comm c = MPI_COMM_NULL;
    if (MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session) != MPI_SUCCESS) return;
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "unusual", MPI_INFO_NULL, MPI_ERRORS_RETURN, &c);
    MPI_Group_free(&group);
    on const o{c};
    for (int i = 0; i < rounds; ++i) {
        int const mine = o.rank + 1;
        int sum = 0;
        MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, c);
        expect(sum == sum_to(o.size), "a sum in a session");
    }
    MPI_Comm_free(&c);
    MPI_Session_finalize(&session);
}
#endif

} // namespace

int main(int argc, char** argv) {
    int level = -1, asked = -1, main_thread = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Query_thread(&asked);
    MPI_Is_thread_main(&main_thread);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world_size);
    expect(level == asked && level >= MPI_THREAD_FUNNELED && main_thread == 1, "the level of threads");
    int key = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &at_the_end, &key, nullptr);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
    MPI_Comm backwards = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank, &backwards);
    int const rounds = world_size > 2 ? 16 : 40; // ranks of MPICH that wait leave their processors to nobody
    for (MPI_Comm const c : {MPI_COMM_WORLD, backwards, MPI_COMM_SELF}) {
        on const o{c};
        for (int const count : {1, 33, 700})
            for (std::size_t const odd : {0U, 1U, 12U}) given_and_got(o, count, odd, rounds / 4);
        names_and_forms(o, rounds);
        handles_again(o, 2 * rounds);
        operators_again(o, rounds);
        all_requests(o, rounds);
    }
    attributes(4);
    communicators(rounds);
#if MPI_VERSION >= 4
    sessions(rounds);
#endif
    MPI_Comm_free(&backwards);
    MPI_Finalize();
    return 0;
}
