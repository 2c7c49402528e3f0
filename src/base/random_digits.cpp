// SPDX-License-Identifier: Apache-2.0
#include "base/random_digits.hpp"

#include "base/contract.hpp"
#include "base/system_error.hpp"

#include <array>
#include <fmt/format.h>
#include <span>
#include <sys/random.h>

namespace sode::internal {

std::string random_digits(std::size_t bytes) {
    std::array<unsigned char, 64> random{};
    SODE_EXPECT(bytes <= random.size(), "the kernel returns at most this many at once");
    if (::getrandom(random.data(), bytes, 0) != static_cast<ssize_t>(bytes))
        throw system_error("no random numbers can be read", "getrandom", "allow the system call getrandom in this sandbox");
    std::string digits;
    for (auto const byte : std::span{random}.first(bytes)) digits += fmt::format("{:02x}", byte);
    return digits;
}

} // namespace sode::internal
