// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/check.hpp>
#include <sode/detail/wall.hpp>
#include <sode/element_code.hpp>
#include <sode/geometry.hpp>

#include <array>
#include <memory>

namespace sode::detail {

/// Passes one distributed array to an exchange: its shape, its memory and its halo, for elements of any type. A halo_source keeps
/// the array's memory alive.
struct halo_source {
    job* owner = nullptr;
    std::shared_ptr<geometry const> shape;
    std::array<std::shared_ptr<std::byte>, 2> memory; ///< [1] for buffered arrays only
    std::array<std::shared_ptr<halo_watch>, 2> watch; ///< null unless SODE_CHECK=halo
    std::shared_ptr<int const> half;                  ///< buffered arrays: which half is now(); null for other arrays
    std::array<index_t, max_dims> lower{};            ///< layers to fetch
    std::array<index_t, max_dims> upper{};
    std::array<bool, max_dims> full{};          ///< dimensions with a full shadow: all elements are fetched
    std::shared_ptr<detail::walls const> walls; ///< boundary conditions; null: none for this exchange
    bool on_device = false;                     ///< the memory is on a device
    index_t room = 1;                           ///< the shadow is this many times as wide as the layers that one step reads (tiles)
    index_t steps = 0;                          ///< time steps that march() takes per exchange; 0: march() chooses
    std::uint8_t element = no_number;           ///< type of the elements, for reductions (code_of)
};

} // namespace sode::detail
