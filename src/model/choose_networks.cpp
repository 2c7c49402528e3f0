// SPDX-License-Identifier: Apache-2.0
#include "model/makespan.hpp"

#include <sode/error.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sode::internal {
namespace {

class search {
public:
    search(std::span<network_edge const> edges, std::span<network const> networks) : edges_(edges), networks_(networks) {
        for (auto const& e : edges) faces_ = std::max(faces_, static_cast<std::size_t>(e.face) + 1);
        alone_.assign(faces_ * networks.size(), 0);
        for (auto const& e : edges)
            for (std::size_t n = 0; n < networks.size(); ++n)
                alone_[static_cast<std::size_t>(e.face) * networks.size() + n] += predict_message(e, networks[n]);
    }

    network_choice all() {
        std::vector<int> assignment(faces_);
        do meet(assignment);
        while (next(assignment));
        return best_;
    }

    // Faces by size, each where it delays the whole least; then single moves downhill.
    network_choice greedy() {
        std::vector<std::int64_t> bytes(faces_);
        for (auto const& e : edges_) bytes[static_cast<std::size_t>(e.face)] += e.bytes;
        std::vector<int> order(faces_);
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(),
                         [&](int a, int b) { return bytes[static_cast<std::size_t>(a)] > bytes[static_cast<std::size_t>(b)]; });
        std::vector<int> assignment(faces_);
        std::vector<network_edge> placed;
        for (int const f : order) {
            std::copy_if(edges_.begin(), edges_.end(), std::back_inserter(placed), [&](auto const& e) { return e.face == f; });
            std::vector<double> us;
            for (std::size_t n = 0; n < networks_.size(); ++n) {
                assignment[static_cast<std::size_t>(f)] = static_cast<int>(n);
                us.push_back(predict_makespan(placed, networks_, assignment));
            }
            assignment[static_cast<std::size_t>(f)] = static_cast<int>(std::min_element(us.begin(), us.end()) - us.begin());
        }
        // The better of this and each network alone, so that the result is never worse than the obvious.
        meet(assignment);
        for (std::size_t n = 0; n < networks_.size(); ++n) meet(std::vector<int>(faces_, static_cast<int>(n)));
        while (improve()) {
        }
        return best_;
    }

    [[nodiscard]] bool few() const noexcept {
        constexpr double most = 4096;
        double count = 1;
        for (std::size_t f = 0; f < faces_ && count <= most; ++f) count *= static_cast<double>(networks_.size());
        return count <= most;
    }

private:
    bool next(std::vector<int>& assignment) const {
        for (auto f = faces_; f-- > 0; assignment[f] = 0)
            if (++assignment[f] < static_cast<int>(networks_.size())) return true;
        return false;
    }

    bool improve() {
        auto const from = best_.assignment;
        for (std::size_t f = 0; f < faces_; ++f)
            for (int n = 0; n < static_cast<int>(networks_.size()); ++n)
                if (auto moved = from; n != from[f]) {
                    moved[f] = n;
                    meet(moved);
                }
        return best_.assignment != from;
    }

    void meet(std::vector<int> const& assignment) {
        if (assignment == best_.assignment || assignment == best_.runner_up) return;
        double const us = predict_makespan(edges_, networks_, assignment);
        double const all = work(assignment);
        if (best_.assignment.empty() || us < best_.expected_us || (us == best_.expected_us && all < work(best_.assignment))) {
            best_.runner_up = std::move(best_.assignment);
            best_.runner_up_us = best_.expected_us;
            best_.assignment = assignment;
            best_.expected_us = us;
        } else if (best_.runner_up.empty() || us < best_.runner_up_us) {
            best_.runner_up = assignment;
            best_.runner_up_us = us;
        }
    }

    [[nodiscard]] double work(std::vector<int> const& assignment) const {
        double us = 0;
        for (std::size_t f = 0; f < faces_; ++f) us += alone_[f * networks_.size() + static_cast<std::size_t>(assignment[f])];
        return us;
    }

    std::span<network_edge const> edges_;
    std::span<network const> networks_;
    std::size_t faces_ = 0;
    std::vector<double> alone_; // by face and network
    network_choice best_;
};

} // namespace

network_choice choose_networks(std::span<network_edge const> edges, std::span<network const> networks) {
    if (networks.empty())
        throw error{error_kind::usage, "there is no network to choose from", "the profile lists no networks",
                    "add \"networks\" to the profile, as docs/profile.md describes"};
    if (edges.empty()) return {};
    search s{edges, networks};
    auto choice = s.few() ? s.all() : s.greedy();
    if (std::isinf(choice.expected_us))
        throw error{error_kind::usage, "a face has no network",
                    "every network connects only some neighbours (\"within\"), and none connects the neighbours across this face",
                    "add to the profile a network that connects all neighbours"};
    if (std::isinf(choice.runner_up_us)) choice.runner_up.clear();
    return choice;
}

std::vector<network> networks_of(profile const& p) {
    if (!p.networks.empty()) return p.networks;
    auto const& c = p.network;
    return {{.name = "network",
             .protocols = {{.overhead = c.overhead, .latency = c.latency, .byte = c.byte, .host_byte = c.host_byte}},
             .pack_row = p.pack_row,
             .pack_byte = p.local_byte}};
}

} // namespace sode::internal
