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

/// A queue of work (loops, copies and exchanges) for the device of a rank. The device executes the work in order, while the host
/// continues.
///
///     sode::stream s{rt};
///     for (int t = 0; t < steps; ++t, u.flip()) {
///         halo.enqueue(s);
///         sode::loop(s, g.inner(), jacobi(u.now(), u.next()));
///     }
///     s.synchronize();
///
/// Work in different streams of one rank is not ordered. SODE_DEVICE selects the device. A stream can be moved but not copied. The
/// destructor of a stream waits for the work. The constructor is not collective.
class stream {
public:
    /// Throws an environment error if the rank has no device. The error message explains how to use an emulated device.
    SODE_API explicit stream(runtime const& rt);
    SODE_API ~stream();
    SODE_API stream(stream&&) noexcept;
    SODE_API stream& operator=(stream&&) noexcept;

    /// Waits until all work in the stream is complete. If the ranks are on several machines, messages of the stream's exchanges
    /// make progress only in synchronize(), wait() and test().
    /// Throws an environment error if the device failed. If the stream contains exchanges, the errors of reflection::wait() are
    /// also possible. The death of a rank for which an exchange waits is reported within a second.
    SODE_API void synchronize();
    /// True if all work in the stream is complete. The cost is one load from memory.
    [[nodiscard]] SODE_API bool done() const;

    /// Runs a function as a kernel with one thread. Only emulated devices can run host functions. Throws a usage error if the
    /// device is not emulated.
    SODE_API void run(std::function<void()> kernel);
    /// True if the device is emulated.
    [[nodiscard]] SODE_API bool emulated() const;
    /// Returns the name of the device, for example "emulated device 0".
    [[nodiscard]] SODE_API std::string device_name() const;
    /// Returns the native stream, a cudaStream_t, for your own kernels. The result is null if the device is emulated.
    [[nodiscard]] SODE_API void* native() const;

    [[nodiscard]] SODE_API detail::stream_work& work() const; ///< used by the library. Errors: usage, if the stream was moved from

private:
    std::unique_ptr<detail::stream_work> work_;
};

} // namespace sode
