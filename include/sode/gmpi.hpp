// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/cxx20.hpp>

#include <sode/detail/gmpi/chosen_device.hpp>
#include <sode/detail/gmpi/collectives.hpp>
#include <sode/detail/gmpi/emulated.hpp>
#include <sode/detail/gmpi/halo_steps.hpp>
#include <sode/detail/gmpi/memory.hpp>
#include <sode/detail/gmpi/native_launch.hpp>
#include <sode/detail/gmpi/one_sided.hpp>
#include <sode/detail/gmpi/operations.hpp>
#include <sode/detail/gmpi/options.hpp>
#include <sode/detail/gmpi/planned.hpp>
#include <sode/runtime.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace sode {
class planned;
class reflection;
namespace internal {
class kernel_context;
} // namespace internal
} // namespace sode

/// Communication from within GPU kernels. A running kernel can send, receive, put, synchronise with other ranks, and start plans.
/// Ranks can communicate while their kernels run. The interface follows a paper by Kuwahara, Hanawa, Kodama and Boku about
/// self-communication between GPUs (GMPI; in Japanese; see docs/references.md).
///
///     struct ping {
///         template <class Thread> SODE_GPU void operator()(Thread const& t, gmpi::device_handle ctx, double* data, int n) const {
///             auto const block = t.block(); // all threads of a block call together; t.thread(): each for itself
///             if (gmpi::send(block, ctx, data, n, 1 - ctx.rank, 0) != gmpi::code::ok) return;
///             ...
///         }
///     };
///     gmpi::context ctx{rt};
///     gmpi::launch(ctx, {.blocks = 1, .threads = 32}, ping{}, ctx.device_handle(), data, n).wait();
///
/// If nvcc compiles the program, kernels run on a GPU. With another compiler, or without a GPU, kernels run on an emulated device,
/// which consists of host threads.
namespace sode::gmpi {

/// Enables a rank's kernels to communicate. A context contains the request rings, the requests, and a host thread that serves the
/// requests.
class context {
public:
    /// The constructor is collective. The runtime must outlive the context. SODE_DEVICE selects the device, as for the rank's
    /// arrays. If SODE_DEVICE is unset, kernels run on host threads if there is no GPU or if the program was not compiled by nvcc.
    /// Throws a usage error for invalid options. Throws an environment error if the device does not exist, if there is not enough
    /// memory, or if the ranks are on several machines and MPI is not available. Throws a peer error if another rank dies or leaves
    /// the job, and a timeout error after SODE_TIMEOUT seconds.
    explicit context(runtime& rt, options const& o = {}) : context(rt, o, detail::native_memory(detail::choose_device(rt))) {}
    /// Creates a context on a device that the caller chooses.
    SODE_API context(runtime& rt, options const& o, std::shared_ptr<memory> of_device);
    /// The destructor is collective, and does not wait for kernels. Before the destructor runs, all kernels must have finished, and
    /// all requests must be complete.
    SODE_API ~context();
    context(context const&) = delete;
    context& operator=(context const&) = delete;

    /// Returns the handle by which a kernel communicates. Pass the handle to the kernel by value.
    [[nodiscard]] SODE_API gmpi::device_handle device_handle() const noexcept;
    [[nodiscard]] SODE_API memory& of_device() const noexcept;
    /// Returns the rings from which the host reads requests, if options::two_hops is set.
    [[nodiscard]] SODE_API detail::ring const* host_rings() const noexcept;

    /// Allocates `count` zeroed elements in device memory. Messages may use any memory that the kernel can access, not only memory
    /// from allocate(). On the emulated device, peers on the same machine can access memory from allocate() directly. On the
    /// emulated device, a message from or to memory of allocate() needs only one copy. Throws an environment error if there is not
    /// enough memory.
    template <class T> [[nodiscard]] std::shared_ptr<T[]> allocate(std::size_t count) {
        return typed<T>(room(memory::kind::device, count * sizeof(T)));
    }
    /// Like allocate(), but host and device can both read and write the memory.
    template <class T> [[nodiscard]] std::shared_ptr<T[]> allocate_mapped(std::size_t count) {
        return typed<T>(room(memory::kind::mapped, count * sizeof(T)));
    }

    /// Exposes a part of this rank's memory to put() from all ranks, until the context is destroyed. The call is collective. The
    /// parts of the ranks may differ in length. Throws a peer error if another rank dies or leaves the job, and a timeout error
    /// after SODE_TIMEOUT seconds. \return the number of the window, equal on all ranks
    template <class T> [[nodiscard]] int window(std::span<T> mine) { return show(std::as_writable_bytes(mine)); }

    /// Registers a plan that kernels may start(). The plan must outlive the context and must not be moved, and only kernels may
    /// start the plan. The plan runs on the thread that waits for the kernel, or on other threads that SODE_ENGINE selects. All
    /// ranks must start the same plans in the same order. For `buffered` arrays, successive starts in a kernel exchange the two
    /// buffers alternately. After the kernel, call flip() on `buffered` arrays once for each exchange.
    [[nodiscard]] SODE_API plan_number add(reflection& halo);
    [[nodiscard]] SODE_API plan_number add(planned& what);

