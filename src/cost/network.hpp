// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cost/expense.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace sode::internal {

/// How a network carries messages of some sizes. Times in nanoseconds.
struct network_protocol {
    std::int64_t up_to_bytes = 0; ///< larger messages go by the next protocol; 0: no bound, for the last one only
    double overhead = 0;          ///< time of the core for one message, at each end
    double latency = 0;           ///< from injection to arrival of the first byte
    double byte = 0;              ///< a byte on the wire, at the injecting engine and at the receiving link
    double host_byte = 0;         ///< time of the core a byte, at each end
};

/// One of several ways between two machines that work at the same time (paper P0: InfiniBand and PEACH2). Times in nanoseconds.
struct network {
    std::string name{};
    std::vector<network_protocol> protocols{}; ///< by size; at least one, the last without a bound
    std::int64_t strided_from = 0;             ///< it moves rows of that many bytes or more as they lie; 0: all rows are packed
    double row = 0;                            ///< each row that it moves as it lies
    double pack = 0;         ///< time of the core to pack a message of several rows, and again to unpack it: for each message,
    double pack_row = 0;     ///< each row,
    double pack_byte = 0;    ///< and each byte
    bool serial = false;     ///< one engine injects one message after another; else one for each link
    std::int64_t within = 0; ///< it joins so many neighbours each, such as the devices of a machine; 0: all
    std::int64_t links = 1;  ///< messages that a machine receives (and, if not serial, sends) at the same time at full rate

    [[nodiscard]] network_protocol const& protocol_for(std::int64_t bytes) const noexcept {
        for (auto const& p : protocols)
            if (p.up_to_bytes == 0 || bytes <= p.up_to_bytes) return p;
        return protocols.back();
    }
    [[nodiscard]] bool joins(int source, int target) const noexcept { return within == 0 || source / within == target / within; }
    /// Must rows of that size be gathered first, and scattered at the other end?
    [[nodiscard]] bool packs(std::int64_t rows, std::int64_t row_bytes) const noexcept {
        return rows > 1 && (strided_from == 0 || row_bytes < strided_from);
    }
    /// What a message of so many rows costs, of so many bytes each. Closed form.
    [[nodiscard]] expense cost(std::int64_t bytes, std::int64_t rows, std::int64_t row_bytes) const noexcept;
};

} // namespace sode::internal
