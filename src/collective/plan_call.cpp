// SPDX-License-Identifier: Apache-2.0
#include <sode/detail/collective_call.hpp>

#include "base/activity.hpp"
#include "base/mixing.hpp"
#include "collective/plan_collective.hpp"
#include "engine/prepared_list.hpp"
#include "model/job.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace sode {
using namespace internal;

namespace {

bool overlap(std::span<std::byte const> a, std::span<std::byte const> b) {
    return a.data() < b.data() + b.size() && b.data() < a.data() + a.size();
}

class call_planner {
public:
    call_planner(detail::job& j, detail::collective_call const& call) : job_(j), call_(call), rank_(j.ranks->rank()) {}

    std::unique_ptr<prepared_list> plan() {
        terms_.take(job_);
        terms_.kind = static_cast<collective_kind>(call_.kind);
        terms_.root = call_.root;
        terms_.name = call_.options.name;
        terms_.overlap = call_.options.overlap;
        doing const what{activity::collective};
        agree();
        auto list = std::make_unique<prepared_list>();
        list->keep(job_.shared_from_this());
        std::vector<plan_calls::combiner> operators;
        if (!call_.how.name.empty()) operators.push_back(call_.how.function);
        auto* const input = const_cast<std::byte*>(call_.input.data());
        list->add(prepare_collective(job_, terms_, {input, call_.output.data()}, call_.options.algorithm, std::move(operators)));
        return list;
    }

private:
    [[nodiscard]] bool broadcasts() const noexcept { return terms_.kind == collective_kind::broadcast; }
    [[nodiscard]] bool rooted() const noexcept { return broadcasts() || terms_.kind == collective_kind::reduce; }
    [[nodiscard]] bool gets() const noexcept {
        return terms_.kind != collective_kind::barrier && (terms_.kind != collective_kind::reduce || rank_ == terms_.root);
    }
    [[nodiscard]] bool in_place() const noexcept {
        return !broadcasts() && gets() && !call_.input.empty() && call_.input.data() == call_.output.data();
    }
    [[nodiscard]] std::string name() const { return terms_.name.empty() ? std::string{to_string(terms_.kind)} : terms_.name; }

    [[nodiscard]] error wrong(std::string_view what, std::string_view why, std::string_view hint) const {
        return {error_kind::usage, fmt::format("{} cannot be planned: {}", name(), what), why, hint};
    }

    // What this rank alone can find.
    [[nodiscard]] std::optional<error> trouble() const {
        auto const ranks = terms_.ranks();
        if (rooted() && (terms_.root < 0 || terms_.root >= ranks))
            return wrong(fmt::format("there is no rank {}", terms_.root), fmt::format("the job has ranks 0 to {}", ranks - 1),
                         "choose one of these ranks as the root");
        if (auto const o = call_.options.overlap; o && !(*o >= 0 && *o <= 1))
            return wrong(fmt::format("rank {} asks for an overlap of {}", rank_, *o),
                         "an overlap is a fraction of the communication time, from 0 to 1",
                         "pass 1 if the program computes during the whole communication, or omit the option");
        if ((!call_.input.empty() && !call_.input.data()) || (gets() && !call_.output.empty() && !call_.output.data()))
            return wrong(fmt::format("rank {} passes no memory", rank_), "the pointer is null", "pass the address of the memory");
        bool const deals = terms_.kind == collective_kind::reduce_scatter;
        if (gets() && !deals && call_.output.size() != call_.input.size())
            return wrong(
                fmt::format("rank {} has {} bytes of input and {} of output", rank_, call_.input.size(), call_.output.size()),
                "input and output must have the same length", "pass memory of equal length");
        if (gets() && !broadcasts() && !in_place() && overlap(call_.input, call_.output))
            return wrong(fmt::format("the output of rank {} overlaps its input", rank_), "some bytes are in both",
                         "pass the same memory twice to work in place, or pass separate memory");
        return {};
    }

    // Equal on all ranks, or nothing can be planned.
    [[nodiscard]] std::string words() const {
        std::string text = name();
        if (terms_.kind != collective_kind::barrier) text += fmt::format(" of {} bytes", call_.input.size());
        if (rooted()) text += fmt::format(" with root {}", terms_.root);
        if (!call_.how.name.empty())
            text += fmt::format(" by {} of {} bytes{}", call_.how.name, call_.how.element_bytes,
                                call_.how.commutes ? ", which commutes" : "");
        else if (!broadcasts() && terms_.kind != collective_kind::barrier)
            text += " by " + describe_combiner(how());
        if (!call_.options.algorithm.empty()) text += " by algorithm " + call_.options.algorithm;
        return text;
    }
    [[nodiscard]] std::uint32_t how() const noexcept {
        return combiner(static_cast<reduction>(call_.how.op), static_cast<element>(call_.how.type));
    }

