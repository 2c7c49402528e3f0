// SPDX-License-Identifier: Apache-2.0
#pragma once
// What programs of several themes have in common: each theme is a function, and what it finds wrong ends the job.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <vector>

namespace standard {

inline int world_rank = 0, world_size = 1;
inline int rounds = 24;
inline std::string theme;

[[noreturn]] inline void fail(std::string const& what) {
    std::fprintf(stderr, "rank %d: wrong: %s: %s\n", world_rank, theme.c_str(), what.c_str());
    std::abort();
}
inline void expect(bool truth, std::string const& what) {
    if (!truth) fail(what);
}
inline int right_of() {
    return (world_rank + 1) % world_size;
}
inline int left_of() {
    return (world_rank + world_size - 1) % world_size;
}
inline int class_of(int code) {
    int what = MPI_SUCCESS;
    MPI_Error_class(code, &what);
    return what;
}
inline MPI_Datatype committed(MPI_Datatype t) {
    MPI_Type_commit(&t);
    return t;
}
inline MPI_Datatype every_other(int n) {
    MPI_Datatype t = MPI_DATATYPE_NULL;
    MPI_Type_vector(n, 1, 2, MPI_INT, &t);
    return committed(t);
}

struct a_theme {
    char const* name;
    void (*run)();
};
/// Runs those that are named, or all, between MPI_Init and MPI_Finalize.
inline int run_themes(int argc, char** argv, std::initializer_list<a_theme> all) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world_size);
    if (world_size > 2) rounds = 18; // ranks of MPICH that wait leave their processors to nobody
    int ran = 0;
    for (auto const& one : all) {
        bool named = argc < 2;
        for (int i = 1; i < argc; ++i) named = named || one.name == std::string{argv[i]};
        if (!named) continue;
        theme = one.name;
        one.run();
        ++ran;
    }
    if (world_rank == 0) std::printf("%d themes: all right\n", ran);
    MPI_Finalize();
    return 0;
}

} // namespace standard
