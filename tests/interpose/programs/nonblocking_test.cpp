// SPDX-License-Identifier: Apache-2.0
// Nonblocking collectives that the layer carries as plans: of all kinds, on several communicators, many under way at a time,
// between blocking ones and messages, ended in every way that MPI has and on each rank in another order. What must come out is
// known.
#include "resident.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace {

int world_rank = 0;
std::uint32_t test_seed = 1;

[[noreturn]] void fail(std::string const& what) {
    std::fprintf(stderr, "rank %d: wrong: %s (TEST_SEED=%u)\n", world_rank, what.c_str(), test_seed);
    std::abort();
}

using words = std::vector<int>;

// What rank gives in a call as word i of what goes to `to`.
int given(int rank, int call, int to, std::size_t i) {
    return (rank * 7 + call * 3 + to * 5 + static_cast<int>(i % 97)) % 1000;
}

struct on {
    MPI_Comm communicator;
    int rank = 0, size = 1;
    explicit on(MPI_Comm c) : communicator(c) {
        MPI_Comm_rank(c, &rank);
        MPI_Comm_size(c, &size);
    }
};

enum kind : int {
    barrier,
    bcast,
    reduce,
    allreduce,
    reduce_scatter_block,
    scan,
    exscan,
    gather,
    scatter,
    allgather,
    alltoall,
    kinds
};

// A call of one kind, count and root, which comes again and again.
struct pattern {
    kind what;
    int count;
    int root;
};

// One call, from its begin to its end.
class operation {
public:
    operation(on const& o, pattern const& p, int call, bool in_place, bool gaps) : o_(o), p_(p), call_(call) {
        auto const n = static_cast<std::size_t>(p.count), all = n * static_cast<std::size_t>(o.size);
        bool const deals = p.what == scatter || p.what == alltoall || p.what == reduce_scatter_block;
        bool const gathers = p.what == gather || p.what == allgather || p.what == alltoall;
        from_.resize(deals ? all : n);
        for (std::size_t i = 0; i < from_.size(); ++i)
            from_[i] = deals
                           ? given(o.rank, call, static_cast<int>(i / std::max<std::size_t>(n, 1)), i % std::max<std::size_t>(n, 1))
                           : given(o.rank, call, 0, i);
        to_.assign(gathers ? all : n, -1);
        bool const rooted_elsewhere = (p.what == reduce || p.what == gather || p.what == scatter) && o.rank != p.root;
        // MPICH 4.0 reads at MPI_IN_PLACE where the root of a longer reduction is not rank 0.
        in_place_ = in_place && !rooted_elsewhere && p.what != reduce_scatter_block && p.what != barrier && p.what != bcast &&
                    !(p.what == reduce && p.root != 0) && !(p.what == exscan && o.rank == 0);
        if (in_place_) {
            std::size_t const at = p.what == gather || p.what == allgather ? static_cast<std::size_t>(o.rank) * n : 0;
            if (p.what != scatter) std::copy(from_.begin(), from_.end(), to_.begin() + static_cast<std::ptrdiff_t>(at));
        }
        if (p.what == bcast && o.rank == p.root) to_ = from_;
        bool const combines = p.what >= reduce && p.what <= exscan;
        if (gaps && !combines && p.what != barrier && n > 0) spread();
    }

    void begin(MPI_Request* request) {
        MPI_Comm const c = o_.communicator;
        int const n = p_.count, root = p_.root;
        void* from = in_place_ ? MPI_IN_PLACE : from_.data();
        void* to = to_.data();
        MPI_Datatype const t = type_ == MPI_DATATYPE_NULL ? MPI_INT : type_;
        int const m = type_ == MPI_DATATYPE_NULL ? n : 1;
        switch (p_.what) {
        case barrier: MPI_Ibarrier(c, request); break;
        case bcast: MPI_Ibcast(to, m, t, root, c, request); break;
        case reduce: MPI_Ireduce(from, to, n, MPI_INT, MPI_SUM, root, c, request); break;
        case allreduce: MPI_Iallreduce(from, to, n, MPI_INT, MPI_SUM, c, request); break;
        case reduce_scatter_block: MPI_Ireduce_scatter_block(from, to, n, MPI_INT, MPI_SUM, c, request); break;
        case scan: MPI_Iscan(from, to, n, MPI_INT, MPI_SUM, c, request); break;
        case exscan: MPI_Iexscan(from, to, n, MPI_INT, MPI_SUM, c, request); break;
        case gather: MPI_Igather(from, n, MPI_INT, to, m, t, root, c, request); break;
        case scatter:
            if (in_place_)
                MPI_Iscatter(from_.data(), n, MPI_INT, MPI_IN_PLACE, n, MPI_INT, root, c, request);
            else
                MPI_Iscatter(from_.data(), n, MPI_INT, to, m, t, root, c, request);
            break;
        case allgather: MPI_Iallgather(from, n, MPI_INT, to, m, t, c, request); break;
        default: MPI_Ialltoall(from, n, MPI_INT, to, m, t, c, request);
        }
        if (type_ != MPI_DATATYPE_NULL) MPI_Type_free(&type_); // which MPI allows, as soon as it has begun
    }

