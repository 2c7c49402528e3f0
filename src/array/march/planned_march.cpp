// SPDX-License-Identifier: Apache-2.0
#include "array/march/planned_march.hpp"

#include "array/march/wrap_around.hpp"
#include "array/tile_room.hpp"
#include "base/activity.hpp"
#include "base/byte_text.hpp"
#include "base/clock.hpp"
#include "base/position.hpp"
#include "base/topology.hpp"
#include "model/job.hpp"

#include <sode/collective.hpp>
#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace sode::internal {
namespace {

std::int64_t private_cache() {
    topology const machine;
    auto const l2 = machine.cache_of_level(2);
    if (l2.bytes > 0 && l2.cores <= 1) return static_cast<std::int64_t>(l2.bytes);
    constexpr std::int64_t usual = 512 << 10;
    return l2.bytes > 0 ? static_cast<std::int64_t>(l2.bytes) / l2.cores : usual;
}

tile_load load_of(detail::march_terms const& terms) {
    tile_load load{.dims = terms.dims, .point_bytes = 0, .threads = terms.threads};
    load.lower = terms.owned_lower;
    for (std::size_t d = 0; d < pos(terms.dims); ++d) load.extent[d] = terms.owned_upper[d] - terms.owned_lower[d];
    for (auto const& f : terms.changing) load.point_bytes += 2 * f.shape->components * f.shape->element_bytes;
    for (auto const& f : terms.constant) load.point_bytes += f.shape->components * f.shape->element_bytes;
    return load;
}

detail::walled_block block_of(halo_field const& f, detail::halo_source const& source) {
    auto const& g = *source.shape;
    auto const rank = source.owner->boot->rank();
    auto const allocated = g.allocated(rank);
    auto const strides = g.strides(rank);
    detail::walled_block b{.rules = source.walls.get(), .lower = f.lower, .upper = f.upper, .components = g.components};
    for (std::size_t d = 0; d < pos(g.dims); ++d) {
        b.origin[d] = allocated[d].lower;
        b.strides[d] = strides[d] / g.element_bytes;
    }
    b.apart = g.component_bytes(rank) / g.element_bytes;
    return b;
}

// The conditions around a field between the steps of a tile. Null: none.
std::shared_ptr<detail::walls const> walls_between_steps(halo_field const& f, std::array<bool, max_dims> const& refilled) {
    auto const& g = *f.shape;
    std::shared_ptr<detail::walls> more;
    for (std::size_t d = 0; d < pos(g.dims); ++d) {
        if (!refilled[d]) continue;
        if (!more) more = f.walls ? std::make_shared<detail::walls>(*f.walls) : std::make_shared<detail::walls>();
        auto const around = wrap_around::rule(g.dims, static_cast<std::size_t>(g.element_bytes), g.axes[d].extent);
        (*more)[d] = {detail::wall{around}, detail::wall{around}};
    }
    return more ? more : f.walls;
}

index_t most_of(march_limits const& l, index_t forced) {
    if (forced > 0) return 1; // nothing to try
    return l.asked > 0 ? 1 : l.most;
}

} // namespace

planned_march::planned_march(surroundings around, halo_spec const& spec, std::vector<int> const& fields,
                             detail::march_terms const& terms)
    : around_(std::move(around)), limits_(around_.absent ? march_limits{} : limits_of(spec, fields, terms)), load_(load_of(terms)),
      step_(terms.step), lower_(terms.lower), upper_(terms.upper), changing_(terms.changing.begin(), terms.changing.end()),
      constant_(terms.constant.begin(), terms.constant.end()), trial_(most_of(limits_, around_.owner.settings.tiles)) {
    if (around_.owner.settings.tiles > 0) limits_.asked = around_.owner.settings.tiles;
    for (std::size_t i = 0; i < fields.size() && !around_.absent; ++i) {
        auto const& f = spec.fields[pos(fields[i])];
        changing_[i].walls = walls_between_steps(f, limits_.refilled); // the block refers to them
        blocks_.push_back(block_of(f, changing_[i]));
    }
    if (limits_.most == 1) return;
    require_index_space(terms);
    load_.cache_bytes = private_cache();
    load_.whole_rows = limits_.refilled[1];
}

planned_march::~planned_march() = default;

void planned_march::require_index_space(detail::march_terms const& terms) const {
    auto const& g = *changing_.front().shape;
    auto const mine = g.owned(changing_.front().owner->boot->rank());
    for (std::size_t d = 0; d < pos(g.dims); ++d)
        if (terms.dims != g.dims || mine[d].lower != terms.owned_lower[d] || mine[d].upper != terms.owned_upper[d])
            throw error{error_kind::usage, fmt::format("march() over this index space cannot use array \"{}\"", g.name),
                        "the index space and the array are distributed differently",
                        "march over inner() of the array or of its grid"};
}

