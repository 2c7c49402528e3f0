// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/collective/passed_call.hpp"

#include <cstddef>
#include <cstdint>

namespace sode::internal::interpose {

/// Packs what a rank passes into dense memory, by MPI. Returns a code of MPI.
[[nodiscard]] int pack(passed_memory const& from, std::byte* to, std::int64_t bytes, MPI_Comm communicator);
/// The other way.
[[nodiscard]] int unpack(std::byte const* from, std::int64_t bytes, passed_memory const& to, MPI_Comm communicator);

} // namespace sode::internal::interpose
