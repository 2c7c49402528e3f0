// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sode::internal::bench {

/// The address of what MPI's own library calls `name`; null where it has no such thing.
[[nodiscard]] void* in_mpi_itself(char const* name);

/// `function`, as MPI's own library has it, whatever library was loaded in front of it. A layer may have MPI's other names, PMPI_…,
/// as well, so these do not lead past it.
template <class Function> [[nodiscard]] Function* past_layer(char const* name, Function& function) {
    void* const found = in_mpi_itself(name);
    return found ? reinterpret_cast<Function*>(found) : &function;
}

} // namespace sode::internal::bench
