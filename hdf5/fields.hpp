// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "hdf5/in_step.hpp"

#include <sode/error.hpp>
#include <sode/hdf5.hpp>

#include <span>
#include <string>
#include <vector>

namespace sode::internal::files {

using detail::file_field;

/// The fields of one call of write() or read(), and where they come together.
struct field_list {
    std::vector<file_field> fields;
    bootstrap* ranks = nullptr; ///< of the job of all of them
    std::string call;           ///< "write", for messages
    std::string file;
};

/// Errors, on every rank: usage, if there are no fields, names are empty or used twice, arrays are of different jobs, or ranks have
/// come with different lists. Collective.
template <class Field>
[[nodiscard]] field_list list_of(std::string call, std::string const& file, std::vector<Field> const& fields,
                                 moment const& when = {});

/// The datasets of a field, as paths from the root group. A bundle is a group with a dataset for each component.
[[nodiscard]] std::vector<std::string> paths_of(file_field const& field);
[[nodiscard]] std::vector<index_t> extents_of(file_field const& field);
/// "100 x 50".
[[nodiscard]] std::string to_text(std::span<index_t const> extents);

} // namespace sode::internal::files
