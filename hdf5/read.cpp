// SPDX-License-Identifier: Apache-2.0
#include "hdf5/contents.hpp"
#include "hdf5/fields.hpp"
#include "hdf5/rows.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sode {
using namespace internal;

namespace internal::files {
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
                    "read a dataset that the file has"};
    auto const here = extents_of(f);
    if (there->extents != here)
        throw error{error_kind::usage, fmt::format("\"{}\" of {} does not fit the array", path, file),
                    fmt::format("{} elements in the file, {} in the array", to_text(there->extents), to_text(here)),
                    "create the array with the extents of the dataset"};
    if (there->type != f.type)
        throw error{error_kind::usage, fmt::format("\"{}\" of {} does not fit the array", path, file),
                    fmt::format("{} in the file, {} in the array",
                                there->type ? traits(*there->type).name : "elements that are not plain numbers",
                                traits(f.type).name),
                    "read the dataset into an array of that type"};
}

void fetch(contents const& in, file_field const& f, share const& mine, int rank) {
    auto const& g = *f.array.shape;
    auto const paths = paths_of(f);
    constexpr index_t most = 4 << 20; // bytes in one go
    std::vector<std::byte> packed;
    for (std::size_t c = 0; c < paths.size(); ++c)
        for_each_slab(mine, std::max<index_t>(most / g.element_bytes, 1), [&](geometry::block const& box, share const& part) {
            std::vector<hsize_t> lower, extents;
            for (std::size_t d = 0; d < static_cast<std::size_t>(g.dims); ++d) {
                lower.push_back(static_cast<hsize_t>(box[d].lower));
                extents.push_back(static_cast<hsize_t>(box[d].size()));
            }
            packed.resize(static_cast<std::size_t>(elements(g, box) * g.element_bytes));
            in.read(paths[c], f.type, lower, extents, packed.data());
            for (auto const& memory : f.array.memory) {
                if (!memory) continue; // there is no second half
                row_copy const to{g, rank, memory.get()};
                for_each_row(part, [&](place const& at, index_t count) {
                    to.unpack(static_cast<index_t>(c), at, count, packed.data() + element_of(g, box, at) * g.element_bytes);
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
            if (auto const mine = owned_share(*f.array.shape, rank)) fetch(in, f, *mine, rank);
        return {};
    });
    return when;
}

} // namespace
} // namespace internal::files

moment read(std::string const& file, std::vector<input_field> const& fields) {
    return files::read_all(file, fields);
}

} // namespace sode
