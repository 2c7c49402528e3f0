// SPDX-License-Identifier: Apache-2.0
#include "array/device_moves.hpp"

#include <sode/error.hpp>

#include <algorithm>
#include <cstring>
#include <vector>

namespace sode::internal {

std::shared_ptr<std::byte> allocate_on_device(detail::job& j, std::size_t bytes) {
    auto* const block = j.need_device().memory().allocate(bytes);
    return {block, [block, bytes, keeps = j.shared_from_this()](std::byte*) {
                auto& device = keeps->need_device();
                device.settle();
                device.memory().release(block, bytes);
            }};
}

void wait_for(detail::job& j, device_queue const& queue) {
    waiter w{j.waiting};
    while (queue.done() != queue.given()) static_cast<void>(w.step());
    if (auto const why = queue.failure(); !why.empty())
        throw error{error_kind::environment, "a device failed", why, "check the kernels that the program has run"};
}

void copy_pattern(detail::job& j, std::byte* to, std::span<std::byte const> element, index_t count) {
    constexpr std::size_t most = std::size_t{1} << 20;
    auto const all = static_cast<std::size_t>(count) * element.size();
    std::vector<std::byte> some(std::min(all, std::max(most / element.size(), std::size_t{1}) * element.size()));
    for (std::size_t at = 0; at < some.size(); at += element.size()) std::memcpy(some.data() + at, element.data(), element.size());
    auto const queue = j.need_device().make_queue(queue_use::plan);
    for (std::size_t at = 0; at < all; at += some.size()) queue->copy(to + at, some.data(), std::min(some.size(), all - at));
    wait_for(j, *queue);
}

} // namespace sode::internal
