// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <sode/accelerators.h>
#include <vector>

namespace sode::xmp {

/// Places in a rank's memory: lower <= place < upper in each dimension, as sode_array_view() counts them.
struct places {
    int dims = 0;
    std::array<std::int64_t, 7> lower{}, upper{};

    [[nodiscard]] bool empty() const;
    [[nodiscard]] std::int64_t count() const;
};

/// How an array's elements lie: `bytes` each, `strides` of elements apart.
struct lying {
    std::size_t bytes = 0;
    std::array<std::int64_t, 7> strides{};
};

/// The same as a device's kernels see it; `packed` elements come before it in one piece. Dimensions that lie together are one.
[[nodiscard]] sode_acc_box box_of(places const& what, lying const& how, std::int64_t packed);
/// Calls act(offset, packed, bytes), all in bytes, for what lies together.
void for_each_run(sode_acc_box const& box, std::function<void(std::int64_t, std::int64_t, std::size_t)> const& act);
[[nodiscard]] std::int64_t runs_of(sode_acc_box const& box);

/// `outer` without `inner`, as boxes that do not overlap: layers below and above in one dimension after the other. Without
/// `corners` only what lies beside `inner`.
[[nodiscard]] std::vector<places> shell(places outer, places const& inner, bool corners);

} // namespace sode::xmp
