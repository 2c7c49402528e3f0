// SPDX-License-Identifier: Apache-2.0
#include "support/snapshots.hpp"

namespace examples {

struct snapshots::impl {};

snapshots::snapshots(sode::runtime& rt, double) {
    for (auto const* option : {"--out", "--every", "--from"})
        if (rt.flag(option))
            throw sode::error{sode::error_kind::environment, std::string{option} + " is not possible",
                              "this program was built without HDF5", "install libhdf5-dev and build again"};
}
snapshots::~snapshots() = default;

sode::moment snapshots::resume(std::vector<sode::input_field> const&) {
    return {};
}

void snapshots::write_if_due(sode::moment const&, std::vector<sode::output_field> const&) {}

} // namespace examples
