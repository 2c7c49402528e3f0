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

/// Communication from inside of kernels. A kernel sends, receives, puts, meets other ranks and starts what was planned, and goes on
/// computing: it need not end for the host to do so (GMPI: Kuwahara, Hanawa, Kodama, Boku).
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
/// Compiled by nvcc, kernels run on a GPU; compiled by another compiler, or without a GPU, by threads of the processor that stand
/// for one.
namespace sode::gmpi {

/// What kernels of a rank communicate by: rings, requests, and a thread of the host that serves them.
class context {
public:
    /// Collective. The runtime outlives it. The device is that of the rank's arrays, as SODE_DEVICE says; where that is unset and
    /// there is no GPU, or nvcc has not compiled the program, kernels run on threads. Errors: usage, for options that cannot be;
    /// environment, if there is no such device, if there is no memory, or if the ranks are on several machines and no MPI is there;
    /// peer, timeout.
    explicit context(runtime& rt, options const& o = {}) : context(rt, o, detail::native_memory(detail::choose_device(rt))) {}
    /// The same with a device of the caller's choice.
    SODE_API context(runtime& rt, options const& o, std::shared_ptr<memory> of_device);
    /// Collective. Waits for nothing: no kernel may run any more, and no request be under way.
    SODE_API ~context();
    context(context const&) = delete;
    context& operator=(context const&) = delete;

    /// What kernels get, by value.
    [[nodiscard]] SODE_API gmpi::device_handle device_handle() const noexcept;
    [[nodiscard]] SODE_API memory& of_device() const noexcept;
    /// Where the host reads requests, if a resident kernel stands between (options::two_hops).
    [[nodiscard]] SODE_API detail::ring const* host_rings() const noexcept;

    /// `count` elements of the device's memory, zeroed. On the emulated device peers on this machine reach it: messages between
    /// such memory are copied once, and puts stored. Any other memory can be sent and received, too. Errors: environment, if there
    /// is no room.
    template <class T> [[nodiscard]] std::shared_ptr<T[]> allocate(std::size_t count) {
        return typed<T>(room(memory::kind::device, count * sizeof(T)));
    }
    /// The same, in memory that the host reads and writes, too.
    template <class T> [[nodiscard]] std::shared_ptr<T[]> allocate_mapped(std::size_t count) {
        return typed<T>(room(memory::kind::mapped, count * sizeof(T)));
    }

    /// Shows a part of this rank's memory to all ranks, for put(). Collective; parts may differ in length. It stays until the
    /// context goes. Errors: peer, timeout. \return its number, the same on all ranks
    template <class T> [[nodiscard]] int window(std::span<T> mine) { return show(std::as_writable_bytes(mine)); }

    /// What kernels may start() from now on; it must live as long as the context, stay where it is, and be started by nobody else.
    /// A plan runs on the thread that waits for the kernel. All ranks start the same plans in the same order.
    [[nodiscard]] SODE_API plan_number add(reflection& halo);
    [[nodiscard]] SODE_API plan_number add(planned& what);

    /// An exchange of halos of arrays of devices that the next kernel makes itself, by exchange(): see there. Threads of the kernel
    /// take the steps of its plan; where messages of MPI are part of it, the kernel starts it and the host runs it. Ask again
    /// before each kernel. After the kernel the program flips `buffered` arrays as often as it has exchanged them. `halo` lives as
    /// long as the context, and stays where it is; while the kernel runs nobody else starts it. All ranks make the same exchanges
    /// in the same order. Errors: usage, if it is under way, or if its arrays are the host's: see add().
    [[nodiscard]] SODE_API halo_handle device_handle(reflection& halo);

    /// A message of `parts` parts of equal length that leave one by one as kernels say (start(), pready(), wait()), to rank `peer`,
    /// whose precv_init() says the same. Tags: 0 to 32767. Not collective. Errors: usage, for other tags, ranks, numbers of parts.
    template <class T> [[nodiscard]] plan_number psend_init(std::span<T const> data, std::uint32_t parts, int peer, int tag) {
        return make_parts(true, const_cast<std::byte*>(reinterpret_cast<std::byte const*>(data.data())), data.size_bytes(), parts,
                          peer, tag)
            .plan;
    }
    /// Its other end: start(), parrived(), wait(). Errors: as above; usage, if there are more parts than options::parts.
    template <class T> [[nodiscard]] arrivals precv_init(std::span<T> data, std::uint32_t parts, int peer, int tag) {
        return make_parts(false, reinterpret_cast<std::byte*>(data.data()), data.size_bytes(), parts, peer, tag);
    }

    /// Does some of what the rank's own thread has to do: messages to other machines, and plans. running::wait() calls it; a
    /// program that does something else meanwhile calls it now and then. True if anything was done. Errors: none; see
    /// running::wait().
    SODE_API bool progress();
    /// Ends all waits of kernels: they get code::aborted. The context is of no further use.
    SODE_API void abort() noexcept;
    /// One line for people: which device, rings, and what kernels have asked for so far.
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

/// A kernel that runs. It is waited for when it goes, if nobody has.
class [[nodiscard]] running {
public:
    SODE_API running(context& ctx, std::unique_ptr<detail::kernel_run> kernel);
    SODE_API ~running();
    running(running const&) = delete;
    running& operator=(running const&) = delete;

    /// True once it is over. Does what progress() does.
    [[nodiscard]] SODE_API bool test();
    /// Waits for it, and serves it meanwhile. Errors: what threads of the kernel, or plans that it started, have thrown; peer, if a
    /// rank has left while it ran; timeout, if a wait of it lasted longer than options::deadline. The kernel itself was told by
    /// codes.
    SODE_API void wait();

private:
    context& context_;
    std::unique_ptr<detail::kernel_run> kernel_;
};

namespace detail {

/// Threads of the emulated device: of a kernel, more are refused, as its threads may wait for each other.
constexpr std::uint32_t emulated_blocks = 64, emulated_threads = 1024;

SODE_API std::unique_ptr<kernel_run> run_on_threads(context& ctx, launch_shape shape,
                                                    std::function<void(emulated_thread const&)> kernel);

} // namespace detail

/// Runs `kernel(thread, arguments...)` on all threads of `shape`. They all run at the same time: what waits for other threads, or
/// for other ranks whose kernels run, gets on. Errors: usage, if so many cannot be resident on the device at a time.
template <class Kernel, class... Arguments>
running launch(context& ctx, launch_shape shape, Kernel const& kernel, Arguments const&... arguments) {
    auto on_device = detail::launch_on(ctx.of_device(), shape, ctx.device_handle(), ctx.host_rings(), kernel, arguments...);
    if (on_device) return {ctx, std::move(on_device)};
    return {ctx, detail::run_on_threads(ctx, shape, [=](emulated_thread const& t) { kernel(t, arguments...); })};
}

} // namespace sode::gmpi

namespace gmpi = sode::gmpi;
