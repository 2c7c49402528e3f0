// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>
#include <sode/detail/cxx20.hpp>

#include <sode/runtime.hpp>

#include <functional>
#include <memory>
#include <string>

namespace sode {

namespace detail {
struct stream_work;
} // namespace detail

/// A queue of work for the device of a rank: loops, copies and exchanges. The device executes the work in order, while the host
/// continues.
///
///     sode::stream s{rt};
///     for (int t = 0; t < steps; ++t, u.flip()) {
///         halo.enqueue(s);
///         sode::loop(s, g.inner(), jacobi(u.now(), u.next()));
///     }
///     s.synchronize();
///
/// Work in different streams of one rank is not ordered. SODE_DEVICE selects the device. A stream can be moved but not copied; the
/// destructor waits for the work. Not collective.
class stream {
public:
    /// Errors: environment, if the rank has no device; the message explains how to use an emulated device.
    SODE_API explicit stream(runtime const& rt);
    SODE_API ~stream();
    SODE_API stream(stream&&) noexcept;
    SODE_API stream& operator=(stream&&) noexcept;

    /// Waits until all work in the stream is complete. If the ranks are on several machines, messages of the stream's exchanges
    /// make progress only in this function, in wait() and in test().
    /// Errors: environment, if the device failed; for exchanges in the stream, the errors of reflection::wait(). The death of a
    /// rank for which an exchange waits is reported within a second.
    SODE_API void synchronize();
    /// True if all work in the stream is complete. Cost: a load.
    [[nodiscard]] SODE_API bool done() const;

    /// Runs a function as a kernel with one thread, on emulated devices only. Errors: usage, on other devices.
    SODE_API void run(std::function<void()> kernel);
    /// True if the device is emulated.
    [[nodiscard]] SODE_API bool emulated() const;
    /// "emulated device 0", or the name that the device reports.
    [[nodiscard]] SODE_API std::string device_name() const;
    /// The native stream, a cudaStream_t, for your own kernels. Null if the device is emulated.
    [[nodiscard]] SODE_API void* native() const;

    [[nodiscard]] SODE_API detail::stream_work& work() const; ///< used by the library. Errors: usage, if the stream was moved from

private:
    std::unique_ptr<detail::stream_work> work_;
};

} // namespace sode
