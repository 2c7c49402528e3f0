// SPDX-License-Identifier: Apache-2.0
#include "interpose/calls/other_mpi.hpp"

#include "base/warn.hpp"

#include <sode/error.hpp>

#include <mpi.h>

#include <array>
#include <cstdlib>
#include <dlfcn.h>
#include <fmt/format.h>

namespace sode::internal::interpose {

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
            tell(error{
                error_kind::usage, fmt::format("this program cannot use the MPI layer {}", own.layer),
                fmt::format("this layer is for {}, but the program is linked with {}, through {}", own.name, other.name, library),
                fmt::format("preload {}, or start the program by `sode run --mpi`", other.layer)});
            std::_Exit(1);
        }
}

} // namespace sode::internal::interpose
