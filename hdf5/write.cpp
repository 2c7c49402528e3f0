// SPDX-License-Identifier: Apache-2.0
#include "hdf5/fields.hpp"
#include "hdf5/lay_out.hpp"
#include "hdf5/raw_output.hpp"
#include "hdf5/replacement.hpp"
#include "hdf5/rows.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

namespace sode {
namespace files {
namespace {

void require_plain_names(field_list const& list) {
    for (auto const& f : list.fields)
        if (f.name.find('/') != std::string::npos)
            throw error{error_kind::usage, fmt::format("\"{}\" cannot be written to {}", f.name, list.file), "names have no '/'",
                        "give the array a name such as \"u\""};
}

/// This rank's elements of one field, whose components begin at `places`.
void put_field(raw_output& out, file_field const& f, int rank, std::span<index_t const> places) {
    auto const& g = *f.array.shape;
    auto const half = f.array.half ? static_cast<std::size_t>(*f.array.half) : 0;
    row_copy const elements{g, rank, f.array.memory[half].get()};
    auto const last = static_cast<std::size_t>(g.dims) - 1;
    constexpr index_t most = 1 << 20; // bytes in one go
    auto const step = std::max<index_t>(most / g.element_bytes, 1);
    for (std::size_t c = 0; c < places.size(); ++c)
        for (auto const& b : boxes_to_give(g, rank))
            for_each_row(g, b, [&](place const& first) {
                for (auto at = first; at[last] < b[last].upper; at[last] += step) {
                    auto const count = std::min(step, b[last].upper - at[last]);
                    out.put(places[c] + file_index(g, at) * g.element_bytes, static_cast<std::size_t>(count * g.element_bytes),
                            [&](std::byte* to) { elements.pack(static_cast<index_t>(c), at, count, to); });
                }
            });
}

void put_all(field_list const& list, std::string const& file, std::span<index_t const> places) {
    int const rank = list.ranks->rank();
    std::optional<raw_output> out; // ranks that have nothing to give need not see the file
    for (auto const& f : list.fields) {
        auto const count = static_cast<std::size_t>(f.array.shape->components);
        if (!boxes_to_give(*f.array.shape, rank).empty()) {
            if (!out) out.emplace(file);
            put_field(*out, f, rank, places.first(count));
        }
        places = places.subspan(count);
    }
    if (out) out->finish();
}

std::vector<index_t> from_bytes(std::string const& bytes) {
    std::vector<index_t> numbers(bytes.size() / sizeof(index_t));
    std::memcpy(numbers.data(), bytes.data(), bytes.size());
    return numbers;
}

void write_all(std::string const& file, std::vector<output_field> const& fields, moment const& when) {
    auto const list = list_of("write", file, fields, when);
    require_plain_names(list);
    auto& ranks = *list.ranks;
    bool const root = ranks.rank() == 0;

    std::optional<replacement> fresh;
    if (root) fresh.emplace(file);
    auto const said = in_step(ranks, [&]() -> std::string {
        if (!root) return {};
        auto const places = lay_out(fresh->part(), list.fields, when);
        return {reinterpret_cast<char const*>(places.data()), places.size() * sizeof(index_t)};
    });
    in_step(ranks, [&]() -> std::string {
        put_all(list, part_of(file), from_bytes(said.front()));
        return {};
    });
    in_step(ranks, [&]() -> std::string {
        if (root) fresh->commit();
        return {};
    });
}

} // namespace
} // namespace files

void write(std::string const& file, std::vector<output_field> const& fields, moment const& when) {
    files::write_all(file, fields, when);
}

} // namespace sode
