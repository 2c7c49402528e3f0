// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstring>
#include <dlfcn.h>
#include <mpi.h>

namespace sode::internal::interpose {

/// A function of MPI as the next library in the program's order of symbols has it: the MPI itself, or a tool between it and us.
class next_symbol {
public:
    explicit next_symbol(char const* name) noexcept : address_(::dlsym(RTLD_NEXT, name)) {}
    // The type is the declared one of the function of that name.
    template <class Function> operator Function*() const noexcept { return reinterpret_cast<Function*>(address_); } // NOLINT

private:
    void* address_;
};

/// What a wrapped call goes on to. Two of them exist: `MPI_` finds a tool that is stacked below this library, `PMPI_` the MPI
/// itself.
struct call_table {
    explicit call_table(bool profiling) noexcept;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" // programs may call what MPI deprecates
#include "call_table_members.inc"                          // decltype(&::PMPI_Send) send = nullptr; and so on, of wrapped.txt
#pragma GCC diagnostic pop
};

/// Looked up when this library is loaded.
extern call_table const functions_of_tool_below;
extern call_table const functions_of_mpi;

[[nodiscard]] inline call_table const& tool_below() noexcept {
    return functions_of_tool_below;
}
[[nodiscard]] inline call_table const& mpi_itself() noexcept {
    return functions_of_mpi;
}
/// Whether a tool is stacked below this library.
[[nodiscard]] inline bool has_tool_below() noexcept {
    return std::memcmp(&tool_below(), &mpi_itself(), sizeof(call_table)) != 0;
}

} // namespace sode::internal::interpose
