// SPDX-License-Identifier: Apache-2.0
#include "hdf5/fields.hpp"

#include "hdf5/digest.hpp"
#include "model/job.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

namespace sode::internal::files {
namespace {

void require_names(field_list const& list) {
    std::vector<std::string> seen;
    for (auto const& f : list.fields) {
        if (f.name.empty() || f.name == "." || f.name == ".." || f.name.front() == '/' || f.name.back() == '/')
            throw error{error_kind::usage, fmt::format("\"{}\" cannot be the name of a dataset in {}", f.name, list.file),
                        "a name must not be empty, \".\" or \"..\", and must not begin or end with '/'",
                        "give the array a name such as \"u\""};
        if (std::find(seen.begin(), seen.end(), f.name) != seen.end())
            throw error{error_kind::usage, fmt::format("two fields of {} are called \"{}\"", list.file, f.name),
                        "names in a file must be different", "give each array a different name"};
        seen.push_back(f.name);
    }
}

std::uint64_t fingerprint(field_list const& list, moment const& when) {
    digest all;
    all.add(list.file);
    all.add(std::bit_cast<std::uint64_t>(when.time));
    all.add(static_cast<std::uint64_t>(when.step));
    for (auto const& f : list.fields) {
        all.add(f.name);
        all.add(static_cast<std::uint64_t>(f.type));
        all.add(f.array.shape->fingerprint());
    }
    return all.value();
}

/// Errors, on every rank: usage, if they have come with different calls.
void require_agreement(field_list const& list, moment const& when) {
    std::vector<std::uint64_t> all(static_cast<std::size_t>(list.ranks->size()));
    auto const mine = fingerprint(list, when);
    list.ranks->allgather(&mine, sizeof mine, all.data());
    auto const other = std::find_if(all.begin(), all.end(), [&](auto value) { return value != all.front(); });
    if (other == all.end()) return;
    throw error{error_kind::usage, fmt::format("ranks 0 and {} do not {} the same file", other - all.begin(), list.call),
                "the file name, the time, the step, or the names, types or shapes of the arrays differ",
                fmt::format("call {}() with the same arguments on every rank", list.call)};
}

bootstrap* ranks_of(field_list const& list) {
    if (list.fields.empty())
        throw error{error_kind::usage, fmt::format("there is nothing to {}", list.call), "the list of fields is empty",
                    R"(name the arrays: {{"u", u}})"};
    auto* const job = list.fields.front().array.owner;
    for (auto const& f : list.fields)
        if (f.array.owner != job)
            throw error{error_kind::usage, fmt::format("\"{}\" cannot share {} with the other fields", f.name, list.file),
                        "the array belongs to another job", "use one file for each job"};
    return job->boot.get();
}

} // namespace

template <class Field>
field_list list_of(std::string call, std::string const& file, std::vector<Field> const& fields, moment const& when) {
    field_list list;
    list.call = std::move(call);
    list.file = file;
    for (auto const& f : fields) list.fields.push_back(f.field);
    list.ranks = ranks_of(list);
    require_agreement(list, when);
    require_names(list); // all ranks have the same ones by now
    return list;
}
template field_list list_of(std::string, std::string const&, std::vector<output_field> const&, moment const&);
template field_list list_of(std::string, std::string const&, std::vector<input_field> const&, moment const&);

std::vector<std::string> paths_of(file_field const& field) {
    auto const components = field.array.shape->components;
    if (components == 1) return {field.name};
    std::vector<std::string> paths;
    for (index_t c = 0; c < components; ++c) paths.push_back(fmt::format("{}/{}", field.name, c));
    return paths;
}

std::vector<index_t> extents_of(file_field const& field) {
    auto const& g = *field.array.shape;
    std::vector<index_t> extents;
    for (std::size_t d = 0; d < static_cast<std::size_t>(g.dims); ++d) extents.push_back(g.axes[d].extent);
    return extents;
}

std::string to_text(std::span<index_t const> extents) {
    return fmt::format("{}", fmt::join(extents, " x "));
}

} // namespace sode::internal::files
