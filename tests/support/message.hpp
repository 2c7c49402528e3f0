// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/error.hpp>

#include <gtest/gtest.h>

#include <string>

namespace sode::internal::testing {

/// What `f` says when it refuses to do as it is told, which must be a mistake of the user's: "no error" if it does it.
template <class F> [[nodiscard]] std::string message(F f, error_kind kind = error_kind::usage) {
    try {
        static_cast<void>(f());
    } catch (error const& e) {
        EXPECT_EQ(e.kind(), kind);
        return e.what();
    }
    return "no error";
}

} // namespace sode::internal::testing
