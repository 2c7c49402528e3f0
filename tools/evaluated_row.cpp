// SPDX-License-Identifier: Apache-2.0
#include "evaluated_row.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace sode::internal::tools {
namespace {

void close(std::ofstream& out, std::string const& file, std::string_view option) {
    if (!out.flush())
        throw error{error_kind::environment, fmt::format("{} cannot be written", file), "the file system reports an error",
                    fmt::format("choose another {}", option)};
}

// A rank has a line for its core and one for its network interfaces.
int line_of(evaluated_step const& s) noexcept {
    return 2 * s.rank + (s.by_interface ? 2 : 1);
}

} // namespace

std::string evaluated_row::name() const {
    return leaders > 1 ? fmt::format("{} by {} leaders", algorithm, leaders) : algorithm;
}

void write_timeline(std::string const& file, evaluation const& e, int ranks) {
    std::ofstream out{file};
    out << "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n";
    bool interfaces = false;
    for (auto const& s : e.timeline) {
        auto const with = s.peer < 0 ? std::string{} : fmt::format(" {} rank {}", s.op == operation::send ? "to" : "from", s.peer);
        interfaces |= s.by_interface;
        out << fmt::format(
            "{{\"name\": \"{}{}\", \"cat\": \"work\", \"ph\": \"X\", \"pid\": 1, \"tid\": {}, \"ts\": {:.3f}, \"dur\": {:.3f}}},\n",
            to_string(s.op), with, line_of(s), s.begin / 1000, (s.end - s.begin) / 1000);
    }
    auto const name = [&](int tid, std::string_view what, int rank) {
        out << fmt::format(
            "{{\"name\": \"thread_name\", \"ph\": \"M\", \"pid\": 1, \"tid\": {}, \"args\": {{\"name\": \"{} {}\"}}}},\n", tid,
            what, rank);
    };
    for (int r = 0; r < ranks; ++r) {
        name(2 * r + 1, "rank", r);
        if (interfaces) name(2 * r + 2, "interfaces of rank", r);
    }
    out << "{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": 1, \"tid\": 1, \"args\": {\"name\": \"predicted\"}}\n]}\n";
    close(out, file, "--timeline");
}

void write_rows(std::string const& file, std::vector<evaluated_row> const& rows, int epochs) {
    auto list = nlohmann::ordered_json::array();
    for (auto const& r : rows) {
        nlohmann::ordered_json row{{"algorithm", r.algorithm},
                                   {"leaders", r.leaders},
                                   {"engine", to_string(r.who)},
                                   {"bytes", r.bytes},
                                   {"chosen", r.chosen}};
        if (!r.instead.empty()) {
            row["not_evaluated"] = r.instead;
        } else {
            auto const& e = r.found;
            row["first"] = e.epoch;
            row["then"] = e.repeated;
            row["start"] = e.starting;
            row["plan"] = e.planning;
            row["messages"] = e.messages / static_cast<std::uint64_t>(epochs);
            row["moved"] = e.bytes / static_cast<std::uint64_t>(epochs);
            row["link"] = e.busiest_link / epochs;
            row["core"] = e.busiest_core / epochs;
        }
        list.push_back(std::move(row));
    }
    std::ofstream out{file};
    out << list.dump(1) << "\n";
    close(out, file, "--json");
}

} // namespace sode::internal::tools
