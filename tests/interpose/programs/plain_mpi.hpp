// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

// The function behind the layer.
template <class Function> Function* of_mpi(char const* name) {
    static void* const library = [] {
        char const* const file =
#if defined(OPEN_MPI)
            "libmpi.so.40";
#else
            "libmpich.so.12";
#endif
        return dlopen(file, RTLD_LAZY | RTLD_NOLOAD);
    }();
    void* const at = library != nullptr ? dlsym(library, name) : nullptr;
    if (at == nullptr) {
        std::fprintf(stderr, "wrong: the MPI has no %s\n", name);
        std::abort();
    }
    return reinterpret_cast<Function*>(at);
}
#define PLAIN(NAME) of_mpi<decltype(MPI_##NAME)>("PMPI_" #NAME)
