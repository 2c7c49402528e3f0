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

/// A communication that is planned once and run many times. copy_init() and exchange_init() return planned communications. A
/// planned communication can be moved but not copied. If the communication is in progress, the destructor waits for its completion.
///
/// All ranks must run the same communications in the same order.
class planned {
public:
    SODE_API explicit planned(std::unique_ptr<internal::prepared_list> parts);
    SODE_API ~planned();
    SODE_API planned(planned&&) noexcept;
    SODE_API planned& operator=(planned&&) noexcept;

    /// Starts the communication. Throws a usage error if the communication is already started.
    SODE_API void start();
    /// Makes progress without waiting, and returns true if the communication is complete.
    SODE_API bool test();
    /// Waits until the communication is complete. After wait(), the program may write the source elements. Call wait() once after
    /// each start(). Throws a usage error if there was no start(). With SODE_CHECK=collective, wait() also throws a usage error if
    /// ranks wait in a cycle. Throws a peer error if another rank dies or leaves the job, and a timeout error after SODE_TIMEOUT
    /// seconds.
    SODE_API void wait();
    /// Calls start(), and then wait().
    void operator()() {
        start();
        wait();
    }

    /// Describes the plan, with one line for each piece that this rank receives: pattern, bytes, channel, predicted time,
    /// second-best channel.
    [[nodiscard]] SODE_API std::string explain() const;
    /// Prints the plan in one of the formats "text", "json", "dot" and "goal" (for LogGOPSim). Throws a usage error for an unknown
    /// format.
    [[nodiscard]] SODE_API std::string dump(std::string_view format = "text") const;
    /// executed() returns the number of descriptors executed. epochs() returns the number of starts.
    [[nodiscard]] SODE_API std::uint64_t executed() const noexcept;
    [[nodiscard]] SODE_API std::uint64_t epochs() const noexcept;

private:
    [[nodiscard]] internal::prepared_list& made() const;

    std::unique_ptr<internal::prepared_list> parts_;
};

} // namespace sode
