// SPDX-License-Identifier: Apache-2.0
#include "collective/reductions.hpp"

#include "base/activity.hpp"
#include "base/mixing.hpp"
#include "engine/prepared_list.hpp"
#include "model/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sode::internal {
namespace {

// Neighbours that are combined in one way are one part.
collective_terms terms_of(reduce_call const& call, detail::job const& j) {
    collective_terms terms;
    terms.take(j);
    terms.kind = call.root < 0 ? collective_kind::allreduce : collective_kind::broadcast;
    terms.root = call.root;
    for (auto const& p : call.parts) {
        auto const type = static_cast<element>(p.type);
        auto const how = call.root < 0 ? combiner(static_cast<reduction>(p.op), type) : 0;
        auto const bytes = static_cast<std::int64_t>(call.root < 0 ? p.elements * size_of(type) : p.elements);
        if (!terms.parts.empty() && terms.parts.back().combiner == how)
            terms.parts.back().bytes += bytes;
        else
            terms.parts.push_back({bytes, how});
    }
    terms.name = fmt::format("{} of {} bytes", call.root < 0 ? "reduce" : "broadcast", terms.bytes());
    return terms;
}

bool same(detail::combined_part const& a, detail::combined_part const& b) noexcept {
    return a.elements == b.elements && a.op == b.op && a.type == b.type;
}

} // namespace

std::size_t reductions::hash::operator()(reduce_call const& c) const noexcept {
    std::uint64_t sum = 0;
    mix(sum, index_t{c.root});
    for (auto const& p : c.parts) mix(sum, std::uint64_t{p.elements} << 16U | std::uint64_t{p.op} << 8U | p.type);
    return sum;
}

bool reductions::equal::operator()(reduce_call const& a, reduce_call const& b) const noexcept {
    return a.root == b.root && std::ranges::equal(a.parts, b.parts, same);
}

kept_collective& reductions::add(reduce_call const& call) {
    doing const what{call.root < 0 ? activity::reduce : activity::broadcast};
    auto terms = terms_of(call, job_);
    auto at = std::ranges::find_if(plans_, [&](auto const& p) { return p->same(terms); });
    if (at == plans_.end()) at = plans_.insert(at, std::make_unique<kept_collective>(job_, std::move(terms)));
    known_.emplace(kept_call{{call.parts.begin(), call.parts.end()}, call.root}, at->get());
    return **at;
}

std::string reductions::explain() const {
    std::string text;
    for (auto const& p : plans_) text += p->run().explain();
    return text;
}

std::string reductions::dump(std::string_view format) const {
    std::vector<plan const*> all;
    for (auto const& p : plans_) all.push_back(&p->run().steps());
    return dump_all(all, format);
}

std::uint64_t reductions::executed() const noexcept {
    std::uint64_t n = 0;
    for (auto const& p : plans_) n += p->run().executed();
    return n;
}

std::uint64_t reductions::epochs() const noexcept {
    std::uint64_t n = 0;
    for (auto const& p : plans_) n += p->run().epochs();
    return n;
}

} // namespace sode::internal