    void expect() const {
        auto const n = static_cast<std::size_t>(p_.count);
        auto const sum = [&](int ranks, int to, std::size_t i) {
            int all = 0;
            for (int r = 0; r < ranks; ++r) all += given(r, call_, to, i);
            return all;
        };
        for (std::size_t i = 0; i < n; ++i) switch (p_.what) {
            case barrier: break;
            case bcast: same(i, given(p_.root, call_, 0, i)); break;
            case reduce:
                if (o_.rank == p_.root) same(i, sum(o_.size, 0, i));
                break;
            case allreduce: same(i, sum(o_.size, 0, i)); break;
            case reduce_scatter_block: same(i, sum(o_.size, o_.rank, i)); break;
            case scan: same(i, sum(o_.rank + 1, 0, i)); break;
            case exscan:
                if (o_.rank > 0) same(i, sum(o_.rank, 0, i));
                break;
            case scatter:
                if (!in_place_) same(i, given(p_.root, call_, o_.rank, i));
                break;
            default:
                if (p_.what == gather && o_.rank != p_.root) break;
                for (int r = 0; r < o_.size; ++r)
                    same(static_cast<std::size_t>(r) * n + i, given(r, call_, p_.what == alltoall ? o_.rank : 0, i));
            }
    }

private:
    // From now on what is got lies apart, word by word.
    void spread() {
        spread_ = 2;
        words wide(2 * to_.size(), -1);
        for (std::size_t i = 0; i < to_.size(); ++i) wide[2 * i] = to_[i];
        to_ = std::move(wide);
        MPI_Datatype one = MPI_DATATYPE_NULL;
        MPI_Type_vector(p_.count, 1, 2, MPI_INT, &one);
        MPI_Type_create_resized(one, 0, static_cast<MPI_Aint>(2 * sizeof(int)) * p_.count, &type_);
        MPI_Type_commit(&type_);
        MPI_Type_free(&one);
    }
    void same(std::size_t i, int right) const {
        if (to_[i * spread_] == right && (spread_ == 1 || to_[2 * i + 1] == -1)) return;
        fail("kind " + std::to_string(p_.what) + ", count " + std::to_string(p_.count) + ", root " + std::to_string(p_.root) +
             ", word " + std::to_string(i) + ": " + std::to_string(to_[i * spread_]) + " for " + std::to_string(right) + ", rank " +
             std::to_string(o_.rank) + " of " + std::to_string(o_.size));
    }

    on o_;
    pattern p_;
    int call_;
    bool in_place_ = false;
    std::size_t spread_ = 1;
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
    words from_, to_;
};

