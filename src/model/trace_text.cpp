// SPDX-License-Identifier: Apache-2.0
#include "model/trace_text.hpp"

#include "engine/trace_rows.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace sode::internal {
namespace {

using json = nlohmann::ordered_json;

// So that every line has its length bounded, whatever a plan is called and however many edges it has.
constexpr std::size_t most_of_name = 160;
constexpr std::size_t most_of_arguments = 2048;

std::string quoted(std::string const& text) {
    return json(text.substr(0, most_of_name)).dump(-1, ' ', true, json::error_handler_t::replace);
}

std::string arguments_of(trace_subject const& s) {
    auto text = fmt::format("\"bytes\": {}, \"edges\": [", s.bytes);
    std::size_t shown = 0;
    for (auto const& e : s.edges) {
        auto const edge = fmt::format("{}{{\"rank\": {}, \"direction\": \"{}\", \"bytes\": {}, \"channel\": \"{}\"}}",
                                      shown > 0 ? ", " : "", e.peer, e.direction, e.bytes, e.channel);
        if (text.size() + edge.size() > most_of_arguments) break;
        text += edge;
        ++shown;
    }
    text += ']';
    if (shown < s.edges.size()) text += fmt::format(", \"edges not shown\": {}", s.edges.size() - shown);
    return text;
}

std::string_view category(trace_kind k) {
    switch (k) {
    case trace_kind::exchange: return "exchange";
    case trace_kind::work: return "work";
    case trace_kind::waiting: return "wait";
    case trace_kind::warning:
    case trace_kind::failure: break;
    }
    return "trouble";
}

// Microseconds, to the nanosecond.
std::string in_microseconds(std::int64_t ns) {
    return fmt::format("{}{}.{:03}", ns < 0 ? "-" : "", std::abs(ns) / 1000, std::abs(ns) % 1000);
}

} // namespace

trace_text::trace_text(trace_log const& log, int rank, int ranks, std::int64_t origin_ns)
    : log_(log), rank_(rank), ranks_(ranks), origin_ns_(origin_ns) {
    name_threads();
    describe_subjects();
}

void trace_text::name_threads() {
    std::uint16_t lanes = 1;      // a rank that did nothing has its row all the same
    std::set<std::uint16_t> rows; // with names of their own
    for (std::size_t i = 0; i < log_.kept(); ++i)
        if (auto const lane = log_.event(i).lane; lane < trace_rows::first)
            lanes = std::max<std::uint16_t>(lanes, lane + 1U);
        else
            rows.insert(lane);
    for (std::uint16_t lane = 0; lane < lanes; ++lane)
        name_thread(lane,
                    lane == 0 ? fmt::format("rank {}", rank_) : fmt::format("rank {}, exchange {} at a time", rank_, lane + 1));
    for (auto const lane : rows) name_thread(lane, fmt::format("rank {}, {}", rank_, trace_rows::name(log_, lane)));
    if (log_.lost() > 0)
        lines_.push_back(fmt::format(
            R"({{"name": "{} older events were not kept", "cat": "trouble", "ph": "i", "s": "t", "ts": {}, "pid": 1, "tid": {}}},)"
            "\n",
            log_.lost(), in_microseconds(log_.event(0).begin_ns - origin_ns_), thread(0)));
}

void trace_text::name_thread(std::uint16_t lane, std::string const& name) {
    constexpr std::int64_t most = std::int64_t{1} << 16U; // rows of a rank
    lines_.push_back(fmt::format(R"({{"name": "thread_name", "ph": "M", "pid": 1, "tid": {}, "args": {{"name": {}}}}},)"
                                 "\n",
                                 thread(lane), quoted(name)));
    lines_.push_back(fmt::format(R"({{"name": "thread_sort_index", "ph": "M", "pid": 1, "tid": {}, "args": {{"sort_index": {}}}}},)"
                                 "\n",
                                 thread(lane), rank_ * most + lane));
}

void trace_text::describe_subjects() {
    // A plan's subjects are as long as the job, its events are not: nothing is said of what is not there any more.
    std::vector<bool> used;
    auto const wanted = [&](std::uint32_t s) {
        if (used.size() <= s) used.resize(s + 1U, false);
        used[s] = true;
    };
    for (std::size_t i = 0; i < log_.kept(); ++i) wanted(log_.event(i).subject);
    names_.resize(used.size());
    arguments_.resize(used.size());
    for (std::uint32_t s = 0; s < used.size(); ++s) {
        if (!used[s]) continue;
        names_[s] = quoted(log_.subject(s).name);
        arguments_[s] = arguments_of(log_.subject(s));
    }
}

std::string trace_text::line(trace_event const& e) const {
    auto const place = fmt::format("\"pid\": 1, \"tid\": {}, \"ts\": {}", thread(e.lane), in_microseconds(e.begin_ns - origin_ns_));
    auto const slice = [&](std::string_view name, std::string_view more) {
        return fmt::format("{{\"name\": {}, \"cat\": \"{}\", \"ph\": \"X\", {}, \"dur\": {}, \"args\": {{\"epoch\": {}{}}}}},\n",
                           name, category(e.kind), place, in_microseconds(e.end_ns - e.begin_ns), e.epoch, more);
    };
    auto const instant = [&](std::string_view name) {
        return fmt::format(
            "{{\"name\": \"{}\", \"cat\": \"{}\", \"ph\": \"i\", \"s\": \"t\", {}, \"args\": {{\"epoch\": {}, \"plan\": {}}}}},\n",
            name, category(e.kind), place, e.epoch, names_[e.subject]);
    };
    switch (e.kind) {
    case trace_kind::waiting: return slice(fmt::format("\"wait for rank {}\"", e.peer), fmt::format(", \"rank\": {}", e.peer));
    case trace_kind::warning: return instant(fmt::format("has waited long for rank {}", e.peer));
    case trace_kind::failure: return instant("gave up");
    case trace_kind::exchange:
    case trace_kind::work: break;
    }
    return slice(names_[e.subject], ", " + arguments_[e.subject]);
}

std::string trace_text::next(std::size_t room) {
    std::string text;
    for (; at_ < lines_.size() + log_.kept(); ++at_) {
        auto const one = at_ < lines_.size() ? lines_[at_] : line(log_.event(at_ - lines_.size()));
        if (text.size() + one.size() > room) break;
        text += one;
    }
    return text;
}

} // namespace sode::internal
