// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/types.hpp>

namespace sode {

/// A constructor argument that makes the halo of an array several times as wide, for time tiles. With a wider halo,
/// reflection::march() can take several time steps per exchange, in one pass over memory.
///
///     buffered<double, 2> u{plate, shadow{1}, tiles{}};   // march() chooses how many time steps, as far as there is room
///     buffered<double, 2> v{plate, shadow{1}, tiles{8}};  // 8 time steps per pass
///
/// The shadow argument still gives the number of layers that one time step reads. tiles{k} allocates k times as many layers as the
/// shadow. In one and two dimensions, tiles{} allocates room for 16 time steps. In more dimensions, tiles{} allocates room for 8
/// layers. tiles{} never allocates more layers than the smallest block has elements. Arrays that time steps only read need the same
/// `tiles` argument.
struct tiles {
    index_t steps = 0; ///< time steps per exchange; 0: march() chooses
};

} // namespace sode
