// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace sode::internal::tasks::user_keyring {

/// The kernel's keyring of this user: short texts under a name, which all processes of the user on this machine see, and no other
/// user's. No files, and gone when the machine stops.
struct key {
    std::int32_t serial = 0;
    std::string text;
};

/// The key of that name; empty, if there is none or no keyring (a sandbox may refuse it).
[[nodiscard]] std::optional<key> find(std::string const& name);

/// Makes it, for a day. False: somebody has made it in the same moment, or there is no keyring, or no room in it.
bool make(std::string const& name, std::string const& text);

/// Removes the key of that name, if it still is the one with that serial number.
void remove(std::string const& name, std::int32_t serial);

} // namespace sode::internal::tasks::user_keyring
