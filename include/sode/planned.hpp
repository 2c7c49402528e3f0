// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace sode {

namespace internal {
class prepared_list;
} // namespace internal

/// A communication that is planned once and run many times, returned by copy_init() and exchange_init(). Move-only. If the
/// communication is in progress, the destructor waits for it.
///
/// All ranks must run the same communications in the same order.
class planned {
public:
    SODE_API explicit planned(std::unique_ptr<internal::prepared_list> parts);
    SODE_API ~planned();
    SODE_API planned(planned&&) noexcept;
    SODE_API planned& operator=(planned&&) noexcept;

    /// Starts the communication. Errors: usage, if the communication is already started.
    SODE_API void start();
    /// Makes progress without waiting, and returns true if the communication is complete.
    SODE_API bool test();
    /// Waits until the communication is complete. After that, the program may write the sources. Call wait() once after each
    /// start(). Errors: peer, timeout; usage, if there was no start(), and with SODE_CHECK=collective if ranks wait in a cycle.
    SODE_API void wait();
    /// start() and wait().
    void operator()() {
        start();
        wait();
    }

    /// One line for each piece that this rank receives: pattern, bytes, channel, predicted time, second choice.
    [[nodiscard]] SODE_API std::string explain() const;
    /// The plan as "text", "json", "dot" or "goal" (for LogGOPSim). Errors: usage, for an unknown format.
    [[nodiscard]] SODE_API std::string dump(std::string_view format = "text") const;
    /// executed(): number of descriptors executed. epochs(): number of starts.
    [[nodiscard]] SODE_API std::uint64_t executed() const noexcept;
    [[nodiscard]] SODE_API std::uint64_t epochs() const noexcept;

private:
    [[nodiscard]] internal::prepared_list& made() const;

    std::unique_ptr<internal::prepared_list> parts_;
};

} // namespace sode
