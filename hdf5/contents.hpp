// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "hdf5/library.hpp"
#include "hdf5/number.hpp"

#include <optional>
#include <string>
#include <vector>

namespace sode::internal::files {

/// A dataset as a file describes it.
struct dataset {
    std::string path; ///< from the root group: "u", "velocity/0"
    std::vector<index_t> extents;
    std::optional<detail::number> type; ///< nothing: elements are no numbers that we know
};

/// What is in an HDF5 file. Lives within a library_use. Errors, of all functions: environment.
class contents {
public:
    explicit contents(std::string file);

    /// `time` and `step`; 0 for what the file does not have.
    [[nodiscard]] moment when() const;
    /// The datasets of the root group, and those of the groups in it.
    [[nodiscard]] std::vector<dataset> datasets() const;
    /// Nothing, if there is none of that path.
    [[nodiscard]] std::optional<dataset> find(std::string const& path) const;

    /// The box from `lower` with `extents` of a dataset, as this machine's numbers of its kind, into packed memory.
    void read(std::string const& path, detail::number type, std::vector<hsize_t> const& lower, std::vector<hsize_t> const& extents,
              void* into) const;

private:
    [[nodiscard]] handle open(std::string const& path) const; // dataset; invalid if there is none
    [[nodiscard]] std::vector<std::string> names(std::string const& group) const;
    template <class T> [[nodiscard]] T attribute(char const* name, hid_t type) const;
    [[nodiscard]] error broken() const;

    std::string name_;
    handle file_;
};

} // namespace sode::internal::files
