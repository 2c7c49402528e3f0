// SPDX-License-Identifier: Apache-2.0
// An MPI program that knows nothing of Sode: a ring, a reduction, a derived datatype. `--die HOW`: rank 1 ends itself in the
// middle;
// `--exit`: the last rank ends with status 3 after MPI_Finalize; `--pingpong N`: the latency of 8 bytes between ranks 0 and 1.
#include <mpi.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

int rank = 0;
int size = 0;

bool ring() {
    int token = rank == 0 ? 100 : -1;
    int const next = (rank + 1) % size;
    int const before = (rank + size - 1) % size;
    if (rank == 0) {
        MPI_Send(&token, 1, MPI_INT, next, 1, MPI_COMM_WORLD);
        MPI_Recv(&token, 1, MPI_INT, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return token == 100 + size - 1;
    }
    MPI_Recv(&token, 1, MPI_INT, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    ++token;
    MPI_Send(&token, 1, MPI_INT, next, 1, MPI_COMM_WORLD);
    return true;
}

bool reduction() {
    long mine = rank + 1;
    long sum = 0;
    MPI_Allreduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    return sum == static_cast<long>(size) * (size + 1) / 2;
}

// A column of a matrix goes round.
bool column() {
    constexpr int n = 64;
    std::vector<double> matrix(static_cast<std::size_t>(n) * n, rank);
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_vector(n, 1, n, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    MPI_Sendrecv(matrix.data(), 1, type, (rank + 1) % size, 2, matrix.data() + 1, 1, type, (rank + size - 1) % size, 2,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
    bool right = true;
    for (int i = 0; i < n; ++i) {
        right = right && matrix[static_cast<std::size_t>(i) * n] == rank;
        right = right && matrix[static_cast<std::size_t>(i) * n + 1] == (rank + size - 1) % size;
    }
    return right;
}

void die(std::string const& how) {
    if (how == "kill") kill(getpid(), SIGKILL);
    if (how == "segv") raise(SIGSEGV);
    if (how == "abort") std::abort();
    std::_Exit(3);
}

void ping_pong(int rounds) {
    std::vector<double> times;
    for (int r = 0; r < rounds && rank < 2; ++r) {
        constexpr int trips = 1000;
        long word = 0;
        double const begun = MPI_Wtime();
        for (int t = 0; t < trips; ++t) {
            if (rank == 0) MPI_Send(&word, 8, MPI_BYTE, 1, 3, MPI_COMM_WORLD);
            MPI_Recv(&word, 8, MPI_BYTE, 1 - rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (rank == 1) MPI_Send(&word, 8, MPI_BYTE, 0, 3, MPI_COMM_WORLD);
        }
        times.push_back((MPI_Wtime() - begun) / trips / 2 * 1e9);
    }
    std::sort(times.begin(), times.end());
    if (rank == 0) std::printf("latency of 8 bytes: %.1f ns (median of %d)\n", times[times.size() / 2], rounds);
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    auto const option = [&](char const* name) -> char const* {
        for (int i = 1; i < argc; ++i)
            if (std::strcmp(argv[i], name) == 0) return i + 1 < argc ? argv[i + 1] : "";
        return nullptr;
    };
    bool const right = ring() && reduction() && column();
    if (char const* const how = option("--die")) {
        if (rank == 1) die(how);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (char const* const rounds = option("--pingpong")) ping_pong(std::atoi(rounds));
    int all = right ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (rank == 0) std::printf("%d ranks: %s\n", size, all == 1 ? "right" : "WRONG");
    bool const last = rank == size - 1;
    MPI_Finalize();
    return all != 1 ? 1 : option("--exit") != nullptr && last ? 3 : 0;
}
