// SPDX-License-Identifier: Apache-2.0
#include <sode/series.hpp>

#include "base/misuse.hpp"
#include "hdf5/fields.hpp"
#include "hdf5/replacement.hpp"
#include "hdf5/xdmf.hpp"
#include "model/job.hpp"

#include <sode/runtime.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace sode {
using namespace internal;

namespace internal::files {
namespace {

namespace fs = std::filesystem;

error usage(std::string_view problem, std::string_view why, std::string_view suggestion) {
    return error{error_kind::usage, problem, why, suggestion};
}

void require_dimensions(series_options const& where) {
    auto const o = where.origin.size(), s = where.spacing.size();
    for (auto const n : {o, s})
        if (n != 0 && n != 2 && n != 3)
            throw usage("a series cannot have these coordinates", fmt::format("origin has {} numbers and spacing {}", o, s),
                        "give one number for each of 2 or 3 dimensions");
    if (o != 0 && s != 0 && o != s)
        throw usage("a series cannot have these coordinates", fmt::format("origin has {} numbers and spacing {}", o, s),
                    "pass both for the same number of dimensions");
}

/// What the XDMF file could not say.
void require_picture(std::vector<output_field> const& fields, series_options const& where) {
    if (fields.empty()) throw usage("there is nothing to write", "the list of fields is empty", R"(name the arrays: {{"u", u}})");
    auto const extents = extents_of(fields.front().field);
    for (auto const& f : fields)
        if (extents_of(f.field) != extents)
            throw usage(fmt::format("\"{}\" does not fit into the series", f.field.name),
                        fmt::format("it has {} elements, \"{}\" has {}", to_text(extents_of(f.field)), fields.front().field.name,
                                    to_text(extents)),
                        "make a series for each shape");
    if (extents.size() != 2 && extents.size() != 3)
        throw usage(fmt::format("\"{}\" does not fit into a series", fields.front().field.name),
                    fmt::format("it has {} dimension{}, and a series needs 2 or 3", extents.size(), extents.size() == 1 ? "" : "s"),
                    "write it by sode::write()");
    for (auto const* numbers : {&where.origin, &where.spacing})
        if (!numbers->empty() && numbers->size() != extents.size())
            throw usage(fmt::format("\"{}\" does not fit into the series", fields.front().field.name),
                        fmt::format("it has {} dimensions; origin and spacing are for {}", extents.size(), numbers->size()),
                        "give one number for each dimension");
}

/// What of a file the XDMF file shows: the numbers that have the shape of the first.
std::vector<dataset> fields_in(contents const& in) {
    auto all = in.datasets();
    std::erase_if(all, [](dataset const& d) { return !d.type; });
    if (all.empty()) return all;
    auto const extents = all.front().extents;
    std::erase_if(all, [&](dataset const& d) { return d.extents != extents; });
    return all;
}

frame frame_of(fs::path const& file) {
    library_use const here;
    contents const in{file.string()};
    return {file.filename().string(), in.when().time, fields_in(in)};
}

index_t step_of(fs::path const& file) {
    library_use const here;
    return contents{file.string()}.when().step;
}

} // namespace
} // namespace internal::files

struct series::impl {
    bootstrap* ranks;
    std::string stem;
    series_options options;
    std::map<index_t, files::frame> frames; // on rank 0

    [[nodiscard]] files::fs::path path() const { return stem; }

    /// Takes the steps of an earlier run in.
    void look_back() {
        auto const folder = path().has_parent_path() ? path().parent_path() : files::fs::path{"."};
        auto const first = path().filename().string() + "-";
        for (auto const& entry : files::fs::directory_iterator{folder}) {
            auto const name = entry.path().filename().string();
            if (!name.starts_with(first) || entry.path().extension() != ".h5") continue;
            auto const step = files::step_of(entry.path());
            if (step > *options.after || file_of(step) != folder / name) continue;
            if (auto f = files::frame_of(entry.path()); !f.fields.empty()) frames.emplace(step, std::move(f));
        }
    }

    [[nodiscard]] files::fs::path file_of(index_t step) const { return fmt::format("{}-{:06}.h5", stem, step); }
};

series::series(runtime const& rt, std::string stem, series_options options)
    : impl_(std::make_unique<impl>(impl{rt.job().boot.get(), std::move(stem), std::move(options), {}})) {
    files::in_step(*impl_->ranks, [&]() -> std::string {
        files::require_dimensions(impl_->options);
        if (!rt.root()) return {};
        if (auto const folder = impl_->path().parent_path(); !folder.empty()) files::fs::create_directories(folder);
        if (impl_->options.after) impl_->look_back();
        return {};
    });
}
series::~series() = default;
series::series(series&&) noexcept = default;
series& series::operator=(series&&) noexcept = default;

series::impl& series::made() const {
    if (!impl_) refuse_moved("a series of files");
    return *impl_;
}

std::string series::file(index_t step) const {
    return made().file_of(step).string();
}

void series::write(std::vector<output_field> const& fields, moment const& when) {
    auto& s = made();
    files::in_step(*s.ranks, [&]() -> std::string {
        files::require_picture(fields, s.options);
        return {};
    });
    sode::write(file(when.step), fields, when);
    files::in_step(*s.ranks, [&]() -> std::string {
        if (s.ranks->rank() != 0) return {};
        auto now = s.frames;
        now[when.step] = files::frame_of(s.file_of(when.step));
        files::replace_text(s.stem + ".xdmf", files::xdmf(s.path().filename().string(), now, s.options));
        s.frames = std::move(now);
        return {};
    });
}

} // namespace sode
