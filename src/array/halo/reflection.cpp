// SPDX-License-Identifier: Apache-2.0
#include <sode/halo.hpp>

#include "array/checked_plan.hpp"
#include "array/full_shadow.hpp"
#include "array/halo/halo_edges.hpp"
#include "array/halo/halo_plan.hpp"
#include "array/halo/reverse_run.hpp"
#include "array/machine_blocks.hpp"
#include "engine/inline_engine.hpp"
#include "model/job.hpp"
#include "plan/dump.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace sode {
namespace {

std::string name_of(reflect_options const& options, std::vector<detail::halo_source> const& sources) {
    if (!options.name.empty()) return options.name;
    std::vector<std::string> names;
    for (auto const& s : sources) names.push_back('"' + s.shape->name + '"');
    return fmt::format("halo of {}", fmt::join(names, ", "));
}

std::optional<method> forced_method(std::string const& option, std::string const& environment) {
    std::string const& name = option.empty() ? environment : option;
    if (name.empty()) return std::nullopt;
    auto const m = method_of(name);
    if (!m)
        throw error{error_kind::usage, fmt::format("unknown channel \"{}\"", name),
                    option.empty() ? "SODE_CHANNEL asks for it" : "reflect_init was given it",
                    "use pull, stage, stage-wide, stage-chunks, inline, mpi, mpi-node or reference"};
    return m;
}

halo_spec spec_of(reflect_options const& options, std::vector<detail::halo_source> const& sources, detail::job const& j) {
    halo_spec spec;
    spec.name = name_of(options, sources);
    spec.corners = options.corners;
    spec.credits = options.credits;
    spec.forced = forced_method(options.channel, j.settings.channel);
    if (spec.forced == method::message && j.nodes == 1 && j.boot->size() > 1 && !j.boot->messages())
        throw error{error_kind::usage, fmt::format("{} cannot go by channel mpi", spec.name),
                    fmt::format("ranks started by {} have no messages", j.boot->name()),
                    "start the program with an MPI's mpirun, or force another channel"};
    spec.ranks = j.boot->size();
    spec.costs = j.costs;
    spec.distances = j.distances;
    if (j.nodes > 1) {
        spec.nodes = j.node_of;
        spec.pretended = j.settings.node_size > 0;
    }
    for (int d = 0; d < max_dims; ++d) spec.periodic[static_cast<std::size_t>(d)] = options.periodic.at(d);
    // Buffered arrays that flip as one share a parity.
    std::vector<int const*> halves;
    for (auto const& s : sources) {
        halo_field f{.shape = s.shape.get(), .lower = s.lower, .upper = s.upper, .buffered = s.half != nullptr};
        if (f.buffered) {
            auto const at = std::find(halves.begin(), halves.end(), s.half.get());
            f.group = static_cast<int>(at - halves.begin());
            if (at == halves.end()) halves.push_back(s.half.get());
        }
        spec.fields.push_back(f);
    }
    spec.groups = static_cast<int>(halves.size());
    spec.check();
    if (spec.forced == method::in_line) {
        // It may not fit on some ranks only: all must say so, or those that can would wait for those that cannot.
        halo_edges const edges{spec};
        halo_edges::outgoing out;
        for (int r = 0; r < spec.ranks; ++r) edges.from(r, out);
    }
    return spec;
}

plan build_checked(halo_spec const& spec, detail::job const& j) {
    return checked_plan(
        j, [&](int r) { return build_halo(spec, r); }, [&](int r) { return halo_models(spec, r); },
        "the output of reflection::dump(\"json\")");
}

} // namespace

struct reflection::impl {
    impl(reflect_options const& options, std::vector<detail::halo_source> given)
        : sources(std::move(given)), owner(*sources.front().owner), spec(spec_of(options, sources, owner)),
          steps(build_checked(spec, owner)), places(steps, owner.surroundings(), arrays(), spec.fingerprint()),
          engine(steps, places, owner.surroundings()) {
        std::vector<int const*> known;
        for (auto const& s : sources)
            if (s.half && std::find(known.begin(), known.end(), s.half.get()) == known.end()) known.push_back(s.half.get());
        halves = std::move(known);
        auto const m = margin_of(spec, owner.boot->rank());
        rim = {.dims = spec.fields.front().shape->dims, .lower = m.lower, .upper = m.upper};
        for (auto const& s : sources)
            if (wants_full(s)) fills.push_back(make_fill(s, options.channel));
        widen_rim();
        if (owner.watches) find_refreshes();
    }

    [[nodiscard]] std::vector<bound_array> arrays() const {
        std::vector<bound_array> list;
        for (auto const& s : sources) list.push_back({{s.memory[0].get(), s.memory[1].get()}, s.shape->shared()});
        return list;
    }

    // With a full shadow any element may depend on any other.
    void widen_rim() {
        for (auto const& s : sources)
            for (std::size_t d = 0; d < max_dims; ++d)
                if (s.full[d]) rim.lower[d] = rim.upper[d] = s.shape->axes[d].extent;
    }

