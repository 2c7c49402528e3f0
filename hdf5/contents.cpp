// SPDX-License-Identifier: Apache-2.0
#include "hdf5/contents.hpp"

#include <fmt/format.h>

namespace sode::internal::files {
namespace {

handle opened(std::string const& file) {
    handle h{H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose};
    if (!h) throw hdf5_error(fmt::format("cannot read {}", file), "check that the file exists and is an HDF5 file");
    return h;
}

} // namespace

contents::contents(std::string file) : name_(std::move(file)), file_(opened(name_)) {}

error contents::broken() const {
    return hdf5_error(fmt::format("cannot read {}", name_), "the file seems to be damaged; use an earlier one");
}

template <class T> T contents::attribute(char const* name, hid_t type) const {
    T value{};
    if (H5Aexists(file_.get(), name) <= 0) return value;
    handle const a{H5Aopen(file_.get(), name, H5P_DEFAULT), H5Aclose};
    if (!a || H5Aread(a.get(), type, &value) < 0) throw broken();
    return value;
}

moment contents::when() const {
    return {attribute<double>("time", H5T_NATIVE_DOUBLE), attribute<index_t>("step", H5T_NATIVE_INT64)};
}

handle contents::open(std::string const& path) const {
    handle object{H5Oopen(file_.get(), path.c_str(), H5P_DEFAULT), H5Oclose};
    if (object && H5Iget_type(object.get()) == H5I_DATASET) return object;
    return {H5I_INVALID_HID, H5Oclose};
}

std::vector<std::string> contents::names(std::string const& group) const {
    handle const g{H5Gopen2(file_.get(), group.c_str(), H5P_DEFAULT), H5Gclose};
    H5G_info_t about{};
    if (!g || H5Gget_info(g.get(), &about) < 0) return {}; // no group
    std::vector<std::string> all;
    for (hsize_t i = 0; i < about.nlinks; ++i) {
        auto const name = [&](char* to, std::size_t room) {
            return H5Lget_name_by_idx(g.get(), ".", H5_INDEX_NAME, H5_ITER_INC, i, to, room, H5P_DEFAULT);
        };
        auto const length = name(nullptr, 0);
        if (length < 0) throw broken();
        std::string text(static_cast<std::size_t>(length), '\0');
        name(text.data(), text.size() + 1);
        all.push_back(std::move(text));
    }
    return all;
}

std::vector<dataset> contents::datasets() const {
    std::vector<dataset> all;
    for (auto const& name : names("/")) {
        if (auto d = find(name)) {
            all.push_back(std::move(*d));
            continue;
        }
        for (auto const& inner : names(name))
            if (auto d = find(fmt::format("{}/{}", name, inner))) all.push_back(std::move(*d));
    }
    return all;
}

std::optional<dataset> contents::find(std::string const& path) const {
    auto const d = open(path);
    if (!d) return std::nullopt;
    handle const shape{H5Dget_space(d.get()), H5Sclose};
    handle const type{H5Dget_type(d.get()), H5Tclose};
    auto const dims = shape ? H5Sget_simple_extent_ndims(shape.get()) : -1;
    if (dims < 0 || !type) throw broken();
    std::vector<hsize_t> extents(static_cast<std::size_t>(dims));
    if (dims > 0 && H5Sget_simple_extent_dims(shape.get(), extents.data(), nullptr) < 0) throw broken();
    return dataset{path, {extents.begin(), extents.end()}, number_in(type.get())};
}

void contents::read(std::string const& path, detail::number type, std::vector<hsize_t> const& lower,
                    std::vector<hsize_t> const& extents, void* into) const {
    auto const d = open(path);
    handle const there{d ? H5Dget_space(d.get()) : H5I_INVALID_HID, H5Sclose};
    handle const here{H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr), H5Sclose};
    if (!there || !here || H5Sselect_hyperslab(there.get(), H5S_SELECT_SET, lower.data(), nullptr, extents.data(), nullptr) < 0 ||
        H5Dread(d.get(), native(type), here.get(), there.get(), H5P_DEFAULT, into) < 0)
        throw broken();
}

} // namespace sode::internal::files