    /// Prepares an exchange of arrays in device memory, which the next kernel executes by calling exchange(). The kernel's threads
    /// execute the steps of the plan. If the exchange needs MPI messages, the kernel starts the exchange and the host executes the
    /// exchange. Call device_handle() before each kernel. After the kernel, call flip() on `buffered` arrays once for each
    /// exchange. `halo` must outlive the context and must not be moved. While the kernel runs, only the kernel may start `halo`.
    /// All ranks must run the same exchanges in the same order. Throws a usage error if the exchange is in progress, or if its
    /// arrays are in host memory. For arrays in host memory, use add().
    [[nodiscard]] SODE_API halo_handle device_handle(reflection& halo);

    /// Plans a partitioned message of `parts` equal parts to rank `peer`, like MPI_Psend_init. Kernels call start(), then pready()
    /// for each part, then wait(). The peer calls precv_init() with matching arguments. Tags are 0 to 32767. The call is not
    /// collective.
    /// Throws a usage error for an invalid tag, rank or number of parts.
    template <class T> [[nodiscard]] plan_number psend_init(std::span<T const> data, std::uint32_t parts, int peer, int tag) {
        return make_parts(true, const_cast<std::byte*>(reinterpret_cast<std::byte const*>(data.data())), data.size_bytes(), parts,
                          peer, tag)
            .plan;
    }
    /// Plans the receive of a partitioned message, like MPI_Precv_init. Kernels call start(), parrived() and wait(). Throws a usage
    /// error if there are more parts than options::parts. The errors of psend_init() are also possible.
    template <class T> [[nodiscard]] arrivals precv_init(std::span<T> data, std::uint32_t parts, int peer, int tag) {
        return make_parts(false, reinterpret_cast<std::byte*>(data.data()), data.size_bytes(), parts, peer, tag);
    }

    /// Makes progress with messages to other machines and with plans. running::wait() calls progress(). If a program does other
    /// work while a kernel runs, the program must call progress() regularly. progress() throws no errors, because running::wait()
    /// reports all errors.
    /// \return true if there was work to do
    SODE_API bool progress();
    /// Terminates all waits in kernels with code::aborted. After abort(), the context cannot be used.
    SODE_API void abort() noexcept;
    /// Describes the context in one line: the device, the rings, and the number of requests from kernels so far.
    [[nodiscard]] SODE_API std::string describe() const;

    [[nodiscard]] internal::kernel_context& parts() const noexcept { return *parts_; }

private:
    template <class T> static std::shared_ptr<T[]> typed(std::shared_ptr<std::byte> const& bytes) {
        return {bytes, reinterpret_cast<T*>(bytes.get())};
    }
    [[nodiscard]] SODE_API std::shared_ptr<std::byte> room(memory::kind k, std::size_t bytes);
    [[nodiscard]] SODE_API int show(std::span<std::byte> mine);
    [[nodiscard]] SODE_API arrivals make_parts(bool leaves, std::byte* data, std::size_t bytes, std::uint32_t parts, int peer,
                                               int tag);

    std::unique_ptr<internal::kernel_context> parts_;
};

/// A handle of a running kernel, as returned by launch(). The destructor waits for the kernel, unless wait() was called.
class [[nodiscard]] running {
public:
    SODE_API running(context& ctx, std::unique_ptr<detail::kernel_run> kernel);
    SODE_API ~running();
    running(running const&) = delete;
    running& operator=(running const&) = delete;

    /// Calls progress(), and returns true if the kernel has finished.
    [[nodiscard]] SODE_API bool test();
    /// Waits for the kernel, and meanwhile serves the kernel's requests. Rethrows an exception of the kernel's threads, or of plans
    /// that the kernel started. Throws a peer error if a rank terminated while the kernel ran. Throws a timeout error if a wait in
    /// the kernel took longer than options::deadline. The kernel receives the same errors as values of gmpi::code.
    SODE_API void wait();

private:
    context& context_;
    std::unique_ptr<detail::kernel_run> kernel_;
};

namespace detail {

/// The maximum numbers of blocks and threads on the emulated device. A launch with more threads is an error, because all threads
/// must run concurrently.
constexpr std::uint32_t emulated_blocks = 64, emulated_threads = 1024;

SODE_API std::unique_ptr<kernel_run> run_on_threads(context& ctx, launch_shape shape,
                                                    std::function<void(emulated_thread const&)> kernel);

} // namespace detail

/// Runs `kernel(thread, arguments...)` on all threads of `shape`. All threads run concurrently, so a thread may wait for other
/// threads and for kernels on other ranks. Throws a usage error if the device cannot run all threads concurrently. The limit
/// applies to all kernels together that this process has launched on the device and not yet waited for.
template <class Kernel, class... Arguments>
running launch(context& ctx, launch_shape shape, Kernel const& kernel, Arguments const&... arguments) {
    auto on_device = detail::launch_on(ctx.of_device(), shape, ctx.device_handle(), ctx.host_rings(), kernel, arguments...);
    if (on_device) return {ctx, std::move(on_device)};
    return {ctx, detail::run_on_threads(ctx, shape, [=](emulated_thread const& t) { kernel(t, arguments...); })};
}

} // namespace sode::gmpi

namespace gmpi = sode::gmpi;
