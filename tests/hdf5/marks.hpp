// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/sode.hpp>

#include <cstddef>

namespace sode::internal::testing {

/// A value that tells where it comes from, and that every type holds.
template <class T, std::size_t N> T mark(std::array<index_t, N> const& at, index_t component = 0) {
    std::uint64_t sum = static_cast<std::uint64_t>(component) + 1;
    for (auto const i : at) sum = sum * 31 + static_cast<std::uint64_t>(i);
    return static_cast<T>(sum % 127);
}

/// Sets what this rank owns to its marks, and its shadow to something else.
template <class T, int N> void set_marks(array<T, N>& a) {
    auto const owned = a.owned();
    for (auto const& at : a.allocated()) std::apply([&](auto... i) { (*a)(i...) = owned.contains(at) ? mark<T>(at) : T{99}; }, at);
}

/// How many of the elements that this rank owns are not as marked.
template <class T, int N> int wrong_marks(array<T, N> const& a) {
    int wrong = 0;
    for (auto const& at : a.owned()) wrong += std::apply([&](auto... i) { return (*a)(i...) != mark<T>(at); }, at) ? 1 : 0;
    return wrong;
}

} // namespace sode::internal::testing
