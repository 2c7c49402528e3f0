// SPDX-License-Identifier: Apache-2.0
#include "space/agreement.hpp"

#include "base/message.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

namespace sode::internal {
namespace {

struct outcome {
    bool failed = false;
    error_kind kind = error_kind::internal;
    std::array<char, 246> text{}; ///< ends with a zero

    void describe(error_kind k, std::string_view message) noexcept {
        failed = true;
        kind = k;
        std::memcpy(text.data(), message.data(), std::min(message.size(), text.size() - 1));
    }
};

} // namespace

void together(bootstrap& boot, std::string_view what, std::function<void()> const& step) {
    outcome mine;
    std::exception_ptr failure;
    try {
        step();
    } catch (error const& e) {
        failure = std::current_exception();
        mine.describe(e.kind(), quoted(e.what()));
    } catch (std::exception const& e) {
        failure = std::current_exception();
        mine.describe(error_kind::environment, e.what());
    }

    // Only if any failed do all tell all.
    std::array<std::uint64_t, 1> any{mine.failed ? 1U : 0U};
    boot.combine(any, {});
    if (any[0] == 0) return;
    std::vector<outcome> all(static_cast<std::size_t>(boot.size()));
    boot.allgather(&mine, sizeof mine, all.data());
    if (failure) std::rethrow_exception(failure);
    auto const first = std::find_if(all.begin(), all.end(), [](outcome const& o) { return o.failed; });
    if (first != all.end())
        throw error{first->kind, fmt::format("rank {} could not {}", first - all.begin(), what), first->text.data(),
                    "correct the cause on that rank, and start again"};
}

} // namespace sode::internal
