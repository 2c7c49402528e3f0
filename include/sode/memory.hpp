// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sode {

/// Whose memory the elements of an array are in: the third parameter of `array` and `buffered`.
///
///     sode::array<float, 3>               u{g, sode::shadow{1}}; // the host's, as if `sode::host` were written
///     sode::array<float, 3, sode::device> v{g, sode::shadow{1}}; // a device's: see device_array.hpp
struct host {};
/// The memory of the rank's device (SODE_DEVICE): a GPU, or one that is emulated.
struct device {};

} // namespace sode