    [[nodiscard]] bool running() const noexcept {
        return engine.running() || reversing() ||
               std::any_of(fills.begin(), fills.end(), [](auto const& f) { return f->engine().running(); });
    }
    void refuse_while_reversing() const {
        if (reversing())
            throw error{error_kind::usage, fmt::format("{} was started while it runs in reverse", spec.name),
                        "its last exchange is not over", "call wait() before the next start()"};
    }
    void start() {
        engine.start(halves_now());
        for (auto const& f : fills) f->start();
    }
    [[nodiscard]] bool reversing() const noexcept { return reversed && reversed->engine().running(); }
    void start_reverse(reduction op) {
        if (running())
            throw error{error_kind::usage, fmt::format("reverse of {} was started too early", spec.name),
                        "its last exchange is not over", "call wait() before it"};
        auto& run = reversals[static_cast<std::size_t>(op)];
        if (!run) run = std::make_unique<reverse_run>(spec, sources, arrays(), op, owner);
        reversed = run.get();
        reversed->engine().start(halves_now());
    }

    [[nodiscard]] bool test() {
        if (reversing()) return reversed->engine().test();
        bool over = engine.test();
        for (auto const& f : fills) over = f->engine().test() && over;
        return over;
    }
    void wait() {
        if (reversing()) return reversed->engine().wait();
        engine.wait();
        for (auto const& f : fills) f->engine().wait();
    }

    void find_refreshes() {
        for (auto const& f : spec.fields) {
            detail::refresh r{.lower = f.lower, .upper = f.upper, .corners = spec.corners};
            auto const& wanted = sources[refreshes.size()].full;
            for (std::size_t d = 0; d < max_dims; ++d) {
                r.periodic[d] = spec.periodic[d];
                r.full[d] = wanted[d] && f.shape->axes[d].full;
                if (r.full[d]) r.lower[d] = r.upper[d] = f.shape->axes[d].extent;
            }
            refreshes.push_back(r);
        }
    }

    [[nodiscard]] unsigned halves_now() const noexcept {
        unsigned bits = 0;
        for (std::size_t g = 0; g < halves.size(); ++g) bits |= static_cast<unsigned>(*halves[g]) << g;
        return bits;
    }

    void begin_checks() {
        for (std::size_t f = 0; f < sources.size(); ++f) {
            auto const now = sources[f].half ? static_cast<std::size_t>(*sources[f].half) : 0U;
            watched.push_back(sources[f].watch[now].get());
            watched.back()->begin_exchange(refreshes[f]);
        }
    }
    void end_checks() {
        // One of them may throw; the next exchange begins with none all the same.
        auto const ended = std::exchange(watched, {});
        for (auto* w : ended) w->end_exchange();
    }

    std::vector<detail::halo_source> sources;
    detail::job& owner;
    halo_spec spec;
    plan steps;
    binding places;
    inline_engine engine;
    std::vector<std::unique_ptr<copy_run>> fills;          // of full shadows
    std::array<std::unique_ptr<reverse_run>, 4> reversals; // by operation, made when first asked for
    reverse_run* reversed = nullptr;                       // the last one started
    std::vector<int const*> halves;                        // of each group, kept alive by `sources`
    detail::margin rim;
    std::vector<detail::refresh> refreshes; // SODE_CHECK=halo only
    std::vector<detail::halo_watch*> watched;
};

reflection::reflection(reflect_options const& options, std::vector<detail::halo_source> sources)
    : impl_(std::make_unique<impl>(options, std::move(sources))) {}

reflection::~reflection() {
    if (!impl_ || !impl_->running()) return;
    try {
        impl_->wait();
    } catch (error const& e) {
        fmt::print(stderr, "sode: {}\n", e.what()); // a destructor must not throw
    }
}

reflection::reflection(reflection&&) noexcept = default;

reflection& reflection::operator=(reflection&& other) noexcept {
    reflection mine{std::move(other)};
    std::swap(impl_, mine.impl_);
    return *this;
}

void reflection::start() {
    impl_->refuse_while_reversing();
    if (impl_->owner.watches) impl_->begin_checks();
    impl_->start();
}

bool reflection::test() {
    if (!impl_->test()) return false;
    impl_->end_checks();
    return true;
}

void reflection::wait() {
    impl_->wait();
    impl_->end_checks();
}

void reflection::begin_reverse(std::uint8_t op) {
    impl_->start_reverse(static_cast<reduction>(op));
}

std::string reflection::explain() const {
    auto text = sode::explain(impl_->steps, impl_->owner.memory->name());
    for (auto const& f : impl_->fills) text += sode::explain(f->steps());
    for (auto const& r : impl_->reversals)
        if (r) text += sode::explain(r->steps());
    auto const& grid = impl_->spec.fields.front().shape->grid;
    if (impl_->owner.nodes > 1 && grid.size() > 1) text += describe_mapping(grid, impl_->owner.node_of);
    return text;
}

std::string reflection::dump(std::string_view format) const {
    return sode::dump(impl_->steps, dump_format_of(format));
}

std::uint64_t reflection::executed() const noexcept {
    auto n = impl_->engine.executed();
    for (auto const& f : impl_->fills) n += f->engine().executed();
    return n;
}
std::uint64_t reflection::epochs() const noexcept {
    return impl_->engine.epoch();
}

detail::margin const& reflection::rim_for(int dims) const {
    if (dims != impl_->rim.dims)
        throw error{error_kind::usage, fmt::format("a loop over {} dimensions cannot overlap {}", dims, impl_->spec.name),
                    fmt::format("its arrays have {}", impl_->rim.dims), "loop over the index space of the arrays"};
    return impl_->rim;
}

bool reflection::by_messages() const noexcept {
    return impl_->owner.nodes > 1 || std::ranges::any_of(impl_->steps.descriptors, [](auto const& d) { return is_message(d.op); });
}

detail::job& reflection::job() const noexcept {
    return impl_->owner;
}

} // namespace sode
