// SPDX-License-Identifier: Apache-2.0
#include "channel/moves.hpp"
#include "channel/ways.hpp"

namespace sode::internal {
namespace {

/// Byte by byte, as anybody would write it first: every other way is compared with this one. Where every rank can load what it
/// needs, everybody says that its arrays are ready and waits for everybody, copies its boxes, says so, and waits for everybody
/// again: that much is the builder's affair, as it concerns all edges at once. Else what can be loaded is copied as by "pull".
class reference_way final : public way { // NOLINT(cppcoreguidelines-virtual-class-destructor)
public:
    constexpr reference_way() noexcept : way("reference", found_in::array) {}

    [[nodiscard]] bool can(edge_features const& e) const noexcept override {
        return !e.on_device && e.shared && e.apart != distance::other_machine;
    }
    [[nodiscard]] bool offered(edge_features const& /*e*/) const noexcept override { return false; }
    [[nodiscard]] expense cost(edge_features const& e, profile const& p) const noexcept override {
        return {.target = static_cast<double>(e.bytes) * 2, .latency = 4 * p.of(e.apart).memory.flag};
    }
    [[nodiscard]] way const* instead(edge_features const& e) const noexcept override {
        return e.apart == distance::other_machine ? nullptr : &ways::stage;
    }
    /// Without common memory, slow and obvious means one message a pair of ranks.
    [[nodiscard]] way const& over_machines() const noexcept override { return ways::mpi; }

    void take(way_site const& s, edge_span edges) const override {
        for (auto const* e : edges) fetch(s.build, s.stream, {&e, 1});
    }
};

constinit reference_way const reference_object;

} // namespace

namespace ways {
way const& reference = reference_object;
}

} // namespace sode::internal
