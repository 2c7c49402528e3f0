// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/engine.hpp"
#include "engine/network_reach.hpp"
#include "engine/triggered/lowering.hpp"
#include "engine/triggered/session_queue.hpp"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace sode::internal {

class processor_set;
struct network_interface;
struct wait_policy;

/// Network interfaces made of threads, which run plans by themselves while the rank computes (SODE_ENGINE=triggered): each stream
/// is a queue in session mode, as Tofu2 has them (paper P3), whose descriptors are issued as far as arrivals allow, and puts are
/// chains of descriptors on the channels of a controller, as PEACH2 has them (paper P0). What becomes of a stream says
/// lowering.hpp; streams that only the rank's own thread can run stay with it.
///
/// It is executor `queue n` of a plan, for any n: such a stream must be a queue as it is.
class triggered_engines final : public engine_kind, public network_reach {
public:
    static constexpr int most_interfaces = 16;

    /// `interfaces`: how many; streams go to the one that they wish (stream::nic). `waiting`, `where`: as in round_thread, for each
    /// in turn; empty: where the rank may. Errors: environment, if there can be no thread, or not there.
    /// `beyond`: the memory of other machines that they reach, if there is any.
    triggered_engines(wait_policy const& waiting, int interfaces, std::span<processor_set const> where,
                      std::shared_ptr<space> beyond = {});
    ~triggered_engines() override;

    [[nodiscard]] space* beyond() const noexcept override { return beyond_.get(); }
    [[nodiscard]] std::string_view name() const noexcept override { return "triggered"; }
    [[nodiscard]] std::string cannot_run(schedule const& p, context const& c) const override;
    [[nodiscard]] std::unique_ptr<engine> make(engine_work const& work) const override;
    [[nodiscard]] std::string says(schedule const& p, context const& c) const override;
    void stop() noexcept override;

    /// What interface `n` has done so far.
    [[nodiscard]] triggered_counts counts(std::size_t n) const;
    [[nodiscard]] std::size_t interfaces() const noexcept { return interfaces_.size(); }

private:
    class one;

    [[nodiscard]] std::size_t interface_of(stream const& s) const noexcept;

    std::shared_ptr<space> beyond_;
    std::vector<std::unique_ptr<network_interface>> interfaces_;
};

} // namespace sode::internal
