// SPDX-License-Identifier: Apache-2.0
#include <sode/copy.hpp>

#include "array/copy_edges.hpp"
#include "array/copy_plan.hpp"
#include "engine/inline_engine.hpp"
#include "model/job.hpp"
#include "plan/dump.hpp"
#include "plan/verify.hpp"

#include <fmt/format.h>

#include <utility>

namespace sode {
namespace {

std::optional<method> forced_method(std::string const& option, std::string const& environment) {
    std::string const& name = option.empty() ? environment : option;
    if (name.empty()) return std::nullopt;
    auto const m = method_of(name);
    if (!m)
        throw error{error_kind::usage, fmt::format("unknown channel \"{}\"", name),
                    option.empty() ? "SODE_CHANNEL asks for it" : "copy_init was given it",
                    "use pull, stage, stage-wide or reference"};
    return m;
}

copy_side side_of(detail::copy_end const& end) {
    auto side = copy_side::whole(*end.source.shape);
    for (std::size_t d = 0; d < end.picked.size(); ++d) side.picked[d] = end.picked[d];
    side.buffered = end.source.half != nullptr;
    return side;
}

copy_spec spec_of(copy_options const& options, detail::copy_end const& to, detail::copy_end const& from) {
    auto const& j = *to.source.owner;
    if (from.source.owner != &j)
        throw error{error_kind::usage,
                    fmt::format("array \"{}\" cannot be copied to array \"{}\"", from.source.shape->name, to.source.shape->name),
                    "they belong to different runtimes", "make both with the same sode::runtime"};
    copy_spec spec;
    spec.to = side_of(to);
    spec.from = side_of(from);
    spec.one_array = to.source.shape == from.source.shape;
    spec.groups = spec.to.buffered ? 1 : 0;
    if (spec.from.buffered) spec.from.group = spec.one_array ? 0 : spec.groups++;
    spec.name = options.name.empty() ? fmt::format("copy of \"{}\" to \"{}\"", from.source.shape->name, to.source.shape->name)
                                     : options.name;
    spec.forced = forced_method(options.channel, j.settings.channel);
    spec.ranks = j.boot->size();
    spec.costs = j.costs;
    spec.distances = j.distances;
    spec.check();
    return spec;
}

// Every rank looks at all pairs, so that all of them say so or none does.
void require_shared_memory(copy_spec const& spec, detail::job const& j) {
    if (j.nodes == 1) return;
    auto const places = j.boot->nodes();
    copy_edges const edges{spec};
    for (int target = 0; target < spec.ranks; ++target)
        for (int const source : edges.sources(target))
            if (places[static_cast<std::size_t>(source)] != places[static_cast<std::size_t>(target)])
                throw error{error_kind::usage, fmt::format("{} goes from rank {} to rank {}", spec.name, source, target),
                            "they are on different nodes, and copies go by shared memory only",
                            "distribute both arrays so that elements stay on their node"};
}

void verify_all(copy_spec const& spec) {
    std::vector<plan> plans;
    std::vector<std::vector<array_model>> models;
    for (int r = 0; r < spec.ranks; ++r) {
        plans.push_back(build_copy(spec, r));
        models.push_back(copy_models(spec, r));
    }
    auto const findings = verify(plans, models);
    if (!findings.empty())
        throw error{error_kind::internal, fmt::format("the plan of {} is wrong", spec.name), findings.front().message,
                    "please report this, with the output of redistribution::dump(\"json\")"};
}

std::vector<bound_array> arrays_of(copy_spec const& spec, detail::copy_end const& to, detail::copy_end const& from) {
    std::vector<bound_array> list{{{to.source.memory[0].get(), to.source.memory[1].get()}}};
    if (!spec.one_array) list.push_back({{from.source.memory[0].get(), from.source.memory[1].get()}});
    return list;
}

} // namespace

struct redistribution::impl {
    impl(copy_options const& options, detail::copy_end target, detail::copy_end source)
        : to(std::move(target)), from(std::move(source)), owner(*to.source.owner), spec(spec_of(options, to, from)),
          steps((require_shared_memory(spec, owner), owner.settings.check.plan ? verify_all(spec) : void(),
                 build_copy(spec, owner.boot->rank()))),
          places(steps, owner.surroundings(), arrays_of(spec, to, from), spec.fingerprint()),
          engine(steps, places, owner.surroundings()) {}

    [[nodiscard]] unsigned halves_now() const noexcept {
        unsigned bits = 0;
        if (to.source.half) bits |= static_cast<unsigned>(*to.source.half) << static_cast<unsigned>(spec.to.group);
        if (from.source.half) bits |= static_cast<unsigned>(*from.source.half) << static_cast<unsigned>(spec.from.group);
        return bits;
    }

    detail::copy_end to;
    detail::copy_end from;
    detail::job& owner;
    copy_spec spec;
    plan steps;
    binding places;
    inline_engine engine;
};

redistribution::redistribution(copy_options const& options, detail::copy_end to, detail::copy_end from)
    : impl_(std::make_unique<impl>(options, std::move(to), std::move(from))) {}

redistribution::~redistribution() {
    if (!impl_ || !impl_->engine.running()) return;
    try {
        impl_->engine.wait();
    } catch (error const& e) {
        fmt::print(stderr, "sode: {}\n", e.what()); // a destructor must not throw
    }
}

redistribution::redistribution(redistribution&&) noexcept = default;

redistribution& redistribution::operator=(redistribution&& other) noexcept {
    redistribution mine{std::move(other)};
    std::swap(impl_, mine.impl_);
    return *this;
}

void redistribution::start() {
    impl_->engine.start(impl_->halves_now());
}

bool redistribution::test() {
    return impl_->engine.test();
}

void redistribution::wait() {
    impl_->engine.wait();
}

std::string redistribution::explain() const {
    return sode::explain(impl_->steps);
}

std::string redistribution::dump(std::string_view format) const {
    if (format == "text") return sode::dump(impl_->steps, dump_format::text);
    if (format == "json") return sode::dump(impl_->steps, dump_format::json);
    if (format == "dot") return sode::dump(impl_->steps, dump_format::dot);
    throw error{error_kind::usage, fmt::format("cannot dump a plan as \"{}\"", format), "there are three formats",
                "use text, json or dot"};
}

std::uint64_t redistribution::executed() const noexcept {
    return impl_->engine.executed();
}
std::uint64_t redistribution::epochs() const noexcept {
    return impl_->engine.epoch();
}

} // namespace sode
