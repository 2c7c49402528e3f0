// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>

namespace sode::xmp {

/// What a directive with `async` has begun.
struct begun {
    int number;                              ///< of the directive
    void const* owner;                       ///< what it is forgotten with; null: nothing
    std::function<bool(char const*)> over;   ///< asks without waiting
    std::function<void(char const*)> finish; ///< waits, and leaves the result where the program wants it
};

/// Keeps it until its number is waited for.
void keep(begun b);
/// Forgets without waiting what `owner` has begun.
void forget(void const* owner);

} // namespace sode::xmp
