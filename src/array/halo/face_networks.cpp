// SPDX-License-Identifier: Apache-2.0
#include "array/halo/face_networks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace sode::internal {
namespace {

std::string name_of(int face_class) {
    return face_class + 1 == halo_spec::edge_classes ? std::string{"corners"} : fmt::format("dimension {}", face_class);
}

std::string names_of(std::vector<int> const& classes) {
    if (classes.empty()) return "nothing";
    std::string text;
    for (std::size_t i = 0; i < classes.size(); ++i)
        text += (i == 0 ? "" : i + 1 == classes.size() ? " and " : ", ") + name_of(classes[i]);
    return text;
}

} // namespace

network interfaces_as_network(profile const& costs) {
    auto const& pair = costs.of(distance::near).memory;
    return {.name = "interfaces",
            .protocols = {{.overhead = costs.engines.queued,
                           .latency = 2 * pair.flag + costs.engines.trigger,
                           .byte = pair.stream_byte}},
            .strided_from = 1,
            .row = pair.row,
            .serial = true};
}

face_networks::face_networks(std::vector<network_edge> edges, profile const& costs) {
    if (edges.empty()) return;
    std::vector<int> classes;
    for (auto const& e : edges) classes.push_back(e.face);
    std::ranges::sort(classes);
    classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
    for (auto& e : edges) e.face = static_cast<int>(std::ranges::lower_bound(classes, e.face) - classes.begin());

    // The profile's first network is the one that MPI has; its second, if there is one, what interfaces have.
    auto const known = networks_of(costs);
    std::vector<network> const both{known.front(), known.size() > 1 ? known[1] : interfaces_as_network(costs)};
    auto const chosen = choose_networks(edges, both);
    for (int n = 0; n < 2; ++n) {
        part p{.network = n == 0 ? "mpi" : "put"};
        std::vector<network_edge> mine;
        std::ranges::copy_if(edges, std::back_inserter(mine),
                             [&](network_edge const& e) { return chosen.assignment[static_cast<std::size_t>(e.face)] == n; });
        for (std::size_t f = 0; f < classes.size(); ++f)
            if (chosen.assignment[f] == n) p.classes.push_back(classes[f]);
        if (!mine.empty()) p.expected_us = predict_makespan(mine, both, chosen.assignment);
        p.alone_us = predict_makespan(edges, both, std::vector<int>(classes.size(), n));
        parts_.push_back(std::move(p));
    }
    for (int const c : parts_[1].classes) by_interface_[static_cast<std::size_t>(c)] = true;
}

std::string face_networks::text() const {
    std::string text;
    for (auto const& p : parts_)
        text += fmt::format("{}{} takes {}, expected {:.2f} us (all faces: {:.2f} us)", text.empty() ? "  networks: " : "; ",
                            p.network, names_of(p.classes), p.expected_us, p.alone_us);
    return text.empty() ? text : text + '\n';
}

} // namespace sode::internal
