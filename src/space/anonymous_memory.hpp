// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

/// Memory of one process, or of several in one address space. What is not backed cannot be accessed at all: it costs no commit
/// charge where the kernel keeps account (vm.overcommit_memory=2), and a stray pointer into it is caught.
namespace sode::internal::anonymous_memory {

/// Address space for `bytes` with nothing behind it. Errors: environment.
[[nodiscard]] std::byte* set_aside(std::uint64_t bytes);
/// Backs a part of it with zeroed memory, in huge pages where the kernel gives them. Errors: environment.
void back(std::byte* at, std::uint64_t bytes);
void give_back(std::byte* at, std::uint64_t bytes) noexcept;

} // namespace sode::internal::anonymous_memory
