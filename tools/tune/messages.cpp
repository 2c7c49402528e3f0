// SPDX-License-Identifier: Apache-2.0
#include "tune/messages.hpp"

#include "base/bootstraps.hpp"
#include "base/clock.hpp"
#include "base/topology.hpp"
#include "base/whole_file.hpp"
#include "tune/estimate.hpp"
#include "tune/progress.hpp"
#include "tune/report.hpp"

#include <sode/error.hpp>
#include <sode/messages.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <filesystem>

namespace sode::tools {
namespace {

// NOLINTNEXTLINE(google-build-using-namespace): a handful of constants of this folder, and nothing else
using namespace tune_shapes;

// Messages of one size that go to and fro between two ranks. One of them leads, and takes the times.
class courier {
public:
    courier(bootstrap& boot, int peer, bool leads, std::int64_t bytes)
        : boot_(boot), peer_(peer), leads_(leads), set_(boot.messages()->make_set()) {
        for (int k = 0; k < many; ++k) {
            auto& m = memory_.emplace_back(static_cast<std::size_t>(bytes));
            messages_.push_back(leads ? set_->send(m.data(), m.size(), peer, data) : set_->receive(m.data(), m.size(), peer, data));
        }
        auto& m = memory_.emplace_back(static_cast<std::size_t>(bytes));
        back_ = leads ? set_->receive(m.data(), m.size(), peer, answer) : set_->send(m.data(), m.size(), peer, answer);
    }

    // Nanoseconds of one way: half of there and back.
    double one_way() {
        std::array<double, repetitions> times{};
        for (double& t : times) {
            auto const began = now_ns();
            if (leads_) start(back_);
            start(messages_.front());
            if (!leads_) finish(), start(back_);
            finish();
            t = static_cast<double>(now_ns() - began) / 2;
        }
        return median(times);
    }

    // Nanoseconds of the leader's core for one message, of many that are received as they come.
    double send() {
        std::array<double, repetitions> times{};
        for (double& t : times) {
            if (leads_) { // "I am ready"
                start(back_);
                finish();
            } else {
                for (auto const m : messages_) start(m);
                start(back_);
            }
            auto const began = now_ns();
            if (leads_)
                for (auto const m : messages_) start(m);
            finish();
            t = static_cast<double>(now_ns() - began) / many;
        }
        return median(times);
    }

private:
    static constexpr int many = 16, repetitions = 9, data = 1, answer = 2;

    void start(std::size_t message) {
        set_->start(message);
        ++under_way_;
    }

    void finish() {
        constexpr std::int64_t patience_ns = 10'000'000'000;
        std::array<std::size_t, many + 1> done{};
        for (auto const began = now_ns(); under_way_ > 0;) {
            auto const n = set_->collect(done);
            under_way_ -= n;
            if (n > 0) continue;
            if (auto const how = boot_.departed(peer_))
                throw error{error_kind::peer, fmt::format("rank {} has left", peer_), *how, "look at what it said"};
            if (now_ns() - began > patience_ns)
                throw error{error_kind::timeout, fmt::format("rank {} does not answer", peer_), "for ten seconds",
                            "see whether messages pass between these nodes at all"};
        }
    }

    bootstrap& boot_;
    int peer_;
    bool leads_;
    std::unique_ptr<message_set> set_;
    std::vector<std::vector<std::byte>> memory_;
    std::vector<std::size_t> messages_;
    std::size_t back_ = 0;
    std::size_t under_way_ = 0;
};

// The first rank of another node than rank 0's; else the last one.
int partner_of(std::vector<int> const& nodes) {
    auto const other = std::find_if(nodes.begin(), nodes.end(), [&](int n) { return n != nodes.front(); });
    return static_cast<int>(other == nodes.end() ? nodes.size() - 1 : static_cast<std::size_t>(other - nodes.begin()));
}

std::vector<message_costs> measure(bootstrap& boot, int partner, double seconds) {
    bool const leads = boot.rank() == 0, takes_part = leads || boot.rank() == partner;
    int const peer = leads ? partner : 0;
    std::vector<courier> couriers;
    if (takes_part)
        for (auto const bytes : {small_message, medium_message, large_message}) couriers.emplace_back(boot, peer, leads, bytes);

    constexpr std::size_t enough = 200;
    std::vector<message_costs> blocks;
    progress_bar bar{"measuring"};
    auto const began = now_s();
    for (std::vector<char> last(static_cast<std::size_t>(boot.size())); last.front() == 0;) {
        char mine = 0;
        if (takes_part) {
            message_times t{.small = couriers[0].one_way(), .large = couriers[2].one_way()};
            t.send_small = couriers[0].send();
            t.send_medium = couriers[1].send();
            if (leads) {
                blocks.push_back(estimate(t));
                mine = now_s() - began > seconds || blocks.size() >= enough ? 1 : 0;
                auto const share = std::max((now_s() - began) / seconds, static_cast<double>(blocks.size()) / enough);
                bar.show(mine != 0 ? 1 : std::min(1.0, share), fmt::format("messages {}", blocks.size()));
            }
        }
        boot.allgather(&mine, 1, last.data());
    }
    return blocks;
}

tuned what_there_is(std::string const& file) {
    tuned t;
    t.costs.name = "tuned";
    if (std::error_code none; !file.empty() && std::filesystem::exists(file, none)) t.costs = load_profile(file, &t.origin);
    topology const machine;
    if (t.origin.cpu.empty()) t.origin.cpu = machine.model(), t.origin.cores = machine.cores();
    return t;
}

} // namespace

void tune_messages(tune_options const& options) {
    auto const settings = config::from_environment();
    auto const boot = with_small_nodes(make_bootstrap(settings), settings.node_size);
    if (boot->size() < 2 || !boot->messages())
        throw error{error_kind::usage, "a rank alone has nobody to send to", "the launcher has started one",
                    "start two, on two nodes: mpirun -n 2 sode tune"};
    auto const nodes = boot->nodes();
    int const partner = partner_of(nodes);
    bool const one_node = nodes[static_cast<std::size_t>(partner)] == nodes.front();
    tuned t;
    std::string problem;
    if (boot->rank() == 0) {
        try {
            t = what_there_is(options.output);
            if (!options.output.empty())
                new_file const attempt{options.output, "profile"}; // what cannot be stored need not be measured
        } catch (error const& e) {
            problem = e.what();
        }
    }
    // One rank says what is wrong; the others must not wait for it.
    if (problem = boot->allgather(problem).front(); !problem.empty()) {
        if (boot->rank() == 0) throw error{error_kind::environment, problem, "", ""};
        return;
    }
    auto const blocks = measure(*boot, partner, options.quick ? 3 : 10);
    if (boot->rank() == 0) {
        conclude_messages(t, blocks);
        fmt::print("{}", options.print ? write_profile(t.costs, t.origin) : table(t));
        std::fflush(stdout);
        if (one_node) fmt::print(stderr, "all ranks are on one node: these are the costs of messages that never leave it\n");
        if (!options.output.empty()) {
            save_profile(options.output, t.costs, t.origin);
            fmt::print(stderr, "written to {}\n", options.output);
        }
    }
    boot->barrier(); // nobody leaves while the others are still at it
}

} // namespace sode::tools
