// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>

namespace sode::internal {

/// What a rank does for its user while ranks talk to each other; two that meet in different ones are told so in these words.
enum class activity : std::uint32_t {
    other,
    start,
    end,
    barrier,
    halo,
    copy,
    exchange,
    reduce,
    collect,
    broadcast,
    collective,
    march
};

[[nodiscard]] std::string_view name_of(activity what) noexcept;

/// What this thread is doing now.
[[nodiscard]] activity current_activity() noexcept;

/// Says so as long as it lives; of two, the outer one is what the user has called.
class doing {
public:
    explicit doing(activity what) noexcept;
    ~doing();
    doing(doing const&) = delete;
    doing& operator=(doing const&) = delete;

private:
    activity before_;
};

} // namespace sode::internal