bool planned_march::is(detail::march_terms const& terms) const {
    auto const same = [](auto const& kept, auto const& given) {
        return std::ranges::equal(kept, given, [](detail::halo_source const& a, detail::halo_source const& b) {
            return a.shape == b.shape && a.half == b.half && a.memory[0] == b.memory[0];
        });
    };
    return step_ == terms.step && lower_ == terms.lower && upper_ == terms.upper && same(changing_, terms.changing) &&
           same(constant_, terms.constant);
}

detail::halo_source planned_march::widened(detail::halo_source const& field, index_t layers, bool own) const {
    auto s = field;
    s.walls = nullptr; // what else stands outside is set between the steps
    for (std::size_t d = 0; d < pos(s.shape->dims); ++d) {
        auto const& a = s.shape->axes[d];
        if (limits_.refilled[d] && own) continue; // what one step reads
        if (a.nodes() <= 1 && !limits_.wraps[d]) {
            s.lower[d] = s.upper[d] = 0;
            continue;
        }
        s.lower[d] = layers * limits_.lower[d] + (own ? field.lower[d] : 0);
        s.upper[d] = layers * limits_.upper[d] + (own ? field.upper[d] : 0);
    }
    return s;
}

std::unique_ptr<reflection> planned_march::plan(index_t steps, bool constant) const {
    std::vector<detail::halo_source> sources;
    if (constant) {
        for (auto const& c : constant_) sources.push_back(widened(c, steps - 1, true));
    } else {
        // Either half as an array of its own: a step may read its own element of next(), and what lies outside the march stays as
        // it is in each of them.
        for (auto const& f : changing_)
            for (std::size_t half : {0U, 1U}) {
                auto s = widened(f, steps, false);
                s.memory = {f.memory[half], nullptr};
                s.watch = {f.watch[half], nullptr};
                s.half = nullptr;
                sources.push_back(std::move(s));
            }
    }
    if (sources.empty()) return nullptr;
    auto options = around_.options;
    options.corners = true;
    std::vector<bool> periodic(limits_.wraps.begin(), limits_.wraps.end());
    if (constant)
        for (std::size_t d = 0; d < max_dims; ++d) periodic[d] = periodic[d] || limits_.refilled[d];
    options.periodic = by_dimension{std::move(periodic)};
    options.name =
        fmt::format("{} for {} steps of \"{}\"", constant ? "constant arrays" : "halo", steps, changing_.front().shape->name);
    return std::make_unique<reflection>(options, std::move(sources));
}

planned_march::gait& planned_march::gait_of(index_t steps) {
    auto const known = std::ranges::find_if(gaits_, [&](auto const& g) { return g->steps == steps; });
    if (known != gaits_.end()) return **known;
    doing const what{activity::march};
    auto g = std::make_unique<gait>();
    g->steps = steps;
    auto& s = g->shape;
    s = {.steps = steps,
         .lower = limits_.lower,
         .upper = limits_.upper,
         .lag = limits_.lag,
         .extent = limits_.extent,
         .wraps = limits_.wraps};
    if (steps > 1) {
        fit_into_cache(s, load_);
        g->exchange = plan(steps, false);
        g->constant = plan(steps, true);
        weigh_handing(*g, 0);
        if (limits_.asked > 0 && g->why_not.empty() && g->weighed.worth_it()) hand_levels(*g);
        // Inside a machine copies take time from the same cores: there is nothing to be gained.
        constexpr double worth_two_goes = 0.25;
        s.under_way = steps;
        g->inside = part_inside(s, load_);
        g->overlaps = g->exchange->by_messages() && g->inside >= worth_two_goes;
        s.under_way = 0;
        constants_are_old_ = true;
    }
    gaits_.push_back(std::move(g));
    return *gaits_.back();
}

// For ranks whose blocks are as large as any, so that all ranks decide alike.
void planned_march::weigh_handing(gait& g, double step_ns) const {
    auto const& shape = *changing_.front().shape;
    auto const& bounds = shape.axes[0].bounds;
    handing_load what{.rows = {limits_.lower[0], g.steps},
                      .sides = shape.axes[0].nodes() > 2 ? 2 : 1,
                      .step_ns = step_ns,
                      .start_ns = around_.owner.costs.engines.start};
    for (std::size_t c = 0; c + 1 < bounds.size(); ++c) what.block_rows = std::max(what.block_rows, bounds[c + 1] - bounds[c]);
    auto largest = load_;
    largest.extent[0] = what.block_rows;
    auto pass = g.shape;
    fit_into_cache(pass, largest);
    g.why_not = handed_levels::refused(around_.owner, limits_, shape, pass);
    index_t row = 1;
    for (std::size_t d = 1; d < pos(load_.dims); ++d) row *= load_.extent[d];
    what.point_bytes = row * load_.point_bytes;
    what.changing_bytes = 0;
    for (auto const& f : changing_) what.changing_bytes += row * f.shape->components * f.shape->element_bytes;
    g.weighed = weigh(what, around_.owner.costs.of(distance::near).memory);
}

