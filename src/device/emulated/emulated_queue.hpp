// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "device/clocked_queue.hpp"
#include "device/copy_graph.hpp"
#include "device/emulated/emulated_device.hpp"
#include "device/emulated/emulated_memory.hpp"

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace sode::internal {

class queue_thread;

/// A queue whose work a thread does.
class emulated_queue final : public device_queue, public clocked_queue, public graph_queue {
public:
    /// `seen`: is told of copies of programs, if there is one.
    explicit emulated_queue(std::shared_ptr<queue_thread> does, std::shared_ptr<watched_device::witness const> seen = nullptr);
    ~emulated_queue() override;

    void copy(std::byte* to, std::byte const* from, std::size_t bytes) override;
    void copy(std::shared_ptr<copy_program const> program, std::byte* to, std::byte const* from) override;
    void await(shared_word const& word, std::uint64_t least, shared_word const& stop) override;
    void publish(shared_word& word, std::uint64_t value, bool adds, shared_word const& stop) override;
    void await(device_queue& other) override;
    void run(std::function<void()> kernel) override;
    void stamp(shared_word& when) override;
    [[nodiscard]] std::shared_ptr<copy_graph const> make_graph(std::span<copy_box const> copies) override;
    void launch(std::shared_ptr<copy_graph const> graph) override;
    [[nodiscard]] std::uint64_t given() const noexcept override { return given_; }
    [[nodiscard]] std::uint64_t done() const noexcept override { return state_->done.load(std::memory_order_acquire); }
    [[nodiscard]] std::string failure() const override;

    /// Something to do. `take` returns false as long as it cannot be done.
    struct step {
        std::function<bool()> take;
        bool touches = true; ///< memory of the device, not only words of the host
    };
    /// What the thread sees of it.
    struct state {
        std::mutex lock; // of steps and failure
        std::deque<step> steps;
        std::string failure;
        std::atomic<std::uint64_t> done{0};
        /// Takes steps while they can be taken; true if any was. Opens the memory where one needs it; it stays open then.
        bool go_on(emulated_memory& memory, std::optional<device_code>& open);
        [[nodiscard]] bool has_steps();
    };

private:
    void give(step what);

    std::shared_ptr<state> state_;
    std::shared_ptr<queue_thread> thread_;
    std::shared_ptr<watched_device::witness const> seen_;
    std::uint64_t given_ = 0;
};

} // namespace sode::internal
