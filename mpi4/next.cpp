// SPDX-License-Identifier: Apache-2.0
#include "mpi4/next.hpp"

#include <dlfcn.h>

namespace sode::internal::mpi4 {
namespace {

template <class Function> void find(Function*& f, char const* name) noexcept {
    f = reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name)); // NOLINT: the type is the declared one of that name
}

} // namespace

next_functions::next_functions() noexcept {
    find(start, "PMPI_Start");
    find(startall, "PMPI_Startall");
    find(wait, "PMPI_Wait");
    find(test, "PMPI_Test");
    find(waitall, "PMPI_Waitall");
    find(testall, "PMPI_Testall");
    find(waitany, "PMPI_Waitany");
    find(testany, "PMPI_Testany");
    find(waitsome, "PMPI_Waitsome");
    find(testsome, "PMPI_Testsome");
    find(request_free, "PMPI_Request_free");
    find(request_get_status, "PMPI_Request_get_status");
    find(cancel, "PMPI_Cancel");
    find(op_free, "PMPI_Op_free");
    find(finalize, "PMPI_Finalize");
}

next_functions const& next() noexcept {
    static next_functions const found;
    return found;
}

} // namespace sode::internal::mpi4
