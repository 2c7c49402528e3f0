// SPDX-License-Identifier: Apache-2.0
#include <sode/copy.hpp>

#include "array/copy/copy_run.hpp"
#include "plan/dump.hpp"

#include <fmt/format.h>

#include <utility>

namespace sode {
namespace {

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
    take_settings(spec, j, options.channel, "copy_init");
    spec.check();
    return spec;
}

} // namespace

struct redistribution::impl {
    impl(copy_options const& options, detail::copy_end const& to, detail::copy_end const& from)
        : run(spec_of(options, to, from), to.source, from.source) {}

    copy_run run;
};

redistribution::redistribution(copy_options const& options, detail::copy_end const& to, detail::copy_end const& from)
    : impl_(std::make_unique<impl>(options, to, from)) {}

redistribution::~redistribution() {
    if (!impl_ || !impl_->run.engine().running()) return;
    try {
        impl_->run.engine().wait();
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
    impl_->run.start();
}

bool redistribution::test() {
    return impl_->run.engine().test();
}

void redistribution::wait() {
    impl_->run.engine().wait();
}

std::string redistribution::explain() const {
    return sode::explain(impl_->run.steps());
}

std::string redistribution::dump(std::string_view format) const {
    if (format == "text") return sode::dump(impl_->run.steps(), dump_format::text);
    if (format == "json") return sode::dump(impl_->run.steps(), dump_format::json);
    if (format == "dot") return sode::dump(impl_->run.steps(), dump_format::dot);
    throw error{error_kind::usage, fmt::format("cannot dump a plan as \"{}\"", format), "there are three formats",
                "use text, json or dot"};
}

std::uint64_t redistribution::executed() const noexcept {
    return impl_->run.engine().executed();
}
std::uint64_t redistribution::epochs() const noexcept {
    return impl_->run.engine().epoch();
}

} // namespace sode
