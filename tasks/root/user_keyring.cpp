// SPDX-License-Identifier: Apache-2.0
#include "tasks/root/user_keyring.hpp"

#include <array>
#include <linux/keyctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// Linux 5.3
#ifndef KEYCTL_MOVE
#define KEYCTL_MOVE 30
#define KEYCTL_MOVE_EXCL 1
#endif

namespace sode::internal::tasks::user_keyring {

namespace {

constexpr char const* kind = "user";
constexpr unsigned for_owner_only = 0x3f3f0000; // all rights for its holders and its user, none for the group and others
constexpr unsigned a_day_s = 86400;             // what a killed root has left must not fill the user's quota

template <class... A> long keyctl(int what, A... arguments) noexcept {
    return ::syscall(SYS_keyctl, what, arguments...);
}

} // namespace

std::optional<key> find(std::string const& name) {
    auto const serial = static_cast<std::int32_t>(keyctl(KEYCTL_SEARCH, KEY_SPEC_USER_KEYRING, kind, name.c_str(), 0));
    if (serial < 0) return std::nullopt;
    std::array<char, 256> text{};
    long const length = keyctl(KEYCTL_READ, serial, text.data(), text.size());
    if (length <= 0 || length > static_cast<long>(text.size())) return std::nullopt;
    return key{serial, {text.data(), static_cast<std::size_t>(length)}};
}

bool make(std::string const& name, std::string const& text) {
    // A key that is put into a keyring replaces one of the same name there; only a move can be told not to.
    auto const serial =
        static_cast<std::int32_t>(::syscall(SYS_add_key, kind, name.c_str(), text.data(), text.size(), KEY_SPEC_THREAD_KEYRING));
    if (serial < 0) return false;
    bool const moved = keyctl(KEYCTL_SETPERM, serial, for_owner_only) == 0 && keyctl(KEYCTL_SET_TIMEOUT, serial, a_day_s) == 0 &&
                       keyctl(KEYCTL_MOVE, serial, KEY_SPEC_THREAD_KEYRING, KEY_SPEC_USER_KEYRING, KEYCTL_MOVE_EXCL) == 0;
    if (!moved) keyctl(KEYCTL_UNLINK, serial, KEY_SPEC_THREAD_KEYRING);
    return moved;
}

void remove(std::string const& name, std::int32_t serial) {
    // The kernel would take any key of the same name out of the keyring.
    if (auto const now = find(name); !now || now->serial != serial) return;
    // An invalidated key would be in the way of the next one for a while.
    keyctl(KEYCTL_UNLINK, serial, KEY_SPEC_USER_KEYRING);
}

} // namespace sode::internal::tasks::user_keyring
