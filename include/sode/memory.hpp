// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sode {

/// Selects host memory for the elements of an array, as the third template argument of `array` and `buffered`.
///
///     sode::array<float, 3>               u{g, sode::shadow{1}}; // in host memory, the default
///     sode::array<float, 3, sode::device> v{g, sode::shadow{1}}; // in device memory: see device_array.hpp
struct host {};
/// Selects the memory of the rank's device (SODE_DEVICE): a GPU or an emulated device.
struct device {};

} // namespace sode
