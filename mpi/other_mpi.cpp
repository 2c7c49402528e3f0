// SPDX-License-Identifier: Apache-2.0
#include "other_mpi.hpp"

#include <mpi.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

namespace sode::interpose {

namespace {

struct implementation {
    char const* name;
    char const* layer;
    std::array<char const*, 2> libraries;
};
constexpr implementation open_mpi{"Open MPI", "libsode-interpose-openmpi.so", {"libmpi.so.40", "libmpi.so.40"}};
constexpr implementation mpich{"MPICH", "libsode-interpose-mpich.so", {"libmpich.so.12", "libmpi.so.12"}};
#ifdef OPEN_MPI
constexpr implementation const& own = open_mpi;
constexpr implementation const& other = mpich;
#else
constexpr implementation const& own = mpich;
constexpr implementation const& other = open_mpi;
#endif

} // namespace

void refuse_other_mpi() noexcept {
    for (char const* const library : other.libraries)
        if (void* const loaded = ::dlopen(library, RTLD_LAZY | RTLD_NOLOAD)) {
            ::dlclose(loaded);
            std::fprintf(
                stderr,
                "sode: this program cannot be served by %s (that is the layer for %s, and the program is linked with %s, by %s) "
                "preload %s, or start it by `sode run --mpi`\n",
                own.layer, own.name, other.name, library, other.layer);
            std::_Exit(1);
        }
}

} // namespace sode::interpose
