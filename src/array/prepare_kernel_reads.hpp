// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/prepared_list.hpp"

#include <sode/exchange.hpp>

#include <memory>
#include <span>
#include <string_view>

namespace sode::internal {

/// Whether this rank's messages can go this way, and should: all lie in one piece, between ranks of one machine that cannot load
/// each other's memory, and the model finds it faster than a stage. Not collective.
[[nodiscard]] bool kernel_reads_pay(detail::job& j, std::span<message_end const> ends);

/// Collective, where it pays on all ranks. Null, on all ranks alike, if some rank may not read the memory of another, or their ends
/// do not belong together, which prepare_exchange() has words for. Errors: those of prepared. Where the kernel refuses later,
/// wait() throws: peer, if the other process is gone; environment.
[[nodiscard]] std::unique_ptr<prepared_list> prepare_kernel_reads(detail::job& j, std::span<message_end const> ends,
                                                                  std::string_view name);

} // namespace sode::internal
