// SPDX-License-Identifier: Apache-2.0
#include "functions.hpp"

#include <dlfcn.h>

#include <stdexcept>

namespace sode::internal::bench {

functions functions::of_library(std::string const& path) {
    void* const library = ::dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (library == nullptr) throw std::runtime_error{path + " is not loaded (this program is linked with another library)"};
    auto const find = [&]<class Function>(Function*& function, char const* name) {
        void* const address = ::dlsym(library, name);
        if (address == nullptr) throw std::runtime_error{path + " has no " + name};
        function = reinterpret_cast<Function*>(address); // NOLINT: the function of that name
    };
    functions f;
    find(f.Send, "PMPI_Send");
    find(f.Recv, "PMPI_Recv");
    find(f.Isend, "PMPI_Isend");
    find(f.Irecv, "PMPI_Irecv");
    find(f.Wait, "PMPI_Wait");
    find(f.Waitall, "PMPI_Waitall");
    find(f.Waitany, "PMPI_Waitany");
    find(f.Test, "PMPI_Test");
    find(f.Testall, "PMPI_Testall");
    find(f.Send_init, "PMPI_Send_init");
    find(f.Recv_init, "PMPI_Recv_init");
    find(f.Start, "PMPI_Start");
    find(f.Startall, "PMPI_Startall");
    find(f.Request_free, "PMPI_Request_free");
    find(f.Sendrecv, "PMPI_Sendrecv");
    find(f.Sendrecv_replace, "PMPI_Sendrecv_replace");
    find(f.Probe, "PMPI_Probe");
    find(f.Iprobe, "PMPI_Iprobe");
    find(f.Mprobe, "PMPI_Mprobe");
    find(f.Mrecv, "PMPI_Mrecv");
    find(f.Put, "PMPI_Put");
    find(f.Get, "PMPI_Get");
    find(f.Win_fence, "PMPI_Win_fence");
    find(f.Neighbor_alltoallw, "PMPI_Neighbor_alltoallw");
    find(f.Barrier, "PMPI_Barrier");
    return f;
}

} // namespace sode::internal::bench
