// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/halo/halo_spec.hpp"
#include "engine/prepared_list.hpp"
#include "model/variant_trial.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sode::internal {

/// The same exchange planned several ways, where the model is not sure: as it proposes, and with some edges by the second best.
/// They take turns in the first exchanges, and the fastest one stays (docs/decisions/0035).
///
/// Each variant is a plan of its own. One may follow the other because any exchange may follow another one of the same arrays:
/// whoever begins an epoch is over the last one, whichever plan that was of.
class halo_variants {
public:
    /// What makes the plan of a spec.
    using maker = std::function<std::unique_ptr<prepared>(halo_spec const&)>;

    /// Collective. Null, if there is nothing to try: no edge is close, or somebody forces a way, or ranks are on several machines.
    [[nodiscard]] static std::unique_ptr<halo_variants> of(detail::job& owner, halo_spec const& spec, maker const& make);
    ~halo_variants();
    halo_variants(halo_variants const&) = delete;
    halo_variants& operator=(halo_variants const&) = delete;
    halo_variants(halo_variants&&) = delete;
    halo_variants& operator=(halo_variants&&) = delete;

    /// Before each start of `list`, whose first plan is the variant that runs: puts another one there, if it is its turn.
    void before_start(prepared_list& list);
    /// It has been started, and waited for: so much of each was spent there.
    [[nodiscard]] bool timed() const noexcept { return timed_; }
    void took(std::int64_t ns) noexcept { trial_.took(now_, ns); }
    void forget_time() noexcept { timed_ = false; }

    /// Those that do not run.
    template <class F> void for_each_other(F f) const {
        for (auto const& v : plans_)
            if (v) f(*v);
    }
    /// What was tried and found, for explain(); empty before that.
    [[nodiscard]] std::string text() const;

private:
    halo_variants() = default;
    void publish();
    void show(prepared_list& list, std::size_t variant);

    std::vector<std::unique_ptr<prepared>> plans_; // null: in the list
    std::vector<std::string> names_;
    std::size_t now_ = 0;
    bool timed_ = false;
    variant_trial trial_;
    std::vector<std::uint64_t> mine_, sums_;
    std::unique_ptr<prepared> agreement_; // reads and writes these
    bool agreeing_ = false;
};

} // namespace sode::internal
