// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "stencil/cell_fields.hpp"
#include "stencil/plain_fields.hpp"

#include <stdexcept>
#include <string>

namespace sode::internal::bench {

/// make.operator()<Fields, Reduces>() for the plain arrays of a problem, and whether its steps end in a sum over all ranks.
template <class Make> auto with_fields(std::string const& problem, Make make) {
    if (problem == "laplace") return make.template operator()<laplace_fields, false>();
    if (problem == "himeno") return make.template operator()<himeno_fields, true>();
    if (problem == "heat") return make.template operator()<cell_fields<plain_heat_problem>, false>();
    if (problem == "wave") return make.template operator()<cell_fields<plain_wave_problem>, false>();
    if (problem == "water") return make.template operator()<cell_fields<plain_water_problem>, false>();
    throw std::invalid_argument{"there is no problem \"" + problem + '"'};
}

} // namespace sode::internal::bench
