// SPDX-License-Identifier: Apache-2.0
#include "hdf5/contents.hpp"
#include "hdf5/fields.hpp"
#include "hdf5/rows.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sode {
namespace files {
namespace {

std::string all_names(contents const& in) {
    std::vector<std::string> names;
    for (auto const& d : in.datasets()) names.push_back(fmt::format("\"{}\"", d.path));
    return names.empty() ? "there are no datasets in it" : fmt::format("it has {}", fmt::join(names, ", "));
}

void compare(contents const& in, std::string const& file, file_field const& f, std::string const& path) {
    auto const there = in.find(path);
    if (!there)
        throw error{error_kind::usage, fmt::format("{} has no dataset \"{}\"", file, path), all_names(in),
                    "read what is there, or give the array that name"};
    auto const here = extents_of(f);
    if (there->extents != here)
        throw error{error_kind::usage, fmt::format("\"{}\" of {} does not fit the array", path, file),
                    fmt::format("{} elements in the file, {} in the array", to_text(there->extents), to_text(here)),
                    "make the array with the file's extents"};
    if (there->type != f.type)
        throw error{error_kind::usage, fmt::format("\"{}\" of {} does not fit the array", path, file),
                    fmt::format("{} in the file, {} in the array",
                                there->type ? traits(*there->type).name : "elements that are no plain numbers",
                                traits(f.type).name),
                    "read it into an array of that type"};
}

void fetch_box(contents const& in, file_field const& f, int rank, geometry::block const& box) {
    auto const& g = *f.array.shape;
    auto const last = static_cast<std::size_t>(g.dims) - 1;
    auto const paths = paths_of(f);
    constexpr index_t most = 4 << 20; // bytes in one go
    std::vector<std::byte> packed;
    for (std::size_t c = 0; c < paths.size(); ++c)
        for_each_slab(g, box, std::max<index_t>(most / g.element_bytes, 1), [&](geometry::block const& slab) {
            std::vector<hsize_t> lower, extents;
            for (std::size_t d = 0; d <= last; ++d) {
                lower.push_back(static_cast<hsize_t>(slab[d].lower));
                extents.push_back(static_cast<hsize_t>(slab[d].size()));
            }
            packed.resize(static_cast<std::size_t>(elements(g, slab) * g.element_bytes));
            in.read(paths[c], f.type, lower, extents, packed.data());
            for (auto const& memory : f.array.memory) {
                if (!memory) continue; // there is no second half
                row_copy const to{g, rank, memory.get()};
                auto const* from = packed.data();
                for_each_row(g, slab, [&](place const& at) {
                    to.unpack(static_cast<index_t>(c), at, slab[last].size(), from);
                    from += slab[last].size() * g.element_bytes;
                });
            }
        });
}

moment read_all(std::string const& file, std::vector<input_field> const& fields) {
    auto const list = list_of("read", file, fields);
    int const rank = list.ranks->rank();
    moment when;
    in_step(*list.ranks, [&]() -> std::string {
        library_use const here;
        contents const in{file};
        for (auto const& f : list.fields)
            for (auto const& path : paths_of(f)) compare(in, file, f, path);
        when = in.when();
        return {};
    });
    in_step(*list.ranks, [&]() -> std::string {
        library_use const here;
        contents const in{file};
        for (auto const& f : list.fields)
            for (auto const& box : owned_boxes(*f.array.shape, rank)) fetch_box(in, f, rank, box);
        return {};
    });
    return when;
}

} // namespace
} // namespace files

moment read(std::string const& file, std::vector<input_field> const& fields) {
    return files::read_all(file, fields);
}

} // namespace sode
