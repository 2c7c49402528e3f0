// SPDX-License-Identifier: Apache-2.0
#include "base/helper_thread.hpp"
#include "base/warn.hpp"
#include "gmpi/kernel_context.hpp"

#include <sode/detail/gmpi/device_share.hpp>
#include <sode/detail/gmpi/forwarder.hpp>
#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace sode {
using namespace internal;

namespace {

using gmpi::emulated_thread;
using gmpi::launch_shape;
using gmpi::detail::meeting_place;

struct left_alone {}; // another thread of the group has thrown

/// A kernel on threads of this process, all of them at a time.
class threads_run final : public gmpi::detail::kernel_run {
public:
    threads_run(gmpi::context& ctx, launch_shape shape, std::function<void(emulated_thread const&)> kernel)
        : context_(ctx), shape_(shape),
          share_(std::string{ctx.of_device().name()}, threads_of(shape), gmpi::detail::emulated_threads),
          kernel_(std::move(kernel)), unfinished_(shape.blocks * shape.threads) {
        auto const& h = ctx.parts().manages.words();
        if (h.handle().two_hops) resident_ = start("forwards requests of kernels", [this] { forward(); });
        auto const warps = (shape.threads + emulated_thread::warp_size - 1) / emulated_thread::warp_size;
        auto* const of_grid = &places_.emplace_back(shape.blocks * shape.threads);
        for (std::uint32_t b = 0; b < shape.blocks; ++b) {
            auto* const of_block = &places_.emplace_back(shape.threads);
            for (std::uint32_t w = 0; w < warps; ++w) {
                auto const first = w * emulated_thread::warp_size;
                auto const last = std::min(shape.threads, first + emulated_thread::warp_size);
                auto* const of_warp = &places_.emplace_back(last - first);
                for (auto t = first; t < last; ++t)
                    threads_.push_back(start("runs a kernel", [this, b, t, of_block, of_warp, of_grid] {
                        run({shape_, b, t, of_block, of_warp, of_grid});
                    }));
            }
        }
    }
    ~threads_run() override { join(); }

    [[nodiscard]] bool is_over() override { return unfinished_.load(std::memory_order_acquire) == 0; }
    void end() override {
        join();
        if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
    }

private:
    // As if its blocks were as large as they may be when all places for blocks are taken.
    static std::uint32_t threads_of(launch_shape shape) {
        return shape.blocks * std::max(shape.threads, gmpi::detail::emulated_threads / gmpi::detail::emulated_blocks);
    }
    static std::thread start(std::string const& does, std::function<void()> body) {
        return start_helper(does, "launch fewer threads", std::nullopt, std::move(body));
    }

    void run(emulated_thread const& t) {
        try {
            kernel_(t);
            // NOLINTNEXTLINE(bugprone-empty-catch): the one that it waited for has told
        } catch (left_alone const&) {
        } catch (...) {
            std::lock_guard const mine{lock_};
            if (!thrown_) thrown_ = std::current_exception();
            for (auto& p : places_) p.leave_broken();
            context_.abort();
        }
        unfinished_.fetch_sub(1, std::memory_order_release);
    }

    // The resident kernel of two hops: until the other one is over, and what it has left on its rings is forwarded.
    void forward() {
        using P = gmpi::detail::threads_platform;
        auto const& words = context_.parts().manages.words();
        std::deque<gmpi::detail::forwarder<P>> rings;
        for (std::size_t r = 0; r < words.host_rings().size(); ++r)
            rings.emplace_back(P{}, words.handle().rings[r], words.host_rings()[r], words.handle().alarm);
        gmpi::code how = gmpi::code::ok;
        for (std::uint32_t polls = 0; how == gmpi::code::ok;) {
            bool const last = is_over();
            std::uint32_t n = 0;
            for (auto& r : rings) n += r.step(how);
            if (n == 0 && last) return;
            polls = n == 0 ? polls + 1 : 0;
            if (n == 0) P::pause(polls);
        }
    }

    void join() {
        for (auto& t : threads_)
            if (t.joinable()) t.join();
        if (resident_.joinable()) resident_.join();
    }

    gmpi::context& context_;
    launch_shape shape_;
    gmpi::detail::device_share share_;
    std::function<void(emulated_thread const&)> kernel_;
    std::atomic<std::uint32_t> unfinished_;
    std::deque<meeting_place> places_;
    std::mutex lock_;
    std::exception_ptr thrown_;
    std::vector<std::thread> threads_;
    std::thread resident_;
};

} // namespace

void gmpi::detail::meeting_place::meet() {
    auto const round = round_.load(std::memory_order_acquire);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == members_) {
        arrived_.store(0, std::memory_order_relaxed);
        round_.fetch_add(1, std::memory_order_release);
        return;
    }
    for (std::uint32_t polls = 0; round_.load(std::memory_order_acquire) == round;) {
        if (broken_.load(std::memory_order_acquire)) throw left_alone{};
        threads_platform::pause(++polls);
    }
}

std::unique_ptr<gmpi::detail::kernel_run> gmpi::detail::run_on_threads(context& ctx, launch_shape shape,
                                                                       std::function<void(emulated_thread const&)> kernel) {
    auto const all = std::uint64_t{shape.blocks} * shape.threads;
    if (all == 0 || shape.blocks > emulated_blocks || all > emulated_threads)
        throw error{error_kind::usage, fmt::format("a kernel of {} blocks of {} threads cannot run", shape.blocks, shape.threads),
                    all == 0 ? std::string{"the kernel has no threads"}
                             : fmt::format("the threads may wait for each other, and the emulated device has room for {} blocks "
                                           "and {} threads at a time",
                                           emulated_blocks, emulated_threads),
                    all == 0 ? "launch one block of one thread, or more"
                             : "launch fewer threads, and let each thread do more work in a loop"};
    return std::make_unique<threads_run>(ctx, shape, std::move(kernel));
}

gmpi::running::running(context& ctx, std::unique_ptr<detail::kernel_run> kernel) : context_(ctx), kernel_(std::move(kernel)) {
    ctx.parts().manages.kernel_begins();
}

gmpi::running::~running() {
    if (!kernel_) return;
    try {
        wait();
    } catch (std::exception const& e) {
        internal::tell(e);
    }
}

bool gmpi::running::test() {
    if (!kernel_) return true;
    context_.progress();
    return kernel_->is_over();
}

void gmpi::running::wait() {
    if (!kernel_) return;
    auto& manages = context_.parts().manages;
    // Its manager has a thread of its own: here it is enough to look often, and spinning would take time from the kernel's threads.
    auto const spins = context_.parts().of->waiting.spins;
    for (int idle = 0; !kernel_->is_over() || !manages.has_left();) {
        using namespace std::chrono_literals;
        idle = context_.progress() ? 0 : idle + 1;
        if (idle > spins) std::this_thread::sleep_for(50us);
    }
    auto const over = std::move(kernel_);
    manages.kernel_ends();
    context_.parts().halos.kernel_is_over();
    over->end();
    manages.rethrow();
}

} // namespace sode
