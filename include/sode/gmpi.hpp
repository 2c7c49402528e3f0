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

/// Communication from within GPU kernels. A kernel can send, receive, put, synchronise with other ranks and start plans, and then
/// continue to compute. The kernel need not finish to let the host communicate. Source: Kuwahara, Hanawa, Kodama, Boku: a proposal
/// of self-communication between GPUs in GPU clusters (GMPI; in Japanese; docs/references.md).
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
/// If nvcc compiles the program, kernels run on a GPU. With another compiler, or without a GPU, kernels run on an emulated device:
/// host threads.
namespace sode::gmpi {

/// Lets a rank's kernels communicate: holds the rings and requests, and a host thread that serves the requests.
class context {
public:
    /// Collective. The runtime must outlive the context. SODE_DEVICE selects the device, as for the rank's arrays. If SODE_DEVICE
    /// is unset, and there is no GPU or the program was not compiled by nvcc, kernels run on host threads. Errors: usage, for
    /// invalid options; environment, if the device does not exist, if there is not enough memory, or if the ranks are on several
    /// machines and MPI is not available; peer, timeout.
    explicit context(runtime& rt, options const& o = {}) : context(rt, o, detail::native_memory(detail::choose_device(rt))) {}
    /// Creates a context on a device that the caller chooses.
    SODE_API context(runtime& rt, options const& o, std::shared_ptr<memory> of_device);
    /// Collective. The destructor does not wait: all kernels must have finished, and no request may be in progress.
    SODE_API ~context();
    context(context const&) = delete;
    context& operator=(context const&) = delete;

    /// The argument by which a kernel communicates, passed by value.
    [[nodiscard]] SODE_API gmpi::device_handle device_handle() const noexcept;
    [[nodiscard]] SODE_API memory& of_device() const noexcept;
    /// With options::two_hops: the rings from which the host reads requests.
    [[nodiscard]] SODE_API detail::ring const* host_rings() const noexcept;

    /// Allocates `count` zeroed elements in device memory. Messages may also use other memory that the kernel can access. On the
    /// emulated device, peers on the same machine can access this memory: a message needs only one copy, and a put only stores.
    /// Errors: environment, if there is not enough memory.
    template <class T> [[nodiscard]] std::shared_ptr<T[]> allocate(std::size_t count) {
        return typed<T>(room(memory::kind::device, count * sizeof(T)));
    }
    /// Like allocate(), but host and device can both read and write the memory.
    template <class T> [[nodiscard]] std::shared_ptr<T[]> allocate_mapped(std::size_t count) {
        return typed<T>(room(memory::kind::mapped, count * sizeof(T)));
    }

    /// Exposes a part of this rank's memory to put() from all ranks, until the context is destroyed. Collective; the parts may
    /// differ in length.
    /// Errors: peer, timeout. \return the number of the window, equal on all ranks
    template <class T> [[nodiscard]] int window(std::span<T> mine) { return show(std::as_writable_bytes(mine)); }

    /// Registers a plan that kernels may start(). The plan must outlive the context, must not be moved, and must only be started by
    /// kernels. The plan runs on the thread that waits for the kernel; with SODE_ENGINE, other threads can execute its steps. All
    /// ranks must start the same plans in the same order. For `buffered` arrays, successive starts in a kernel exchange the two
    /// halves alternately. After the kernel, flip `buffered` arrays as often as they were exchanged.
    [[nodiscard]] SODE_API plan_number add(reflection& halo);
    [[nodiscard]] SODE_API plan_number add(planned& what);

    /// Prepares an exchange of arrays in device memory, which the next kernel executes by calling exchange(). The kernel's threads
    /// execute the steps of the plan. If the exchange needs MPI messages, the kernel starts the exchange and the host executes it.
    /// Call device_handle() before each kernel. After the kernel, flip `buffered` arrays as often as they were exchanged. `halo`
    /// must outlive the context, must not be moved, and must not be started in any other way while the kernel runs. All ranks must
    /// run the same exchanges in the same order. Errors: usage, if the exchange is in progress, or if its arrays are in host memory
    /// (then use add()).
    [[nodiscard]] SODE_API halo_handle device_handle(reflection& halo);

