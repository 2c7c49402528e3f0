// SPDX-License-Identifier: Apache-2.0
#include <sode/detail/gmpi/device_share.hpp>
#include <sode/error.hpp>

#include <fmt/format.h>

#include <map>
#include <mutex>
#include <utility>

namespace sode {

namespace {

constexpr std::uint64_t whole = std::uint64_t{1} << 32;

struct devices_in_use {
    std::mutex lock;
    std::map<std::string, std::uint64_t> parts;
};

devices_in_use& of_this_process() {
    static devices_in_use all;
    return all;
}

double percent(std::uint64_t parts) {
    return 100 * static_cast<double>(parts) / static_cast<double>(whole);
}

} // namespace

// Rounded down, so that equal shares of all ranks fit.
gmpi::detail::device_share::device_share(std::string device, std::uint32_t blocks, std::uint32_t most)
    : device_(std::move(device)), parts_(whole * blocks / most) {
    auto& all = of_this_process();
    std::lock_guard const mine{all.lock};
    auto& used = all.parts[device_];
    if (used + parts_ > whole)
        throw error{error_kind::usage,
                    fmt::format("a kernel that needs {:.0f} % of its device, {}, cannot run now", percent(parts_), device_),
                    fmt::format("kernels may wait for each other, and other kernels of this process occupy {:.0f} % of the device",
                                percent(used)),
                    "launch fewer blocks in each rank that shares the device, or wait() for the other kernels first"};
    used += parts_;
}

gmpi::detail::device_share::~device_share() {
    auto& all = of_this_process();
    std::lock_guard const mine{all.lock};
    all.parts[device_] -= parts_;
}

} // namespace sode
