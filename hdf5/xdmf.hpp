// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "hdf5/contents.hpp"

#include <sode/series.hpp>

#include <map>

namespace sode::internal::files {

/// One step of a series: a file, seen from the folder of the XDMF file, and what is in it.
struct frame {
    std::string file;
    double time = 0;
    std::vector<dataset> fields;
};

/// A series as XDMF 2: a temporal collection of uniform rectilinear grids (CoRectMesh), whose attributes are the fields, at nodes.
/// Fields of one frame have the same extents, in 2 or 3 dimensions; `where` is of these dimensions.
///
/// Source: https://www.xdmf.org/index.php/XDMF_Model_and_Format
[[nodiscard]] std::string xdmf(std::string const& name, std::map<index_t, frame> const& frames, series_options const& where);

} // namespace sode::internal::files