// Ends all requests, in the way that chance has it on this rank.
void end_all(std::vector<MPI_Request>& requests, std::mt19937& chance) {
    int const n = static_cast<int>(requests.size());
    std::vector<MPI_Status> statuses(requests.size() + 1);
    std::vector<int> indices(requests.size() + 1);
    bool const told = chance() % 2 == 0;
    MPI_Status* const all = told ? statuses.data() : MPI_STATUSES_IGNORE;
    MPI_Status* const one = told ? statuses.data() : MPI_STATUS_IGNORE;
    int index = 0, flag = 0, done = 0, left = n;
    auto const active = [&] { return static_cast<int>(n - std::ranges::count(requests, MPI_REQUEST_NULL)); };
    switch (chance() % 8) {
    case 0: MPI_Waitall(n, requests.data(), all); break;
    case 1:
        while (flag == 0) MPI_Testall(n, requests.data(), &flag, all);
        break;
    case 2:
        for (; left > 0; --left) {
            MPI_Waitany(n, requests.data(), &index, one);
            if (index < 0 || index >= n || requests[static_cast<std::size_t>(index)] != MPI_REQUEST_NULL)
                fail("MPI_Waitany: the index");
        }
        MPI_Waitany(n, requests.data(), &index, one);
        if (index != MPI_UNDEFINED) fail("MPI_Waitany of nothing");
        break;
    case 3:
        while (left > 0) {
            MPI_Testany(n, requests.data(), &index, &flag, one);
            if (flag != 0) --left;
        }
        MPI_Testany(n, requests.data(), &index, &flag, one);
        if (flag == 0 || index != MPI_UNDEFINED) fail("MPI_Testany of nothing");
        break;
    case 4:
        while (left > 0) {
            MPI_Waitsome(n, requests.data(), &done, indices.data(), all);
            if (done <= 0) fail("MPI_Waitsome: how many");
            left -= done;
        }
        MPI_Waitsome(n, requests.data(), &done, indices.data(), all);
        if (done != MPI_UNDEFINED) fail("MPI_Waitsome of nothing");
        break;
    case 5:
        while (left > 0) {
            MPI_Testsome(n, requests.data(), &done, indices.data(), all);
            left -= done;
        }
        break;
    case 6: { // each by itself, the last one first
        for (auto r = requests.rbegin(); r != requests.rend(); ++r) MPI_Wait(&*r, one);
        break;
    }
    default: {
        std::vector<std::size_t> order(requests.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        std::ranges::shuffle(order, chance);
        for (auto const i : order) {
            if (requests[i] == MPI_REQUEST_NULL) continue; // of a program that gave none
            for (flag = 0; flag == 0;) MPI_Request_get_status(requests[i], &flag, one);
            for (flag = 0; flag == 0;) MPI_Test(&requests[i], &flag, one);
        }
    }
    }
    if (active() != 0) fail("a handle of what is over");
}

void mixed_orders(std::vector<MPI_Comm> const& communicators, int rounds, bool longer) {
    std::mt19937 same{test_seed}, own{test_seed + 1000U * static_cast<unsigned>(world_rank + 1)};
    auto const any = [&](int n) { return static_cast<int>(same() % static_cast<unsigned>(n)); };
    std::vector<on> where;
    for (auto const c : communicators) where.emplace_back(c);
    std::vector<pattern> patterns;
    int const counts[] = {1, 2, 100, 128, 129, 1000, longer ? 20000 : 3000};
    for (int k = 0; k < kinds; ++k) patterns.push_back({static_cast<kind>(k), k == barrier ? 0 : counts[any(7)], -1});
    for (int i = 0; i < 5; ++i) patterns.push_back({static_cast<kind>(1 + any(kinds - 1)), counts[any(7)], -1});
    auto const& world = where.front();
    int const right = (world.rank + 1) % world.size, left = (world.rank + world.size - 1) % world.size;
    for (int round = 0; round < rounds; ++round) {
        std::vector<operation> all;
        int const calls = 1 + any(10);
        all.reserve(static_cast<std::size_t>(calls));
        std::vector<MPI_Request> requests(static_cast<std::size_t>(calls));
        words out(5000, round), in(out.size(), -1);
        for (int i = 0; i < calls; ++i) {
            auto const& o = where[static_cast<std::size_t>(any(static_cast<int>(where.size())))];
            auto p = patterns[static_cast<std::size_t>(any(static_cast<int>(patterns.size())))];
            p.root = any(o.size);
            if (any(3) != 0) p.root = 0;
            all.emplace_back(o, p, round * 16 + i, any(4) == 0, own() % 3 == 0);
            all.back().begin(&requests[static_cast<std::size_t>(i)]);
            if (any(6) == 0) { // a blocking one in between
                int one = 1, sum = 0;
                MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, o.communicator);
                if (sum != o.size) fail("a blocking sum in between");
            }
            if (own() % 4 == 0) { // and one looks at it
                int flag = 0;
                MPI_Test(&requests[static_cast<std::size_t>(i)], &flag, MPI_STATUS_IGNORE);
            }
        }
        bool const talks = any(2) == 0;
        if (talks) {
            int const n = any(2) == 0 ? 10 : 5000;
            requests.resize(requests.size() + 2);
            MPI_Irecv(in.data(), n, MPI_INT, left, 7, world.communicator, &requests.end()[-2]);
            MPI_Isend(out.data(), n, MPI_INT, right, 7, world.communicator, &requests.end()[-1]);
        }
        std::erase(requests, MPI_REQUEST_NULL); // those that a test has ended
        end_all(requests, own);
        if (talks && in.front() != round) fail("a message among collectives");
        for (auto const& o : all) o.expect();
        if (any(2) == 0) MPI_Barrier(where[static_cast<std::size_t>(any(static_cast<int>(where.size())))].communicator);
    }
}

