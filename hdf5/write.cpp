// SPDX-License-Identifier: Apache-2.0
#include "base/limits.hpp"
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
using namespace internal;

namespace internal::files {
namespace {

void require_plain_names(field_list const& list) {
    for (auto const& f : list.fields)
        if (f.name.find('/') != std::string::npos)
            throw error{error_kind::usage, fmt::format("\"{}\" cannot be written to {}", f.name, list.file),
                        "a name must not contain '/'", "give the array a name such as \"u\""};
}

/// This rank's elements of one field, whose components begin at `places`.
void put_field(raw_output& out, file_field const& f, share const& given, int rank, std::span<index_t const> places) {
    auto const& g = *f.array.shape;
    auto const half = f.array.half ? static_cast<std::size_t>(*f.array.half) : 0;
    row_copy const elements{g, rank, f.array.memory[half].get()};
    auto const all = whole(g);
    auto const last = static_cast<std::size_t>(g.dims) - 1;
    constexpr index_t most = 1 << 20; // bytes in one go
    auto const step = std::max<index_t>(most / g.element_bytes, 1);
    for (std::size_t c = 0; c < places.size(); ++c)
        for_each_row(given, [&](place const& first, index_t length) {
            auto const end = first[last] + length;
            for (auto at = first; at[last] < end; at[last] += step) {
                auto const count = std::min(step, end - at[last]);
                out.put(places[c] + element_of(g, all, at) * g.element_bytes, static_cast<std::size_t>(count * g.element_bytes),
                        [&](std::byte* to) { elements.pack(static_cast<index_t>(c), at, count, to); });
            }
        });
}

void put_all(field_list const& list, std::string const& file, std::span<index_t const> places) {
    int const rank = list.ranks->rank();
    std::optional<raw_output> out; // ranks that have nothing to give need not see the file
    for (auto const& f : list.fields) {
        auto const count = static_cast<std::size_t>(f.array.shape->components);
        if (auto const given = given_share(*f.array.shape, rank)) {
            if (!out) out.emplace(file);
            put_field(*out, f, *given, rank, places.first(count));
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
    no_file_size_signal const quiet;
    require_plain_names(list);
    auto& ranks = *list.ranks;
    bool const root = ranks.rank() == 0;

    std::optional<replacement> fresh;
    auto const said = in_step(ranks, [&]() -> std::string {
        if (!root) return {};
        fresh.emplace(file);
        auto const places = lay_out(fresh->part(), fresh->fd(), list.fields, when);
        return fresh->part() + '\0' + std::string{reinterpret_cast<char const*>(places.data()), places.size() * sizeof(index_t)};
    });
    auto const end_of_name = said.front().find('\0');
    in_step(ranks, [&]() -> std::string {
        put_all(list, said.front().substr(0, end_of_name), from_bytes(said.front().substr(end_of_name + 1)));
        return {};
    });
    in_step(ranks, [&]() -> std::string {
        if (root) fresh->commit();
        return {};
    });
}

} // namespace
} // namespace internal::files

void write(std::string const& file, std::vector<output_field> const& fields, moment const& when) {
    files::write_all(file, fields, when);
}

} // namespace sode
