// SPDX-License-Identifier: Apache-2.0
#include "cases.hpp"

#include <fmt/format.h>

namespace sode::internal::bench {
namespace {

constexpr index_t n = 64;

/// The layer of `width` doubles next to the lower or upper end of dimension `d` of an n^3 box: what is sent, or the halo beyond it.
layout face(std::size_t d, index_t width, bool upper, bool halo) {
    index_t const padded = n + 2 * width;
    section s{3, {}};
    s.dim.fill({width, width + n});
    index_t const lower = halo ? (upper ? n + width : 0) : (upper ? n : width);
    s.dim[d] = {lower, lower + width};
    return of_section(s, {padded * padded * 8, padded * 8, 8}, 8);
}

void add_faces(std::vector<copy_case>& cases) {
    for (index_t const width : {1, 3})
        for (std::size_t const d : {0u, 1u, 2u}) {
            layout const sent = face(d, width, true, false);
            layout const halo = face(d, width, false, true);
            std::string const name = fmt::format("face {} width {}", "xyz"[d], width);
            cases.push_back({name + " box to box", sent, halo});
            cases.push_back({name + " pack", sent, contiguous(0, sent.bytes())});
            cases.push_back({name + " unpack", contiguous(0, halo.bytes()), halo});
        }
}

void add_rows(std::vector<copy_case>& cases) {
    for (index_t const bytes : {1, 4, 7, 8, 12, 16, 20, 24, 32, 40, 48, 56, 64, 72, 128, 200, 256, 512, 1024, 4096, 8192})
        cases.push_back(
            {fmt::format("64 rows of {}", bytes), {8, bytes, {{64, bytes + 72}}, {}}, {16, bytes, {{64, bytes + 136}}, {}}});
}

void add_transposes(std::vector<copy_case>& cases) {
    for (index_t const edge : {64, 512})
        for (index_t const element : {4, 8, 16}) {
            index_t const row = edge * element;
            cases.push_back({fmt::format("transpose {}^2 of {}", edge, element),
                             {0, element, {{edge, row}, {edge, element}}, {}},
                             {0, element, {{edge, element}, {edge, row}}, {}}});
        }
}

} // namespace

std::vector<copy_case> copy_cases() {
    std::vector<copy_case> cases;
    add_faces(cases);
    add_rows(cases);
    add_transposes(cases);
    for (index_t const bytes : {8, 64, 512, 65'536})
        cases.push_back({fmt::format("one block of {}", bytes), contiguous(8, bytes), contiguous(16, bytes)});
    return cases;
}

} // namespace sode::internal::bench