// Equal calls until plans carry them: ranks agree in the barriers.
void warm_up(MPI_Comm c) {
    int one = 1, sum = 0, word = 0;
    for (int i = 0; i < 24; ++i) {
        MPI_Request both[2];
        MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, c, &both[0]);
        MPI_Ibcast(&word, 1, MPI_INT, 0, c, &both[1]);
        MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
        MPI_Barrier(c);
    }
}

// More equal ones under way than there are plans of them, and on one rank each is waited for before the next one begins.
void many_at_a_time(MPI_Comm c, int many) {
    on const o{c};
    warm_up(c);
    words sums(static_cast<std::size_t>(many), -1), mine(sums.size());
    std::vector<MPI_Request> requests(sums.size());
    for (int i = 0; i < many; ++i) {
        auto const k = static_cast<std::size_t>(i);
        mine[k] = i + o.rank;
        MPI_Iallreduce(&mine[k], &sums[k], 1, MPI_INT, MPI_SUM, c, &requests[k]);
        if (o.rank == o.size - 1) MPI_Wait(&requests[k], MPI_STATUS_IGNORE);
    }
    MPI_Waitall(many, requests.data(), MPI_STATUSES_IGNORE);
    for (int i = 0; i < many; ++i)
        if (sums[static_cast<std::size_t>(i)] != o.size * i + o.size * (o.size - 1) / 2) fail("one of many sums");
}

// MPI_Comm_free while calls are under way, which are waited for after that.
void free_early(int calls) {
    MPI_Comm c = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &c);
    on const o{c};
    warm_up(c);
    words mine(static_cast<std::size_t>(calls)), sums(mine.size(), -1);
    std::vector<MPI_Request> requests(mine.size());
    for (int i = 0; i < calls; ++i) {
        auto const k = static_cast<std::size_t>(i);
        mine[k] = o.rank + i;
        MPI_Iallreduce(&mine[k], &sums[k], 1, MPI_INT, MPI_SUM, c, &requests[k]);
    }
    MPI_Comm_free(&c);
    MPI_Waitall(calls, requests.data(), MPI_STATUSES_IGNORE);
    for (int i = 0; i < calls; ++i)
        if (sums[static_cast<std::size_t>(i)] != o.size * i + o.size * (o.size - 1) / 2)
            fail("a sum on a communicator that was freed");
}

// Many counts, and many communicators.
void stay_small(int counts, int communicators) {
    words x(static_cast<std::size_t>(counts) + 1, 1), y(x.size());
    auto const round = [&](int from, int to) {
        for (int count = from; count < to; ++count) {
            for (int again = 0; again < 6; ++again) {
                MPI_Request r = MPI_REQUEST_NULL;
                MPI_Iallreduce(x.data(), y.data(), 1 + count % 5000, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r);
                MPI_Wait(&r, MPI_STATUS_IGNORE);
            }
            MPI_Barrier(MPI_COMM_WORLD);
        }
    };
    auto const many = [&](int n) {
        for (int i = 0; i < n; ++i) {
            MPI_Comm c = MPI_COMM_NULL;
            MPI_Comm_dup(MPI_COMM_WORLD, &c);
            for (int again = 0; again < 14; ++again) {
                MPI_Request r = MPI_REQUEST_NULL;
                MPI_Iallreduce(x.data(), y.data(), 2, MPI_INT, MPI_SUM, c, &r);
                MPI_Wait(&r, MPI_STATUS_IGNORE);
                if (again % 3 == 2) MPI_Barrier(c);
            }
            MPI_Comm_free(&c);
        }
    };
    round(1, counts / 4);
    many(communicators / 4);
    std::size_t const before = resident();
    round(counts / 4, counts);
    many(communicators);
    std::size_t const after = resident();
    if (after > before + (8U << 20)) fail("memory has grown by " + std::to_string(after - before) + " bytes");
}

