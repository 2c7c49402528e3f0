// SPDX-License-Identifier: Apache-2.0
#include "completed_request.hpp"

#include <memory>

namespace sode::interpose {

MPI_Request completed_request(MPI_Status const& status, int result) {
    struct outcome {
        MPI_Status status;
        int result;
    };
    auto const query = [](void* state, MPI_Status* told) {
        auto const& o = *static_cast<outcome const*>(state);
        *told = o.status;
        return o.result;
    };
    auto const forget = [](void* state) {
        delete static_cast<outcome*>(state); // NOLINT(cppcoreguidelines-owning-memory): MPI was the owner
        return MPI_SUCCESS;
    };
    auto const cancel = [](void*, int) { return MPI_SUCCESS; };
    MPI_Request request = MPI_REQUEST_NULL;
    auto state = std::make_unique<outcome>(outcome{status, result});
    PMPI_Grequest_start(query, forget, cancel, state.release(), &request);
    PMPI_Grequest_complete(request);
    return request;
}

} // namespace sode::interpose
