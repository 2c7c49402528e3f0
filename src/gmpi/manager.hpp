// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "gmpi/barriers.hpp"
#include "gmpi/device_words.hpp"
#include "gmpi/links.hpp"
#include "gmpi/manager_trace.hpp"
#include "gmpi/partitioned.hpp"
#include "gmpi/startable.hpp"
#include "gmpi/transfers.hpp"
#include "gmpi/windows.hpp"
#include "model/job.hpp"

#include <sode/detail/gmpi/requests.hpp>
#include <sode/detail/gmpi/ring.hpp>
#include <sode/detail/gmpi/threads_platform.hpp>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace sode::internal::kernels {

/// Takes requests of kernels out of their rings and has them done. A thread of its own does so; whoever waits for a kernel helps.
/// What the rank's own thread alone may do, calls of an MPI and plans, waits until that thread comes by.
class manager final : private frame_reader, private goal_keeper {
public:
    /// Collective. Errors: those of links, and of device_words.
    manager(detail::job& j, std::shared_ptr<gmpi::memory> memory, gmpi::options const& o);
    /// Collective, unless an exception passes.
    ~manager() override;
    manager(manager const&) = delete;
    manager& operator=(manager const&) = delete;

    [[nodiscard]] device_words& words() noexcept { return words_; }
    /// Some steps, on the rank's own thread. True if anything happened.
    bool carry();
    /// All that this side has begun to say has left.
    [[nodiscard]] bool has_left();
    void kernel_begins();
    void kernel_ends() noexcept { --kernels_; }
    /// Ends all waits of kernels.
    void abort(code why) noexcept;
    /// Errors: peer, timeout, or whatever a plan has thrown, if kernels were told of something that went wrong.
    void rethrow();

    /// Collective.
    [[nodiscard]] int add_window(std::byte* own, word bytes);
    [[nodiscard]] std::uint32_t add_plan(startable p);
    /// \return its number, and of one that comes the first word of its parts
    [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> add_partitioned(partitioned p);
    /// "1023 requests from kernels: 12 sends, …"
    [[nodiscard]] std::string describe();

private:
    using platform = gmpi::detail::threads_platform;
    using entry = gmpi::detail::entry;
    struct startable_number {
        bool is_plan;
        std::uint32_t number;
    };

    void run();
    bool go();
    bool take_requests();
    void serve(entry const& e);
    void start(entry const& e, goal const& whose);
    void look_after_peers();
    void fail(std::string why, code told) noexcept;
    void close() noexcept;
    void read(int peer, frame const& f, std::byte const* payload) override;
    void over(goal const& whose, code how, word bytes) override;
    bool deliver(goal const& whose, code how, std::byte const* data, word bytes) override;

    detail::job& job_;
    device_words words_;
    links links_;
    peers ranks_;
    transfers transfers_;
    windows windows_;
    barriers barriers_;
    partitioned_messages partitioned_;
    started_plans plans_;
    std::vector<startable_number> numbers_;
    std::vector<gmpi::detail::ring_reader<platform>> rings_;
    std::vector<std::uint64_t> served_; // by operation
    manager_trace trace_;

    std::mutex turn_;             // of whoever takes steps
    std::atomic<int> wanted_{0};  // the rank wants it
    std::atomic<int> kernels_{0}; // that run
    std::atomic<bool> stopping_{false};
    std::condition_variable woken_;
    std::int64_t looked_ns_ = 0;
    std::string failure_;
    std::exception_ptr thrown_;
    code told_ = code::ok;
    std::thread thread_;
};

} // namespace sode::internal::kernels
