// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <sode/sode.h>
#include <string>
#include <vector>

/// What xmp_new_array_section() makes: some elements of each dimension.
struct xmp_array_section {
    struct triplet {
        std::int64_t start = 0, length = -1, stride = 1; ///< length -1: not set yet
    };
    std::vector<triplet> dims;
};

/// What xmp_new_local_array() makes: how memory of this image is used as an array.
struct xmp_local_array {
    std::size_t element = 0;
    std::vector<std::int64_t> extents;
    void* memory = nullptr;
};

namespace sode::xmp {

/// The elements of a section in an array of these extents. Ends the program if they are not in it. `what`: for the message.
[[nodiscard]] sode_pattern pattern_of(char const* at, std::string const& what, std::size_t element,
                                      std::vector<std::int64_t> const& extents, xmp_array_section const* section);
/// How many bytes that are.
[[nodiscard]] std::int64_t bytes_of(sode_pattern const& p);

} // namespace sode::xmp
