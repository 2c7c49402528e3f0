// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "mappings.hpp"
#include "watch.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sode::xmp {
class on_device;
}

/// What stands behind an aligned array.
struct sode_xmp_array_state {
    /// What is equal between exchanges that one plan can do.
    struct exchange_kind {
        std::array<std::int64_t, 14> width{};
        std::array<int, 7> periodic{};
        bool orthogonal = false;
        auto operator<=>(exchange_kind const&) const = default;
    };

    std::string name;
    sode_xmp_template* along = nullptr;
    sode_runtime* job = nullptr;
    sode_grid* grid = nullptr;
    sode_array* array = nullptr;
    sode_type type = 0;
    int dims = 0;
    std::array<std::int64_t, 7> extents{}, offsets{};
    std::array<int, 7> targets{};
    std::array<std::int64_t, 14> shadow{};
    void* first = nullptr;                             ///< the first local element
    sode_elements* reached = nullptr;                  ///< its elements, wherever they are; null: nobody reaches them
    std::map<exchange_kind, sode_exchange*> exchanges; ///< planned once for each kind
    sode_exchange* initialised = nullptr;              ///< by reflect_init
    std::array<std::int64_t, 7> slopes{};              ///< of a pointer that has no memory yet
    std::shared_ptr<sode::xmp::on_device> device;      ///< its copy on a device; null: there was none yet
    std::unique_ptr<sode::xmp::watch> watched;         ///< of a program that is checked
};

namespace sode::xmp {

/// Waits for what is still under way of an array that goes.
void forget_exchanges(sode_xmp_array_state& array);

} // namespace sode::xmp