    /// Plans a partitioned message of `parts` equal parts to rank `peer`, like MPI_Psend_init. Kernels call start(), then pready()
    /// for each part, then wait(). The peer calls precv_init() with the same arguments. Tags are 0 to 32767. Not collective.
    /// Errors: usage, for an invalid tag, rank or number of parts.
    template <class T> [[nodiscard]] plan_number psend_init(std::span<T const> data, std::uint32_t parts, int peer, int tag) {
        return make_parts(true, const_cast<std::byte*>(reinterpret_cast<std::byte const*>(data.data())), data.size_bytes(), parts,
                          peer, tag)
            .plan;
    }
    /// The receiving end of a partitioned message. Kernels call start(), parrived() and wait(). Errors: as for psend_init(); usage,
    /// if there are more parts than options::parts.
    template <class T> [[nodiscard]] arrivals precv_init(std::span<T> data, std::uint32_t parts, int peer, int tag) {
        return make_parts(false, reinterpret_cast<std::byte*>(data.data()), data.size_bytes(), parts, peer, tag);
    }

    /// Does part of the work of the rank's own thread: messages to other machines, and plans. running::wait() calls this function.
    /// If a program does other work while a kernel runs, it must call progress() regularly. \return true if there was work to do.
    /// Throws nothing: running::wait() reports errors.
    SODE_API bool progress();
    /// Terminates all waits in kernels with code::aborted. After abort() the context cannot be used.
    SODE_API void abort() noexcept;
    /// One line of text: the device, the rings, and the number of requests from kernels so far.
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

/// Represents a running kernel, as returned by launch(). The destructor waits for the kernel, unless wait() was called.
class [[nodiscard]] running {
public:
    SODE_API running(context& ctx, std::unique_ptr<detail::kernel_run> kernel);
    SODE_API ~running();
    running(running const&) = delete;
    running& operator=(running const&) = delete;

    /// True if the kernel has finished. Calls progress().
    [[nodiscard]] SODE_API bool test();
    /// Waits for the kernel, and serves its requests in the meantime. Errors: any exception thrown by the kernel's threads or by
    /// plans that it started; peer, if a rank left while the kernel ran; timeout, if a wait in the kernel took longer than
    /// options::deadline. The kernel receives the same errors as codes.
    SODE_API void wait();

private:
    context& context_;
    std::unique_ptr<detail::kernel_run> kernel_;
};

namespace detail {

/// Limits of the emulated device. A launch with more threads is an error, because all threads must run concurrently.
constexpr std::uint32_t emulated_blocks = 64, emulated_threads = 1024;

SODE_API std::unique_ptr<kernel_run> run_on_threads(context& ctx, launch_shape shape,
                                                    std::function<void(emulated_thread const&)> kernel);

} // namespace detail

/// Runs `kernel(thread, arguments...)` on all threads of `shape`. All threads run concurrently. So a thread may wait for other
/// threads, and for kernels on other ranks. Errors: usage, if the device cannot run all threads concurrently, together with the
/// threads of kernels that this process has launched there and not yet waited for.
template <class Kernel, class... Arguments>
running launch(context& ctx, launch_shape shape, Kernel const& kernel, Arguments const&... arguments) {
    auto on_device = detail::launch_on(ctx.of_device(), shape, ctx.device_handle(), ctx.host_rings(), kernel, arguments...);
    if (on_device) return {ctx, std::move(on_device)};
    return {ctx, detail::run_on_threads(ctx, shape, [=](emulated_thread const& t) { kernel(t, arguments...); })};
}

} // namespace sode::gmpi

namespace gmpi = sode::gmpi;
