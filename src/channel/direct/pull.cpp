// SPDX-License-Identifier: Apache-2.0
#include "channel/moves.hpp"
#include "channel/ways.hpp"

namespace sode::internal {
namespace {

/// The target copies box to box out of the source's memory (paper P4, section 3). Rows of 48 bytes and more move at the speed of
/// memcpy this way; shorter ones pay a cache miss each.
class pull_way final : public way { // NOLINT(cppcoreguidelines-virtual-class-destructor)
public:
    constexpr pull_way() noexcept : way("pull", found_in::array) {}

    [[nodiscard]] bool can(edge_features const& e) const noexcept override {
        return !e.on_device && e.shared && e.apart != distance::other_machine;
    }
    [[nodiscard]] expense cost(edge_features const& e, profile const& p) const noexcept override {
        auto const& c = p.of(e.apart).memory;
        // Its rows lie apart on both sides.
        return {.target =
                    static_cast<double>(e.bytes) * c.stream_byte + edge_cost::rows_of_other(e, p) + 2 * edge_cost::pages(e, p),
                .latency = c.flag * (e.acknowledged ? 2 : 1)};
    }
    [[nodiscard]] way const* instead(edge_features const& e) const noexcept override {
        return e.apart == distance::other_machine ? nullptr : e.on_device && e.shared ? &ways::device_pull : &ways::stage;
    }

    void take(way_site const& s, edge_span edges) const override { fetch(s.build, s.stream, edges); }
};

constinit pull_way const pull_object;

} // namespace

namespace ways {
way const& pull = pull_object;
}

} // namespace sode::internal
