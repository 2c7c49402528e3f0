// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "file_view.hpp"
#include "process.hpp"

#include <string>
#include <xmp_io.h>

/// A file that the nodes of a set have open.
struct xmp_file {
    std::string name;
    int descriptor = -1;
    sode_xmp_set* nodes = nullptr;
    sode_window* shared = nullptr; ///< the first node's word is the shared position; null: there is none
    std::int64_t at = 0;           ///< a node's own position in its view
    std::int64_t appends_at = -1;  ///< of mode a+: where the first write goes if nothing has moved the position before
    sode::xmp::file_view view;
};

namespace sode::xmp {

/// Complains where `file` is not open.
[[nodiscard]] xmp_file& open_file(char const* at, xmp_file_t* file);
/// Reads or writes memory at these places of the file. The bytes that there were; -1: the system refused.
[[nodiscard]] std::int64_t read_runs(xmp_file const& f, std::vector<file_run> const& runs, char* memory);
[[nodiscard]] std::int64_t write_runs(xmp_file const& f, std::vector<file_run> const& runs, char const* memory);
/// The node's own position, for a write or something else.
[[nodiscard]] std::int64_t& position(xmp_file& f, bool writes);
/// The shared position is there. Of the first node.
void set_shared_position(char const* at, xmp_file const& f, std::int64_t to);
/// True if it is on all nodes of the file.
[[nodiscard]] bool on_all(char const* at, sode_xmp_set& nodes, bool mine);

} // namespace sode::xmp
