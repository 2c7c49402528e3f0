// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/check.hpp>
#include <sode/detail/wall.hpp>
#include <sode/element_code.hpp>
#include <sode/geometry.hpp>

#include <array>
#include <memory>

namespace sode::detail {

/// What an exchange needs to know of one distributed array, whatever its type. Keeps the array's memory alive.
struct halo_source {
    job* owner = nullptr;
    std::shared_ptr<geometry const> shape;
    std::array<std::shared_ptr<std::byte>, 2> memory; ///< [1] for buffered arrays only
    std::array<std::shared_ptr<halo_watch>, 2> watch; ///< null unless SODE_CHECK=halo
    std::shared_ptr<int const> half;                  ///< buffered arrays: which memory is now(); null else
    std::array<index_t, max_dims> lower{};            ///< layers to fetch
    std::array<index_t, max_dims> upper{};
    std::array<bool, max_dims> full{};          ///< dimensions with a full shadow, of which everything is fetched
    std::shared_ptr<detail::walls const> walls; ///< what stands outside the domain; null: nothing that an exchange should know
    bool on_device = false;                     ///< the memory is a device's
    index_t room = 1;                           ///< the shadow has so many times the layers that a step reads (tiles)
    index_t steps = 0;                          ///< that march() takes at a time; 0: it chooses
    std::uint8_t element = no_number;           ///< what the elements are, for those who combine them (code_of)
};

} // namespace sode::detail
