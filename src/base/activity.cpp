// SPDX-License-Identifier: Apache-2.0
#include "base/activity.hpp"

#include <array>
#include <cstddef>

namespace sode::internal {

namespace {

thread_local activity now = activity::other;

constexpr std::array<std::string_view, 12> names{
    "another collective call", "the start of the job", "the end of the job", "a barrier",   "reflect_init()",        "copy_init()",
    "exchange_init()",         "a reduction",          "collect()",          "broadcast()", "planning a collective", "march()"};

} // namespace

std::string_view name_of(activity what) noexcept {
    auto const i = static_cast<std::size_t>(what);
    return i < names.size() ? names[i] : names.front();
}

activity current_activity() noexcept {
    return now;
}

doing::doing(activity what) noexcept : before_(now) {
    if (before_ == activity::other) now = what;
}

doing::~doing() {
    now = before_;
}

} // namespace sode::internal