    [[nodiscard]] bool shared(std::span<std::byte const> memory) const {
        auto const& space = *job_.memory;
        return memory.empty() || space.one_address_space() ||
               (space.owner_of(memory.data()) == rank_ && space.owner_of(&memory.back()) == rank_);
    }

    void agree() {
        call_reason const reason{job_.waits.get(), fmt::format("during planning of {}", name())};
        auto const mine = trouble();
        std::uint64_t hash = 0;
        auto const text = words();
        for (char const c : text) mix(hash, static_cast<std::uint64_t>(c));
        // What others load: the root's alone of a broadcast.
        bool const input = broadcasts() && rank_ != terms_.root ? true : shared(call_.input);
        bool const output = !gets() || (broadcasts() && rank_ == terms_.root) || shared(call_.output);
        std::array<std::uint64_t, 6> maxima{mine ? 1U : 0U, input ? 0U : 1U, output ? 0U : 1U, in_place() ? 1U : 0U, hash, ~hash};
        job_.ranks->boot().combine(maxima, {});
        if (maxima[0] != 0) tell(mine);
        if (maxima[4] != ~maxima[5]) refuse(text);
        terms_.shared_inputs = maxima[1] == 0;
        terms_.shared_outputs = maxima[2] == 0;
        terms_.some_in_place = maxima[3] != 0;
        describe();
    }

    void describe() {
        auto const bytes = static_cast<std::int64_t>(call_.input.size());
        auto combiner_of = broadcasts() ? 0 : how();
        if (!call_.how.name.empty()) {
            terms_.operators = {{.name = call_.how.name, .element_bytes = call_.how.element_bytes, .commutes = call_.how.commutes}};
            combiner_of = user_combiners;
        }
        if (bytes > 0) terms_.parts = {{bytes, combiner_of}};
        auto const ranks = static_cast<std::size_t>(terms_.ranks());
        if (terms_.some_in_place) {
            std::vector<char> all(ranks);
            char const here = in_place() ? 1 : 0;
            if (job_.settings.check.plan)
                job_.ranks->boot().allgather(&here, 1, all.data()); // all plans are built
            else
                all[static_cast<std::size_t>(rank_)] = here;
            terms_.in_place.assign(all.begin(), all.end());
        }
        if (terms_.kind == collective_kind::reduce_scatter) deal(bytes);
    }

    void deal(std::int64_t bytes) {
        auto const mine = static_cast<std::int64_t>(call_.output.size());
        terms_.dealt.resize(static_cast<std::size_t>(terms_.ranks()));
        job_.ranks->boot().allgather(&mine, sizeof mine, terms_.dealt.data());
        std::int64_t sum = 0;
        for (auto const part : terms_.dealt) sum += part;
        auto const grain = static_cast<std::int64_t>(std::max(call_.how.element_bytes, 1U));
        bool const whole = std::ranges::all_of(terms_.dealt, [&](std::int64_t part) { return part % grain == 0; });
        if (sum != bytes || !whole)
            throw wrong(fmt::format("the outputs of all ranks have {} bytes, and the input has {}", sum, bytes),
                        "each element of the result must go to one rank",
                        "make the lengths of all outputs add up to the length of the input");
    }

    // The first rank's error, on all of them.
    [[noreturn]] void tell(std::optional<error> const& mine) const {
        for (auto const& text : job_.ranks->boot().allgather(mine ? mine->what() : std::string_view{}))
            if (!text.empty()) throw error{error_kind::usage, text, "", ""};
        throw wrong("a rank cannot take part", "the rank gives no reason", "report this defect of Sode");
    }

    [[noreturn]] void refuse(std::string const& mine) const {
        auto const all = job_.ranks->boot().allgather(mine);
        auto const other = std::ranges::find_if(all, [&](auto const& t) { return t != all.front(); });
        throw error{error_kind::usage, fmt::format("ranks 0 and {} plan different collectives", other - all.begin()),
                    fmt::format("{}, and {}", all.front(), *other), "call the same collective with the same lengths on every rank"};
    }

    detail::job& job_;
    detail::collective_call const& call_;
    int rank_;
    collective_terms terms_;
};

} // namespace

planned detail::plan_collective(job& j, collective_call const& call) {
    j.require_running("a collective");
    return planned{call_planner{j, call}.plan()};
}

} // namespace sode
