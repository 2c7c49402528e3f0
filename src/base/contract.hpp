// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace sode::internal {

[[noreturn]] void broken_contract(std::string_view message, char const* file, int line);

} // namespace sode::internal

/// What one part of Sode owes another. Checked in debug builds only, where a breach is error{internal}. What a user can get wrong
/// is no contract: it is always checked, by an `if` that throws error{usage}. A macro, because a release build must not evaluate
/// `condition`.
#ifdef NDEBUG
#define SODE_EXPECT(condition, message) static_cast<void>(sizeof(!(condition)))
#else
#define SODE_EXPECT(condition, message)                                                                                            \
    ((condition) ? static_cast<void>(0) : ::sode::internal::broken_contract((message), __FILE__, __LINE__))
#endif
