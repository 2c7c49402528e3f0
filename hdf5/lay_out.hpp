// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "hdf5/fields.hpp"

namespace sode::internal::files {

/// Makes an HDF5 file with a contiguous dataset for each field (each component of a bundle) and its room on the disk reserved, but
/// no element written: whoever knows where a dataset begins can write its elements without HDF5. The file is there, empty, and `fd`
/// is a descriptor of it.
///
/// \return the byte at which each dataset begins, in the order of paths_of() of each field
/// Errors: environment. Not collective.
[[nodiscard]] std::vector<index_t> lay_out(std::string const& file, int fd, std::vector<file_field> const& fields,
                                           moment const& when);

} // namespace sode::internal::files
