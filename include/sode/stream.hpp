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

/// Work for the device of a rank, done in the order in which it is given, while the host goes on: loops, copies, exchanges.
///
///     sode::stream s{rt};
///     for (int t = 0; t < steps; ++t, u.flip()) {
///         halo.enqueue(s);
///         sode::loop(s, g.inner(), jacobi(u.now(), u.next()));
///     }
///     s.synchronize();
///
/// Streams of one rank are not ordered with each other. Which device it is, SODE_DEVICE says. Movable, not copyable; one that is
/// destroyed is waited for. Not collective.
class stream {
public:
    /// Errors: environment, if the rank has no device; what it says then how to have one emulated.
    SODE_API explicit stream(runtime const& rt);
    SODE_API ~stream();
    SODE_API stream(stream&&) noexcept;
    SODE_API stream& operator=(stream&&) noexcept;

    /// Waits until all that it was given is done. Errors: environment, if the device failed, with what it says; those of
    /// reflection::wait() for exchanges in it: peer, within a second of the death of a rank that they wait for; timeout
    /// (SODE_TIMEOUT). Where ranks are on several machines, messages of its exchanges go on in here, and in wait() and test().
    SODE_API void synchronize();
    /// Whether all that it was given is done. Cost: a load.
    [[nodiscard]] SODE_API bool done() const;

    /// Runs a function as a kernel of one thread, on emulated devices only. Errors: usage, on others.
    SODE_API void run(std::function<void()> kernel);
    /// Whether its device is emulated.
    [[nodiscard]] SODE_API bool emulated() const;
    /// "emulated device 0", or what the device calls itself.
    [[nodiscard]] SODE_API std::string device_name() const;
    /// The same stream as the device's vendor knows it, for kernels of one's own: a cudaStream_t. Null, if it is emulated.
    [[nodiscard]] SODE_API void* native() const;

    [[nodiscard]] SODE_API detail::stream_work& work() const; ///< for the library. Errors: usage, if it was moved from

private:
    std::unique_ptr<detail::stream_work> work_;
};

} // namespace sode
