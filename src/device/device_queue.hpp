// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/copy_program.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace sode::internal {

/// A number in memory that the host and its devices share: what they tell each other by.
using shared_word = std::atomic<std::uint64_t>;

/// Work of a device, done in the order in which it is given. All calls but done() are of the thread that made the queue; none of
/// them waits for the work. What the work needs stays where it is until done() says so.
class device_queue {
public:
    device_queue() = default;
    virtual ~device_queue() = default; ///< waits for what it was given
    device_queue(device_queue const&) = delete;
    device_queue& operator=(device_queue const&) = delete;

    /// A copy between any two of: memory of the device, pinned memory, memory of the host (which may make it wait).
    virtual void copy(std::byte* to, std::byte const* from, std::size_t bytes) = 0;
    /// Runs a copy program. Of memory of the device and pinned memory only.
    virtual void copy(std::shared_ptr<copy_program const> program, std::byte* to, std::byte const* from) = 0;
    /// The work goes on when `word` is `least` or more, or `stop` is not 0. Everything that was written before the word is seen
    /// then. Word and stop are in pinned memory.
    virtual void await(shared_word const& word, std::uint64_t least, shared_word const& stop) = 0;
    /// Sets the word, or adds to it, when all work before has been done, which is seen by whoever reads it. Not if `stop` is not 0.
    virtual void publish(shared_word& word, std::uint64_t value, bool adds, shared_word const& stop) = 0;
    /// The work goes on when that which `other` has been given so far is done.
    virtual void await(device_queue& other) = 0;
    /// Runs a function that is a kernel. Errors: usage, where kernels must be compiled for the device.
    virtual void run(std::function<void()> kernel) = 0;

    /// How much it has been given, and how much of that is done: equal when it is idle. done() costs a load.
    [[nodiscard]] virtual std::uint64_t given() const noexcept = 0;
    [[nodiscard]] virtual std::uint64_t done() const noexcept = 0;
    /// What the work failed by; empty: nothing.
    [[nodiscard]] virtual std::string failure() const { return {}; }
    /// The same queue in the words of the vendor (cudaStream_t); null: there is no other.
    [[nodiscard]] virtual void* native() const noexcept { return nullptr; }
};

} // namespace sode::internal
