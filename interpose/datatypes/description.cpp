// SPDX-License-Identifier: Apache-2.0
#include "interpose/datatypes/description.hpp"

#include "interpose/datatypes/datatype_contents.hpp"
#include "interpose/datatypes/handle_bits.hpp"

#include <limits>

namespace sode::internal {
namespace {

// Stands for a type that is the one before it: structures name the same type for most of their members.
constexpr index_t the_same = std::numeric_limits<index_t>::min();

bool describe(MPI_Datatype type, description_limits limits, datatype_description& d) {
    auto const outline = datatype_contents::outline_of(type); // before MPI copies all of it
    if (d.numbers + outline.numbers > limits.numbers || outline.types > limits.types) return false;
    datatype_contents const c{type};
    d.text.push_back(c.combiner());
    if (c.basic()) { // never freed, so its handle never is another type's
        d.text.push_back(static_cast<index_t>(bits_of(type)));
        return true;
    }
    d.numbers += c.numbers();
    c.append_numbers(d.text);
    MPI_Datatype last = MPI_DATATYPE_NULL;
    for (MPI_Datatype const t : c.types()) {
        if (t == last)
            d.text.push_back(the_same);
        else if (!describe(t, limits, d))
            return false;
        last = t;
    }
    return true;
}

} // namespace

std::optional<datatype_description> description_of(MPI_Datatype type, description_limits limits) {
    datatype_description d;
    return describe(type, limits, d) ? std::optional{std::move(d)} : std::nullopt;
}

} // namespace sode::internal
