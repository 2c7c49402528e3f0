// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "device_boxes.hpp"

#include <optional>
#include <vector>

namespace sode::xmp {

/// What one device has of an array.
struct device_part {
    int device = -1;       ///< its number; -1: this rank's own
    places has;            ///< its elements and its shadow
    places own;            ///< those that this rank owns and no other device does
    places answers;        ///< what the host gets from it: `own`, and this rank's shadow at the edges
    char* first = nullptr; ///< on the host
    std::size_t bytes = 0;
};

/// How an array lies over several devices. Without a dimension each of them has all of it.
struct device_layout {
    int first = 0, count = 0; ///< devices
    int dim = -1;
    std::int64_t below = 0, above = 0; ///< shadow of a device's part
    bool operator==(device_layout const&) const = default;
};

[[nodiscard]] places common(places a, places const& b);
/// Blocks of what this rank owns, one for each device. `all` has this rank's shadow, too.
[[nodiscard]] std::vector<device_part> parts_of(places const& all, places const& owned, std::optional<device_layout> const& layout);

/// Another device, until this ends.
class other_device {
public:
    /// -1: the one that is in use.
    other_device(sode_acc_device const& device, int number);
    other_device(other_device const&) = delete;
    other_device& operator=(other_device const&) = delete;
    ~other_device();

private:
    sode_acc_device const& device_;
    int before_ = -1;
};

} // namespace sode::xmp
