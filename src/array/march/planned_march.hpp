// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/march/handed_levels.hpp"
#include "array/march/handing_choice.hpp"
#include "array/march/march_limits.hpp"
#include "array/march/tile_choice.hpp"
#include "array/march/tile_trial.hpp"

#include <sode/detail/marching.hpp>
#include <sode/halo.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sode::internal {

/// One march: the wide exchanges that it needs, and how many steps it takes at a time.
class planned_march final : public detail::marching {
public:
    struct surroundings {
        detail::job& owner;
        reflect_options options;       ///< of the exchange that it belongs to
        std::function<void()> all_met; ///< called after each exchange of its own
        bool absent = false;           ///< this rank has no block
    };
    /// \param fields  of `spec` that change, in the order of terms.changing
    planned_march(surroundings around, halo_spec const& spec, std::vector<int> const& fields, detail::march_terms const& terms);
    ~planned_march() override;

    /// It is the march of these terms.
    [[nodiscard]] bool is(detail::march_terms const& terms) const;

    void begin(index_t steps) override {
        constants_are_old_ = true;
        march_steps_ = steps;
    }
    detail::tile_shape const& next(index_t left) override;
    void get_on() override;
    void arrive() override;
    void settle() noexcept override;
    void give(index_t s) override { handing_->give(s); }
    void await(index_t s) override { handing_->await(s); }
    void done() override;
    detail::walled_block const& block(std::size_t field) const override { return blocks_[field]; }

    [[nodiscard]] std::string explain() const;
    /// Adds the plans of its own exchanges, for dump().
    void tell_plans(std::vector<internal::plan const*>& all) const;
    /// Exchanges of its own so far, and descriptors that they executed.
    [[nodiscard]] std::uint64_t epochs() const noexcept;
    [[nodiscard]] std::uint64_t executed() const noexcept;

private:
    /// What it takes to go so many steps at a time.
    struct gait {
        index_t steps = 1;
        detail::tile_shape shape;
        std::unique_ptr<reflection> exchange;  // both halves of what changes
        std::unique_ptr<reflection> constant;  // null: nothing, or nothing that others own
        double inside = 0;                     // of a pass: what needs no halo
        bool overlaps = false;                 // that is computed while the exchange is under way; each rank decides for itself
        std::unique_ptr<handed_levels> levels; // null: ranks compute what they need of their neighbours
        std::string_view why_not;              // ranks cannot hand levels
        handing_costs weighed;
    };
    [[nodiscard]] gait& gait_of(index_t steps);
    [[nodiscard]] std::unique_ptr<reflection> plan(index_t steps, bool constant) const;
    [[nodiscard]] detail::halo_source widened(detail::halo_source const& field, index_t layers, bool own) const;
    void weigh_handing(gait& g, double step_ns) const;
    void hand_levels(gait& g);
    [[nodiscard]] bool hands(gait const& g) const noexcept { return g.levels && (limits_.asked > 0 || trial_.handed()); }
    [[nodiscard]] gait* worth_handing();
    void require_index_space(detail::march_terms const& terms) const;
    void forget_losers();
    void tell_trial();
    [[nodiscard]] index_t bytes_of_room() const;
    [[nodiscard]] std::string explain_handing(gait const& g) const;
    template <class F> void for_each_exchange(F const& f) const {
        for (auto const& g : gaits_) {
            for (auto const* r : {g->exchange.get(), g->constant.get()})
                if (r) f(*r);
            if (g->levels) g->levels->for_each(f);
        }
    }

    surroundings around_;
    march_limits limits_;
    tile_load load_;
    void const* step_;
    std::array<index_t, max_dims> lower_, upper_;
    std::vector<detail::halo_source> changing_, constant_; // as the program gave them
    std::vector<detail::walled_block> blocks_;
    std::vector<std::unique_ptr<gait>> gaits_;
    detail::tile_shape shape_; // of the pass at hand
    reflection* on_its_way_ = nullptr;
    handed_levels* handing_ = nullptr; // in the pass at hand
    bool arrived_ = false;             // and nobody has waited for it yet
    bool constants_are_old_ = true;
    index_t march_steps_ = 0; // in all, of the march at hand

    tile_trial trial_;
    std::int64_t since_ns_ = 0;
    bool timed_ = false;
    std::int64_t spent_ns_ = 0; // in this batch
    index_t passes_ = 0;
    std::int64_t fastest_ns_ = 0; // of the batches so far
    int batches_ = 0;
};

} // namespace sode::internal
