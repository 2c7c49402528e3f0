// SPDX-License-Identifier: Apache-2.0
#include "datatype_contents.hpp"

namespace sode {

bool datatype_is_basic(MPI_Datatype type) {
    return datatype_contents{type}.basic();
}

} // namespace sode
