// SPDX-License-Identifier: Apache-2.0
#include "plan/proof/job.hpp"

#include "plan/combiners.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <tuple>

namespace sode::internal::proof {

job::job(std::span<plan const> plans, std::span<std::vector<array_model> const> arrays, std::span<int const> machines,
         std::span<int const> wires)
    : plans_(plans), arrays_(arrays), machines_(machines), wires_(wires) {
    std::map<std::tuple<std::string_view, std::uint32_t, bool>, std::uint32_t> operators;
    first_actor_.push_back(0);
    first_line_.push_back(0);
    for (std::size_t r = 0; r < plans.size(); ++r) {
        auto& combiners = combiners_.emplace_back();
        for (auto const& o : plans[r].operators)
            combiners.push_back(
                user_combiners +
                operators.try_emplace({o.name, o.element_bytes, o.commutes}, static_cast<std::uint32_t>(operators.size()))
                    .first->second);
        auto mine = 1 + static_cast<std::uint32_t>(plans[r].streams.size());
        mine += number_messages(r, first_actor_.back() + mine);
        first_actor_.push_back(first_actor_.back() + mine);
        rank_of_.insert(rank_of_.end(), mine, static_cast<std::uint32_t>(r));
        first_line_.push_back(first_line_.back() + static_cast<std::uint32_t>(std::max<std::int64_t>(plans[r].own_lines, 0)));
        for (auto const& b : plans[r].buffers)
            if (b.role == buffer_role::array && b.instances == parity::array) groups_.try_emplace({ix(b.host), b.ordinal}, b.group);
        for (auto const& c : plans[r].choices) {
            choices_[c.key] = 0;
            most_ways_ = std::max(most_ways_, c.ways);
        }
    }
    std::uint32_t numbered = 0;
    for (auto& [key, number] : choices_) number = numbered++;
}

// The plan is not checked yet. Returns how many actors there are.
std::uint32_t job::number_messages(std::size_t rank, std::uint32_t first) {
    auto const& all = plans_[rank].descriptors;
    std::vector<std::uint64_t> times{1}; // that what is here runs, loop by loop, as far as it matters
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < all.size(); ++i) {
        auto const& d = all[i];
        if (d.op == operation::loop) times.push_back(std::clamp<std::uint64_t>(times.back() * d.argument, 1, most_carriers));
        if (d.op == operation::end_loop && times.size() > 1) times.pop_back();
        if (d.op == operation::end) times.resize(1);
        if (!is_message(d.op) && !is_put(d.op)) continue;
        auto const carriers = d.op != operation::send ? static_cast<std::uint32_t>(times.back()) : 0;
        messages_[{rank, i}] = {first + count, carriers};
        count += 1 + carriers;
    }
    return count;
}

array_model const* job::array(std::size_t rank, std::uint32_t ordinal) const noexcept {
    auto const& all = arrays_[rank];
    auto const found = std::find_if(all.begin(), all.end(), [&](array_model const& a) { return a.ordinal == ordinal; });
    return found == all.end() ? nullptr : &*found;
}

std::uint32_t job::group(std::size_t rank, std::uint32_t ordinal) const noexcept {
    auto const found = groups_.find({rank, ordinal});
    return found == groups_.end() ? 0U : found->second;
}

std::string job::describe_combiner(std::uint32_t combiner) const {
    for (std::size_t r = 0; r < combiners_.size(); ++r)
        for (std::uint32_t k = 0; k < combiners_[r].size(); ++k)
            if (combiners_[r][k] == combiner) return sode::internal::describe_combiner(plans_[r], user_combiners + k);
    return sode::internal::describe_combiner(combiner);
}

std::string job::name_of_line(std::uint32_t line) const {
    auto const host = std::upper_bound(first_line_.begin(), first_line_.end(), line) - first_line_.begin() - 1;
    return fmt::format("counter line {} of rank {}", line - first_line_[ix(host)], host);
}

} // namespace sode::internal::proof
