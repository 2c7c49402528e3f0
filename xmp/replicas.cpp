// SPDX-License-Identifier: Apache-2.0
// `reduction` and `bcast` of arrays of which several nodes have copies.
#include "replicas.hpp"

#include "elements.hpp"
#include "process.hpp"
#include "shares.hpp"

#include <algorithm>
#include <cstring>

namespace sode::xmp {
namespace {

bool is_split_along(sode_xmp_array_state const& s, int node_dimension) {
    for (std::size_t d = 0; d < static_cast<std::size_t>(s.dims); ++d)
        if (s.targets[d] >= 0 && s.along->shares[static_cast<std::size_t>(s.targets[d])].node_dimension == node_dimension)
            return true;
    return false;
}

// The own elements of an array, one behind the other, for as long as they are combined.
class gathered {
public:
    gathered(char const* at, sode_xmp_array* array, sode_xmp_set const& among) : of_(at, array) {
        require_copies(at, of_.state(), among);
        of_.each_owned([&](std::int64_t, char* place) { places_.push_back(place); });
        values_.resize(places_.size() * of_.bytes());
        for (std::size_t k = 0; k < places_.size(); ++k) std::memcpy(&values_[k * of_.bytes()], places_[k], of_.bytes());
    }
    [[nodiscard]] void* values() { return values_.data(); }
    [[nodiscard]] std::size_t count() const { return places_.size(); }
    [[nodiscard]] std::size_t bytes() const { return values_.size(); }
    void store(char const* at, char const* by) {
        for (std::size_t k = 0; k < places_.size(); ++k) std::memcpy(places_[k], &values_[k * of_.bytes()], of_.bytes());
        if (of_.state().watched) of_.state().watched->replaced(at, by);
    }

private:
    elements of_;
    std::vector<char*> places_;
    std::vector<char> values_;
};

// Whether this rank has index i, its own or in its shadow.
bool has(sode_xmp_array_state const& s, std::size_t d, sode_dimension const& is, std::int64_t i) {
    if (is.coordinate < 0) return false;
    if (i >= 0 && i < is.extent && owned(is, i)) return true;
    auto const below = s.shadow[2 * d], above = s.shadow[2 * d + 1];
    return below < 0 || (is.chunk == 0 && is.upper > is.lower && i >= is.lower - below && i < is.upper + above);
}

} // namespace

// Coordinates of such nodes differ in dimensions only along which there are copies.
void require_copies(char const* at, sode_xmp_array_state const& s, sode_xmp_set const& among) {
    auto const& nodes = *s.along->onto;
    for (int const rank : among.ranks) {
        auto const found = std::ranges::find(nodes.ranks, rank);
        if (found == nodes.ranks.end() || nodes.coordinates[0] < 0)
            fail(at, "array \"" + s.name + "\" is not on all executing nodes", "name the nodes of the array after `on`");
        auto k = static_cast<int>(found - nodes.ranks.begin());
        for (auto d = static_cast<std::size_t>(nodes.dims); d-- > 0; k /= nodes.extents[d])
            if (k % nodes.extents[d] != nodes.coordinates[d] && is_split_along(s, static_cast<int>(d)))
                fail(at, "array \"" + s.name + "\" does not have the same elements on all executing nodes",
                     "name the nodes that have copies of the same elements: `on t[:][*]` for an array that follows the last "
                     "dimension");
    }
}

} // namespace sode::xmp

using namespace sode::xmp;

extern "C" {

void sode_xmp_reduce_array(char const* at, sode_xmp_set* set, sode_op op, sode_xmp_array* array) {
    auto& among = set ? *set : process::here().executing();
    if (among.mine < 0) return;
    gathered own{at, array, among};
    sode_xmp_reduce(at, &among, op, own.values(), own.count(), array->state->type);
    own.store(at, "reduction");
}

void sode_xmp_require_part(char const* at, sode_xmp_set* set, sode_xmp_array const* array, sode_range const* part) {
    if ((set ? *set : process::here().executing()).mine < 0) return;
    if (!array->state || !array->state->array) fail(at, "an array without memory is used", "call xmp_malloc() first");
    auto const& s = *array->state;
    for (std::size_t d = 0; d < static_cast<std::size_t>(s.dims); ++d) {
        sode_dimension is{};
        check(at, sode_grid_dimension(s.grid, static_cast<int>(d), &is), s.job);
        for (auto i = part[d].lower; part[d].step > 0 ? i < part[d].upper : i > part[d].upper; i += part[d].step)
            if (!has(s, d, is, i))
                fail(at,
                     "index " + std::to_string(i) + " of array \"" + s.name + "\" (dimension " + std::to_string(d) +
                         ") is not on all executing nodes",
                     "name the nodes that own the index after `on`, or copy the elements to a variable by `gmove`");
    }
}

void sode_xmp_bcast_array(char const* at, sode_xmp_set* set, sode_xmp_set* from, sode_xmp_array* array) {
    auto& among = set ? *set : process::here().executing();
    if (among.mine < 0) return;
    gathered own{at, array, among};
    sode_xmp_bcast(at, &among, from, own.values(), own.bytes());
    own.store(at, "bcast");
}

} // extern "C"
