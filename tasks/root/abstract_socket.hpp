// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/unique_fd.hpp"

#include <optional>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>

namespace sode::internal::tasks {

/// The address of a socket that has a name but no file: it is gone with who holds it.
struct abstract_name {
    sockaddr_un address{};
    socklen_t bytes = 0;
    [[nodiscard]] sockaddr const* get() const noexcept { return reinterpret_cast<sockaddr const*>(&address); }
};
[[nodiscard]] abstract_name abstract_address(std::string const& name);

/// Takes the name and listens there, without blocking; empty if somebody has it. Errors: environment.
[[nodiscard]] std::optional<unique_fd> listen_at(std::string const& name);

/// The name at which that socket listens; empty: it has none.
[[nodiscard]] std::string name_of(unique_fd const& listener);

} // namespace sode::internal::tasks