void planned_march::hand_levels(gait& g) {
    doing const what{activity::march};
    g.levels = std::make_unique<handed_levels>(around_.options, limits_, g.steps, changing_);
}

detail::tile_shape const& planned_march::next(index_t left) {
    while (!trial_.over() && trial_.steps() > march_steps_) trial_.skip();
    auto const wanted = trial_.over() && limits_.asked > 0 ? std::min(limits_.asked, limits_.most) : trial_.steps();
    auto& g = gait_of(wanted);
    shape_ = g.shape;
    shape_.steps = std::min(wanted, left);
    timed_ = !trial_.over() && shape_.steps == wanted;
    since_ns_ = timed_ ? now_ns() : 0;
    if (shape_.steps == 1) return shape_;
    if (g.constant && std::exchange(constants_are_old_, false)) (*g.constant)();
    // What is left over is fewer steps than the levels are for.
    handing_ = shape_.steps == wanted && hands(g) ? g.levels.get() : nullptr;
    if (handing_) {
        shape_.handed = true;
        shape_.width = 0;
        handing_->begin();
        return shape_;
    }
    g.exchange->start();
    shape_.under_way = g.overlaps ? g.steps : 0;
    on_its_way_ = g.exchange.get();
    if (!g.overlaps) arrive();
    return shape_;
}

void planned_march::get_on() {
    if (!arrived_) arrived_ = on_its_way_->test();
}

void planned_march::arrive() {
    arrived_ = false;
    on_its_way_->wait();
    around_.all_met();
}

void planned_march::settle() noexcept {
    if (handing_) return handing_->abandon([](reflection& r) { r.settle(); });
    arrived_ = false;
    on_its_way_->settle();
}

void planned_march::done() {
    if (auto* const levels = std::exchange(handing_, nullptr)) {
        levels->finish();
        around_.all_met();
    }
    if (!timed_) return;
    spent_ns_ += now_ns() - since_ns_;
    if (++passes_ < trial_.passes()) return;
    fastest_ns_ = batches_ == 0 ? spent_ns_ : std::min(fastest_ns_, spent_ns_);
    spent_ns_ = 0;
    if (++batches_ < tile_trial::batches) {
        passes_ = 0;
        return;
    }
    tell_trial();
}

void planned_march::tell_trial() {
    using largest = detail::combining<double, detail::max_op>;
    doing const what{activity::march};
    auto const steps = static_cast<double>(passes_ * shape_.steps);
    std::array<std::byte, largest::bytes> packed{};
    double ns = static_cast<double>(fastest_ns_) / steps;
    largest::pack(ns, packed.data());
    detail::allreduce(around_.owner, packed.data(), largest::parts());
    largest::unpack(ns, packed.data());
    passes_ = 0;
    batches_ = 0;
    trial_.tell(ns);
    if (!trial_.over()) return;
    if (auto* const g = trial_.handed_ns() == 0 ? worth_handing() : nullptr) {
        hand_levels(*g);
        trial_.try_handing(g->steps);
        return;
    }
    forget_losers();
    if (!trial_.handed()) gait_of(trial_.steps()).levels.reset();
}

// Of the numbers of steps that were tried, the one with which a step should be fastest where ranks hand each other rows; null: none
// of them should be faster than what was found. Equal on all ranks.
planned_march::gait* planned_march::worth_handing() {
    gait* found = nullptr;
    auto least = tile_trial::better * trial_.of(trial_.steps());
    for (auto const& [steps, ns] : trial_.results()) {
        if (steps == 1) continue;
        auto& g = gait_of(steps);
        weigh_handing(g, ns);
        auto const expected = ns - (g.weighed.twice - g.weighed.handed) / static_cast<double>(steps);
        if (!g.why_not.empty() || expected >= least) continue;
        found = &g;
        least = expected;
    }
    return found;
}

void planned_march::forget_losers() {
    std::erase_if(gaits_, [&](auto const& g) { return g->steps != trial_.steps(); });
}

std::uint64_t planned_march::epochs() const noexcept {
    std::uint64_t n = 0;
    for_each_exchange([&](reflection const& r) { n += r.epochs(); });
    return n;
}

