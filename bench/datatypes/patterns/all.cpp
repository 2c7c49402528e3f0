// SPDX-License-Identifier: Apache-2.0
#include "datatypes/pattern.hpp"

namespace sode::internal::bench {

std::vector<pattern_case> all_patterns() {
    std::vector<pattern_case> all;
    add_wrf(all);
    add_milc(all);
    add_nas_mg(all);
    add_nas_lu(all);
    add_specfem(all);
    add_specfem_transpose(all);
    add_lammps(all);
    add_contiguous(all);
    return all;
}

} // namespace sode::internal::bench
