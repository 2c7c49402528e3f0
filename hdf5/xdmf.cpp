// SPDX-License-Identifier: Apache-2.0
#include "hdf5/xdmf.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>
#include <string_view>

namespace sode::internal::files {
namespace {

std::string escaped(std::string_view text) {
    std::string result;
    for (char const c : text) switch (c) {
        case '&': result += "&amp;"; break;
        case '<': result += "&lt;"; break;
        case '>': result += "&gt;"; break;
        case '"': result += "&quot;"; break;
        default: result += c;
        }
    return result;
}

std::string numbers(std::vector<double> const& given, std::size_t dims, double otherwise) {
    return fmt::format("{}", fmt::join(given.empty() ? std::vector(dims, otherwise) : given, " "));
}

// XDMF, like us, has the slowest dimension first, in extents as in coordinates, whatever the order of the letters in its names is.
std::string grid(frame const& f, series_options const& where) {
    auto const& extents = f.fields.front().extents;
    auto const dims = extents.size();
    auto const shape = fmt::format("{}", fmt::join(extents, " "));
    std::string text = fmt::format(R"(      <Grid Name="{}" GridType="Uniform">
        <Time Value="{}"/>
        <Topology TopologyType="{}DCoRectMesh" Dimensions="{}"/>
        <Geometry GeometryType="{}">
          <DataItem Dimensions="{}" NumberType="Float" Precision="8" Format="XML">{}</DataItem>
          <DataItem Dimensions="{}" NumberType="Float" Precision="8" Format="XML">{}</DataItem>
        </Geometry>
)",
                                   escaped(f.file), f.time, dims, shape, dims == 3 ? "ORIGIN_DXDYDZ" : "ORIGIN_DXDY", dims,
                                   numbers(where.origin, dims, 0), dims, numbers(where.spacing, dims, 1));
    for (auto const& d : f.fields) {
        auto const& type = traits(*d.type);
        fmt::format_to(std::back_inserter(text), R"(        <Attribute Name="{0}" AttributeType="Scalar" Center="Node">
          <DataItem Dimensions="{1}" NumberType="{2}" Precision="{3}" Format="HDF">{4}:/{0}</DataItem>
        </Attribute>
)",
                       escaped(d.path), shape, type.xdmf, type.bytes, escaped(f.file));
    }
    return text + "      </Grid>\n";
}

} // namespace

std::string xdmf(std::string const& name, std::map<index_t, frame> const& frames, series_options const& where) {
    auto text = fmt::format(R"(<?xml version="1.0" encoding="utf-8"?>
<Xdmf Version="2.0">
  <Domain>
    <Grid Name="{}" GridType="Collection" CollectionType="Temporal">
)",
                            escaped(name));
    for (auto const& [step, f] : frames) text += grid(f, where);
    return text + "    </Grid>\n  </Domain>\n</Xdmf>\n";
}

} // namespace sode::internal::files
