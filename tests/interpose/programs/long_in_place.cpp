// SPDX-License-Identifier: Apache-2.0
// Long collectives of many sizes, in place: what plans need for them is not kept for each size.
#include <cstdio>
#include <fstream>
#include <mpi.h>
#include <string>
#include <vector>

namespace {

// Of this process alone.
long resident_mib() {
    std::ifstream in{"/proc/self/status"};
    for (std::string word; in >> word;)
        if (long kib = 0; word == "RssAnon:" && in >> kib) return kib / 1024;
    return -1;
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, size = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    constexpr int sizes = 30, least = 200'000, more = 2'000; // doubles of a block
    std::vector<double> values(static_cast<std::size_t>(size) * (least + sizes * more));
    long wrong = 0;
    long before = 0;
    for (int k = 0; k < sizes; ++k) {
        int const count = least + k * more;
        for (int call = 0; call < 4; ++call) { // the third and fourth by a plan
            auto const value = [&](int from, int to, int i) { return 100 * from + 10 * to + (i & 7) + call; };
            auto const at = [&](int peer, int i) -> double& { return values[static_cast<std::size_t>(peer * count + i)]; };
            for (int peer = 0; peer < size; ++peer)
                for (int i = 0; i < count; ++i) at(peer, i) = value(rank, peer, i);
            MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, values.data(), count, MPI_DOUBLE, MPI_COMM_WORLD);
            for (int peer = 0; peer < size; ++peer)
                for (int i = 0; i < count; ++i) wrong += at(peer, i) == value(peer, rank, i) ? 0 : 1;
        }
        if (k == 0) before = resident_mib();
    }
    long const grown = resident_mib() - before;
    constexpr long may_grow = 110; // what plans hold, and what a process keeps of what it has used
    std::puts(wrong != 0         ? "wrong values"
              : grown > may_grow ? ("wrong: grown by " + std::to_string(grown) + " MiB").c_str()
                                 : "all right");
    MPI_Finalize();
    return wrong == 0 && grown <= may_grow ? 0 : 1;
}