// After ranks have disagreed the job's plans give up, a barrier too; this one is MPI's.
void meet_by_mpi() {
    int all = 0, one = 1;
    int const right = world_rank ^ 1;
    MPI_Sendrecv(&one, 1, MPI_INT, right, 9, &all, 1, MPI_INT, right, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// Calls that MPI forbids: an error on all ranks, and soon. `how`: MPI_Wait, or MPI_Waitany. Two ranks.
void disagree(int how) {
    MPI_Comm c = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &c);
    MPI_Comm_set_errhandler(c, MPI_ERRORS_RETURN);
    int const one = 1;
    int sum[2] = {0, 0}, index = 0;
    MPI_Request r = MPI_REQUEST_NULL;
    warm_up(c);
    double const begun = MPI_Wtime();
    if (world_rank == 0)
        MPI_Iallreduce(&one, sum, 1, MPI_INT, MPI_SUM, c, &r);
    else
        MPI_Ibcast(sum, 1, MPI_INT, 0, c, &r);
    int const result = how == 0 ? MPI_Wait(&r, MPI_STATUS_IGNORE) : MPI_Waitany(1, &r, &index, MPI_STATUS_IGNORE);
    double const took = MPI_Wtime() - begun;
    if (result == MPI_SUCCESS && world_rank == 0) fail("two functions of one number, and no error");
    if (took > 1) fail("an error after " + std::to_string(took) + " s");
    meet_by_mpi();
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    on const world{MPI_COMM_WORLD};
    std::string const what = argc > 1 ? argv[1] : "all";
    char const* const repeats = std::getenv("TEST_REPEATS");
    char const* const seed = std::getenv("TEST_SEED");
    int const scale = repeats == nullptr ? 1 : std::atoi(repeats);
    if (seed != nullptr) test_seed = static_cast<std::uint32_t>(std::atol(seed));
    int const rounds = (world.size > 4 ? 20 : world.size > 2 ? 50 : 200) * scale;
    if (what == "disagree") {
        disagree(argc > 2 ? 1 : 0);
    } else if (what == "small") {
        stay_small(world.size > 2 ? 100 * scale : 400 * scale, world.size > 2 ? 10 * scale : 40 * scale);
    } else if (what == "alone") { // no call in which ranks may wait for each other
        for (int i = 0; i < 200; ++i) {
            int one = 1, sum = 0;
            MPI_Request r = MPI_REQUEST_NULL;
            MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r);
            MPI_Wait(&r, MPI_STATUS_IGNORE);
            if (sum != world.size) fail("a sum of nonblocking calls alone");
        }
    } else {
        MPI_Comm twin = MPI_COMM_NULL, half = MPI_COMM_NULL, backwards = MPI_COMM_NULL;
        MPI_Comm_dup(MPI_COMM_WORLD, &twin);
        MPI_Comm_split(MPI_COMM_WORLD, 0, -world.rank, &backwards);
        mixed_orders({MPI_COMM_WORLD}, rounds, true);
        mixed_orders({MPI_COMM_WORLD, twin, backwards}, rounds, false);
        MPI_Comm_split(MPI_COMM_WORLD, world.rank % 2, world.rank, &half); // calls of which differ between the halves
        if (world.size > 3) many_at_a_time(half, 30);
        many_at_a_time(MPI_COMM_WORLD, 100);
        bool early = true;
#if defined(OPEN_MPI) // 4.1 crashes, if one of the calls is its own
        char const* const which = std::getenv("SODE_MPI_COLLECTIVES");
        early = which != nullptr && std::string{which} == "on";
#endif
        for (int i = 0; early && i < 3; ++i) free_early(12);
        MPI_Comm_free(&half);
        MPI_Comm_free(&twin);
        MPI_Comm_free(&backwards);
    }
    if (world.rank == 0) std::puts("all right");
    MPI_Finalize();
    return 0;
}
