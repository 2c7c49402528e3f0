// SPDX-License-Identifier: Apache-2.0
// Messages as applications send them, by derived datatypes and packed by hand, by one MPI: a plain MPI program, which knows nothing
// of Sode. It does what it is told by `sode bench datatypes`, or compares all results once (--check).
#include "datatypes/orders.hpp"
#include "datatypes/workbench.hpp"
#include "support/machine.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace {

using namespace sode::internal::bench;

struct options {
    std::string setup = "default";
    std::string orders, answers;
    std::vector<std::string> cases;
    std::int64_t most = std::numeric_limits<std::int64_t>::max();
    bool check = false, list = false;
};

nlohmann::json told(block_time const& t) {
    return {{"regime", to_string(t.where)}, {"round_trip_ns", t.round_trip_ns}, {"median_us", t.median_us},
            {"tenth_us", t.tenth_us},       {"ninetieth_us", t.ninetieth_us},   {"rounds", t.rounds},
            {"round_us", t.round_us}};
}

nlohmann::json hello(std::string const& setup, workbench const& bench) {
    nlohmann::json all{{"library", mpi_world::library()}, {"setup", setup}, {"cases", bench.case_names()}};
    for (auto const& [key, value] : machine_facts()) all["machine"][key] = value;
    return all;
}

/// `case NAME rewritten|kept METHOD …`, `block METHOD`, `first METHOD`, `wrong`, `clear`.
nlohmann::json obey(workbench& bench, std::string const& order) {
    std::istringstream words{order};
    std::string what, argument;
    words >> what >> argument;
    if (what == "case") {
        std::string data;
        words >> data;
        std::vector<std::string> methods;
        for (std::string m; words >> m;) methods.push_back(m);
        auto const bytes = bench.set_up(argument, data == "kept" ? send_data::kept : send_data::rewritten, methods);
        return {{"bytes", bytes}, {"wrong", bench.verify()}};
    }
    if (what == "block") {
        auto answer = told(bench.block(argument));
        answer["communication"] = bench.communication_share();
        return answer;
    }
    if (what == "first") return told(bench.first_uses(argument));
    if (what == "wrong") return {{"wrong", bench.wrong()}};
    if (what == "clear") {
        bench.clear();
        return nlohmann::json::object();
    }
    throw std::invalid_argument{"no order \"" + order + "\""};
}

int serve(mpi_world const& world, options const& o) {
    orders from{world, o.orders, o.answers};
    workbench bench{world};
    from.answer(hello(o.setup, bench).dump());
    for (auto order = from.next(); !order.empty() && order != "end"; order = from.next()) from.answer(obey(bench, order).dump());
    return 0;
}

/// The number at the end of every name.
std::int64_t bytes_of(std::string const& name) {
    return std::stoll(name.substr(name.rfind('_') + 1));
}

/// Every method of every case, with data that change and data that stay; how many are wrong.
int check(mpi_world const& world, std::vector<std::string> const& cases, std::int64_t most) {
    workbench bench{world};
    int failures = 0;
    for (auto const& name : cases.empty() ? bench.case_names() : cases)
        for (auto data : {send_data::rewritten, send_data::kept}) {
            if (bytes_of(name) > most) continue;
            bench.set_up(name, data, workbench::methods_of(name));
            long wrong = bench.verify();
            if (!name.starts_with("app_")) static_cast<void>(bench.first_uses("datatypes"));
            wrong += bench.wrong();
            failures += wrong != 0;
            if (world.rank() == 0)
                fmt::print("{:<22} {:<10} {}\n", name, data == send_data::kept ? "kept" : "rewritten",
                           wrong == 0 ? "ok" : std::to_string(wrong) + " elements are wrong");
        }
    return failures == 0 ? 0 : 1;
}

int perform(mpi_world const& world, options const& o) {
    if (o.list) {
        for (auto const& name : workbench{world}.case_names())
            if (world.rank() == 0) std::puts(name.c_str());
        return 0;
    }
    if (o.check) return check(world, o.cases, o.most);
    if (o.orders.empty() || o.answers.empty())
        throw std::invalid_argument{
            "nothing to do (this program is started by `sode bench datatypes`; --check compares all results)"};
    return serve(world, o);
}

} // namespace

int main(int argc, char** argv) {
    mpi_world const world{argc, argv};
    options o;
    CLI::App app{"Messages of applications, by derived datatypes and packed by hand"};
    app.add_flag("--check", o.check, "Compare every method's results and stop");
    app.add_flag("--list", o.list, "Print the names of the cases");
    app.add_option("--cases", o.cases, "What --check compares (default: everything)")->delimiter(',');
    app.add_option("--most", o.most, "Leave out what is larger, in bytes");
    app.add_option("--setup", o.setup, "A label for the results");
    app.add_option("--orders", o.orders, "A named pipe to read from what to do");
    app.add_option("--answers", o.answers, "A named pipe to write to what came of it");
    CLI11_PARSE(app, argc, argv);
    try {
        return perform(world, o);
    } catch (std::exception const& e) {
        fmt::print(stderr, "bench_datatypes, rank {}: {}\n", world.rank(), e.what());
        std::fflush(nullptr);
        MPI_Abort(world.communicator(), 2);
    }
    return 2;
}
