// SPDX-License-Identifier: Apache-2.0
#include "tiles/from_cache.hpp"
#include "stencil/one_rank.hpp"
#include "support/cores.hpp"
#include "support/limit.hpp"
#include "tiles/problems.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace sode::internal::bench {
namespace {

/// Fields of 190 to 310 KiB in all: more than L1, less than the L2 of processors of today.
struct small_problem {
    problem_size size;
    double points; ///< computed in a step
};

small_problem small(std::string const& name) {
    auto const inside = [](long layers, long n, long reach, int dims) {
        return static_cast<double>(layers - 2 * reach) * std::pow(n - 2 * reach, dims - 1);
    };
    if (name == "laplace") return {{12, 1024}, inside(12, 1024, 1, 2)};
    if (name == "water") return {{8, 512}, inside(8, 512, 1, 2)};
    if (name == "heat") return {{6, 48}, inside(6, 48, 1, 3)};
    if (name == "wave") return {{12, 40}, inside(12, 40, 4, 3)};
    return {{10, 16}, 8.0 * 14 * 30}; // himeno: n x 2n cells a layer
}

double points(std::string const& name, problem_size size) {
    auto const layer = static_cast<double>(size.n);
    if (name == "laplace" || name == "water") return static_cast<double>(size.layers) * layer;
    return static_cast<double>(size.layers) * layer * layer * (name == "himeno" ? 2 : 1);
}

class from_cache final : public solver {
public:
    from_cache(std::string const& name, double mine) : share_(mine / small(name).points) {
        auto const cores = usable_cores();
        alone_ = on_one_rank({cores.front()}, [&](runtime& rt) { return tiled_problem(name, rt, small(name).size, 1); });
    }
    void steps(int n) override { alone_->steps(std::max(1, static_cast<int>(std::lround(n * share_)))); }
    [[nodiscard]] std::uint64_t fingerprint() const override { return 0; }

private:
    double share_;
    std::unique_ptr<solver> alone_;
};

} // namespace

void add_limit_from_cache(contest& race, int ranks, std::string const& problem, problem_size size) {
    race.add(
        {limit_prefix + std::string{"from L2"}, 1, std::make_unique<from_cache>(problem, points(problem, size) / ranks), false});
}

} // namespace sode::internal::bench
