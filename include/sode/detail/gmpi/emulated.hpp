// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>
#include <sode/detail/gmpi/grid.hpp>
#include <sode/detail/gmpi/groups.hpp>
#include <sode/detail/gmpi/threads_platform.hpp>

#include <atomic>

namespace sode::gmpi {

namespace detail {

/// A barrier for threads of an emulated device. If one thread ends with an exception, the barrier breaks and the other threads end,
/// too.
class meeting_place {
public:
    explicit meeting_place(std::uint32_t members) : members_(members) {}
    SODE_API void meet();
    void leave_broken() noexcept { broken_.store(true, std::memory_order_release); }

    word told = 0; ///< broadcast by thread 0 of a group

private:
    std::uint32_t members_;
    std::atomic<std::uint32_t> arrived_{0};
    std::atomic<std::uint32_t> round_{0};
    std::atomic<bool> broken_{false};
};

} // namespace detail

/// Threads of the emulated device that synchronise: a warp or a block.
class emulated_group {
public:
    emulated_group(detail::meeting_place* at, std::uint32_t rank, std::uint32_t size) : at_(at), rank_(rank), size_(size) {}
    [[nodiscard]] std::uint32_t thread_rank() const noexcept { return rank_; }
    [[nodiscard]] std::uint32_t size() const noexcept { return size_; }
    void sync() const {
        if (size_ > 1) at_->meet();
    }
    [[nodiscard]] std::uint32_t broadcast(std::uint32_t value) const {
        if (size_ == 1) return value;
        if (rank_ == 0) at_->told = value;
        sync();
        auto const told = static_cast<std::uint32_t>(at_->told);
        sync();
        return told;
    }
    [[nodiscard]] static detail::threads_platform platform() noexcept { return {}; }

private:
    detail::meeting_place* at_;
    std::uint32_t rank_, size_;
};

/// A thread of a kernel on the emulated device: a thread of this process. The thread is passed to a kernel as the first argument.
/// On a GPU, the first argument is a cuda_thread with the same functions.
class emulated_thread {
public:
    static constexpr std::uint32_t warp_size = 32;

    emulated_thread(launch_shape shape, std::uint32_t block, std::uint32_t thread, detail::meeting_place* of_block,
                    detail::meeting_place* of_warp, detail::meeting_place* of_grid)
        : shape_(shape), block_(block), thread_(thread), of_block_(of_block), of_warp_(of_warp), of_grid_(of_grid) {}

    [[nodiscard]] std::uint32_t block_rank() const noexcept { return block_; }
    [[nodiscard]] std::uint32_t blocks() const noexcept { return shape_.blocks; }
    [[nodiscard]] std::uint32_t thread_rank() const noexcept { return thread_; } ///< number of the thread in its block
    [[nodiscard]] std::uint32_t threads() const noexcept { return shape_.threads; }
    [[nodiscard]] emulated_group block() const noexcept { return {of_block_, thread_, shape_.threads}; }
    [[nodiscard]] emulated_group warp() const noexcept {
        auto const first = thread_ / warp_size * warp_size;
        auto const rest = shape_.threads - first;
        return {of_warp_, thread_ - first, rest < warp_size ? rest : warp_size};
    }
    [[nodiscard]] emulated_group thread() const noexcept { return {nullptr, 0, 1}; }
    /// All threads of the kernel; grid().sync() synchronises them.
    [[nodiscard]] emulated_group grid() const noexcept {
        return {of_grid_, block_ * shape_.threads + thread_, shape_.blocks * shape_.threads};
    }

private:
    launch_shape shape_;
    std::uint32_t block_, thread_;
    detail::meeting_place *of_block_, *of_warp_, *of_grid_;
};

} // namespace sode::gmpi
