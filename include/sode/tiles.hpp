// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/types.hpp>

namespace sode {

/// Room for time tiles: a halo several times as wide. Then reflection::march() can take several time steps per exchange, in one
/// pass over memory.
///
///     buffered<double, 2> u{plate, shadow{1}, tiles{}};   // march() chooses how many time steps, as far as there is room
///     buffered<double, 2> v{plate, shadow{1}, tiles{8}};  // 8 time steps at a time
///
/// The shadow still says how far one step reads. With tiles{k} the array has room for k times as many layers. tiles{} makes room
/// for 16 time steps in one and two dimensions, and for 8 layers in more dimensions. tiles{} never makes room for more layers than
/// the smallest block has elements. Arrays that steps read and do not change need the same room.
struct tiles {
    index_t steps = 0; ///< time steps at a time; 0: march() chooses
};

} // namespace sode