std::uint64_t planned_march::executed() const noexcept {
    std::uint64_t n = 0;
    for_each_exchange([&](reflection const& r) { n += r.executed(); });
    return n;
}

void planned_march::tell_plans(std::vector<internal::plan const*>& all) const {
    for_each_exchange([&](reflection const& r) { r.tell_plans(all); });
}

// What halos take that are wider than what a step reads, of this rank.
index_t planned_march::bytes_of_room() const {
    index_t bytes = 0;
    for (auto const& fields : {std::span{changing_}, std::span{constant_}})
        for (auto const& f : fields) {
            auto const allocated = f.shape->allocated(f.owner->boot->rank());
            index_t wide = 1, narrow = 1;
            for (std::size_t d = 0; d < pos(f.shape->dims); ++d) {
                auto const& a = f.shape->axes[d];
                wide *= allocated[d].size();
                auto const times = has_tile_room(f.shape->axes, f.shape->dims, d) ? f.room : 1;
                narrow *= allocated[d].size() - (a.shadow_lower + a.shadow_upper) * (times - 1) / times;
            }
            bytes += (wide - narrow) * f.shape->components * f.shape->element_bytes * (f.memory[1] ? 2 : 1);
        }
    return bytes;
}

std::string planned_march::explain_handing(gait const& g) const {
    if (!g.why_not.empty()) return fmt::format("  ranks compute rows of their neighbours redundantly ({})\n", g.why_not);
    auto const model = fmt::format("predicted time of a pass: {:.3g} us if rows are computed twice, {:.3g} us if rows are passed",
                                   g.weighed.twice * 1e-3, g.weighed.handed * 1e-3);
    return hands(g) ? fmt::format("  ranks pass each other rows of each time step: no row is computed twice ({})\n", model)
                    : fmt::format("  ranks compute rows of their neighbours redundantly ({})\n", model);
}

std::string planned_march::explain() const {
    auto const& name = changing_.front().shape->name;
    auto const now = trial_.over() && limits_.asked > 0 ? std::min(limits_.asked, limits_.most) : trial_.steps();
    auto text = fmt::format("march of \"{}\": {} time step{} per exchange", name, now, now == 1 ? "" : "s");
    if (limits_.asked > 0)
        text += limits_.asked > now ? fmt::format(", {} requested; {}", limits_.asked, limits_.why_most) : ", as requested";
    else if (limits_.most == 1)
        text += fmt::format(" ({})", limits_.why_most);
    else
        text += trial_.over() ? ", by trial" : ", trying";
    text += '\n';
    if (!trial_.results().empty()) {
        text += "  time of a step:";
        for (auto const& r : trial_.results())
            text += fmt::format("{} {:.4g} us with {}", &r == trial_.results().data() ? "" : ",", r.ns * 1e-3, r.steps);
        if (trial_.handed_ns() > 0)
            text += fmt::format(", {:.4g} us with {} and passed rows", trial_.handed_ns() * 1e-3, trial_.handed_steps());
        text += '\n';
        if (trial_.over() && now > 1) {
            auto const ns = trial_.handed() ? trial_.handed_ns() : trial_.of(now);
            text += fmt::format("  {:.2f} times as fast as with 1 time step per exchange", trial_.of(1) / ns);
            if (auto const e = trial_.expected(now); e > 0)
                text += fmt::format(", expected from 1 and 2: {:.2f}", trial_.of(1) / e);
            text += '\n';
        }
    }
    if (now > 1)
        for (auto const& g : gaits_)
            if (g->steps == now)
                text += fmt::format("  each time step advances by {} row{}, {}: a working set of {} KiB in a cache of {} KiB; room "
                                    "for {} time steps\n",
                                    g->shape.rows, g->shape.rows == 1 ? "" : "s",
                                    g->shape.width > 0 ? fmt::format("strips of {}", g->shape.width) : "as wide as the block",
                                    window_bytes(g->shape, load_) / 1024, load_.cache_bytes / 1024, limits_.most);
    for (auto const& g : gaits_)
        if (now > 1 && g->steps == now) text += explain_handing(*g);
    for (auto const& g : gaits_)
        if (now > 1 && g->steps == now && g->overlaps)
            text += fmt::format("  {:.0f} % of the computation of a pass overlaps the exchange\n", 100 * g->inside);
    if (auto const bytes = around_.absent ? 0 : bytes_of_room(); bytes > 0)
        text += fmt::format("  additional memory: {} for wider halos, none for intermediate time steps\n",
                            byte_text(static_cast<std::size_t>(bytes)));
    for (auto const& g : gaits_) {
        for (auto const* r : {g->exchange.get(), g->constant.get()})
            if (r) text += r->explain();
        if (g->levels) text += g->levels->explain();
    }
    return text;
}

} // namespace sode::internal
