// SPDX-License-Identifier: Apache-2.0
#include "array/march/handed_levels.hpp"

#include "array/smallest_block.hpp"
#include "base/position.hpp"
#include "model/job.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sode::internal {
namespace {

// The same memory as an array of whole rows: what lies beside the block in other dimensions counts as owned. The block begins
// `shift` rows farther on.
std::shared_ptr<geometry const> with_block_moved(geometry const& shape, index_t shift) {
    auto g = std::make_shared<geometry>(shape);
    g->axes[0].shadow_lower += shift;
    g->axes[0].shadow_upper -= shift;
    for (std::size_t d = 1; d < pos(g->dims); ++d) {
        auto& a = g->axes[d];
        a.extent += a.shadow_lower + a.shadow_upper;
        a.shadow_lower = a.shadow_upper = 0;
        a.bounds = {0, a.extent};
    }
    return g;
}

detail::halo_source handed_rows_of(detail::halo_source const& field, std::shared_ptr<int const> half, index_t shift, index_t lower,
                                   index_t upper) {
    auto s = field;
    s.shape = with_block_moved(*field.shape, shift);
    s.half = std::move(half);
    s.watch = {};
    s.walls = nullptr; // they are set between the steps
    s.lower = s.upper = {};
    s.lower[0] = lower;
    s.upper[0] = upper;
    return s;
}

constexpr std::size_t place_of(index_t i) noexcept {
    return static_cast<std::size_t>(i);
}

} // namespace

std::string_view handed_levels::refused(detail::job const& owner, march_limits const& limits, geometry const& shape,
                                        detail::tile_shape const& pass) {
    if (!owner.ranks->machines().one()) return "ranks are on several machines";
    if (shape.axes[0].nodes() == 1) return "the outermost dimension is not split";
    for (std::size_t d = 1; d < pos(shape.dims); ++d)
        if (shape.axes[d].nodes() > 1) return "a dimension other than the outermost one is split";
    for (std::size_t d = 0; d < pos(shape.dims); ++d)
        if (limits.wraps[d] || limits.refilled[d]) return "a dimension is periodic";
    if (limits.lower[0] != limits.upper[0]) return "a step does not read as far down as up in the outermost dimension";
    if (pass.width > 0) return "rows are cut into strips, for the cache";
    // A rank gives before it waits, and has all rows that a boundary condition reads.
    detail::handed_rows const order{limits.lower[0], pass.steps};
    auto const least = smallest_block(shape.axes[0]);
    if (least < 3 * order.reach || least <= std::max(order.below(), order.above()) + limits.lag[0]) return "blocks are too small";
    return {};
}

handed_levels::handed_levels(reflect_options const& options, march_limits const& limits, index_t steps,
                             std::span<detail::halo_source const> changing)
    : order_{limits.lower[0], steps}, changing_(changing) {
    for (std::size_t f = 0; f < changing.size(); ++f) halves_.push_back({std::make_shared<int>(0), std::make_shared<int>(1)});
    auto const plan = [&](std::string what, std::string const& channel, std::vector<detail::halo_source> sources) {
        // The same half comes again where the number of steps is even.
        return std::make_unique<reflection>(
            reflect_options{.channel = channel,
                            .credits = true,
                            .name = fmt::format("{} {} steps of \"{}\"", what, steps, changing.front().shape->name)},
            std::move(sources));
    };
    std::vector<detail::halo_source> below, back;
    for (std::size_t f = 0; f < changing.size(); ++f)
        for (index_t half : {0, 1}) {
            // Also the odd half: a step may read its own element of next().
            below.push_back(handed_rows_of(changing[f], halves_[f][place_of(half)], 0, order_.needed(), 0));
            // The last level, and the one before.
            auto const count = order_.above() - (half == steps % 2 ? 0 : order_.reach);
            if (count > 0) back.push_back(handed_rows_of(changing[f], halves_[f][place_of(half)], count, count, 0));
        }
    before_ = plan("rows before", options.channel, std::move(below));
    for (index_t s = 1; s < steps; ++s) {
        std::vector<detail::halo_source> level;
        for (std::size_t f = 0; f < changing.size(); ++f)
            level.push_back(handed_rows_of(changing[f], halves_[f][place_of(s % 2)], order_.shift(s), 0, order_.handed()));
        levels_.push_back(
            plan(fmt::format("rows of step {} in", s), options.channel.empty() ? "stage" : options.channel, std::move(level)));
    }
    if (!back.empty()) after_ = plan("rows after", options.channel, std::move(back));
}

void handed_levels::begin() {
    for (std::size_t f = 0; f < changing_.size(); ++f)
        for (int half : {0, 1}) *halves_[f][pos(half)] = half ^ *changing_[f].half;
    given_ = awaited_ = 0;
    (*before_)();
}

void handed_levels::give(index_t level) {
    while (given_ < level) levels_[place_of(given_++)]->start();
}

void handed_levels::await(index_t level) {
    give(level); // of ranks that have nobody to give to
    while (awaited_ < level) levels_[place_of(awaited_++)]->wait();
}

void handed_levels::finish() {
    await(order_.steps - 1);
    if (after_) (*after_)();
}

std::string handed_levels::explain() const {
    return before_->explain() + levels_.front()->explain() + (after_ ? after_->explain() : std::string{});
}

} // namespace sode::internal
