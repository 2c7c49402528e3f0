// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <sode/directives.h>
#include <vector>

namespace sode::xmp {
inline constexpr std::size_t most_dims = 7;
}

struct sode_xmp_nodes {
    std::int64_t const kind = sode_xmp_is_nodes; ///< first: what a descriptor says
    sode_nodes* nodes = nullptr;
    int dims = 0;
    std::array<int, 7> extents{}, coordinates{}; ///< coordinates all -1: this rank is none of them
    std::vector<int> ranks;                      ///< in the whole program, in row-major order
    sode_xmp_set const* within = nullptr;        ///< that executed the directive
    sode_runtime* job = nullptr;                 ///< its job
    sode_xmp_nodes* of = nullptr;                ///< that these are a part of
    std::vector<sode_range> which;               ///< of them
    int same_as = 0;                             ///< 1: `= *`, 2: `= **`
    char const* name = "nodes";
    std::map<unsigned, sode_xmp_set*> sharing; ///< who shares a loop over the dimensions of these bits: each loop asks every time
};

struct sode_xmp_template {
    std::int64_t const kind = sode_xmp_is_template;
    int dims = 0;
    std::array<std::int64_t, 7> lower{}, upper{};
    sode_xmp_nodes* onto = nullptr; ///< null: not distributed yet
    sode_grid* grid = nullptr;
    std::array<sode_dimension, 7> shares{};
    std::array<sode_format, 7> formats{};
    std::array<std::vector<std::int64_t>, 7> widths; ///< of gblock
    std::array<std::int64_t, 7> given{};             ///< how many the program's array of them has; 0: nobody knows
    char const* name = "a template";
    std::vector<sode_xmp_template*> const* alike = nullptr; ///< what files that include the same header have in its place
    bool fixed_by_another = false;                          ///< file
};

namespace sode::xmp {

/// Complains about a template that was not distributed.
void require_distributed(char const* at, sode_xmp_template const* t);

} // namespace sode::xmp
