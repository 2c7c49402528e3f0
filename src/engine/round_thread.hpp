// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/processors.hpp"
#include "base/wait.hpp"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace sode::internal {

/// A thread of the library that goes round over what it was given, and takes a few steps of each: what engines beside the rank are
/// made of. It polls while there is something under way, and sleeps after that.
///
/// One mutex, the *turn*, is held by whoever takes steps or looks at them: the thread for a round, the rank when it asks.
class round_thread {
public:
    enum class pass : std::uint8_t { nothing_to_do, idle, moved };
    /// Something that takes steps.
    class worker {
    public:
        worker() = default;
        virtual ~worker() = default;
        worker(worker const&) = delete;
        worker& operator=(worker const&) = delete;
        /// By whoever has the turn. Never waits.
        [[nodiscard]] virtual pass go() = 0;
    };

    /// `waiting`: how it polls; where no rank has a processor for itself (wait_policy::spins is 0), see `lends()`. `where` it may
    /// run; nothing: where the rank may. `does`: "runs plans", for messages. Errors: environment, if there can be no thread, or not
    /// there.
    round_thread(wait_policy const& waiting, std::optional<processor_set> const& where, std::string const& does);
    ~round_thread();
    round_thread(round_thread const&) = delete;
    round_thread& operator=(round_thread const&) = delete;

    void add(worker& one);
    void remove(worker& one);
    /// There is something to do. No system call unless the thread sleeps.
    void wake() noexcept;
    /// Ends the thread. What is under way then is never over.
    void stop() noexcept;

    /// Threads outnumber processors: whoever waits for this thread takes its steps, rather than watch it do so, and the thread
    /// looks now and then only. Otherwise they would take each other's time.
    [[nodiscard]] bool lends() const noexcept { return waiting_.spins == 0; }
    /// As the thread would, if nobody has the turn.
    [[nodiscard]] pass help(worker& one);

    class turn {
    public:
        explicit turn(round_thread& of) : of_(of) {
            of_.wanted_.fetch_add(1, std::memory_order_relaxed);
            of_.turn_.lock();
            of_.wanted_.fetch_sub(1, std::memory_order_relaxed);
        }
        ~turn() { of_.turn_.unlock(); }
        turn(turn const&) = delete;
        turn& operator=(turn const&) = delete;

    private:
        round_thread& of_;
    };

private:
    void run();
    void rest(pass last);
    [[nodiscard]] pass go_round();

    wait_policy waiting_;
    std::mutex turn_;
    std::atomic<int> wanted_{0};   // who wants the turn; a mutex alone would let the thread take it again and again
    std::vector<worker*> workers_; // by whoever has the turn
    std::atomic<int> woken_{0};    // so that the thread does not sleep through it
    std::atomic<int> helped_{0};
    int helped_before_ = 0;
    int empty_ = 0; // rounds without anything to do
    std::atomic<bool> stopping_{false};
    waiter polls_;
    std::thread thread_;
};

} // namespace sode::internal
