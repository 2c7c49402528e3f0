// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/machine_map.hpp"
#include "base/unique_fd.hpp"

#include <sode/bootstrap.hpp>

#include <cstdint>
#include <functional>
#include <string_view>

namespace sode::internal {

/// What a file must be that came from another process: it is not taken on trust.
struct file_terms {
    std::uint64_t bytes = 0;
    int seals = 0; ///< F_SEAL_…: a file that can still be shrunk makes every load a possible SIGBUS
};

/// Collective among all ranks. A file that the ranks of a machine share, as processes: the first of `members`, which are those of
/// this rank's machine, makes it, and hands it to the others. Nothing, where a machine has one rank only. `what` says what it is:
/// "the memory of its machine". Errors: those of `make` and fd_mailbox, on all ranks together; internal, if what came is something
/// else.
[[nodiscard]] unique_fd handed_file(bootstrap& boot, machine_map::members const& members, std::string_view what,
                                    file_terms const& terms, std::function<unique_fd()> const& make);

} // namespace sode::internal
