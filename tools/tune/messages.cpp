// SPDX-License-Identifier: Apache-2.0
#include "tune/messages.hpp"

#include "base/clock.hpp"
#include "tune/progress.hpp"

#include <sode/error.hpp>
#include <sode/messages.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>

namespace sode::internal::tools {
namespace {

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
                throw error{error_kind::peer, fmt::format("rank {} has terminated", peer_), *how,
                            "look at the output of that rank"};
            if (now_ns() - began > patience_ns)
                throw error{error_kind::timeout, fmt::format("rank {} does not answer", peer_),
                            "the rank has sent nothing for ten seconds", "check whether these machines can exchange messages"};
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

} // namespace

int partner_of(std::vector<int> const& machines) {
    auto const other = std::find_if(machines.begin(), machines.end(), [&](int n) { return n != machines.front(); });
    return static_cast<int>(other == machines.end() ? machines.size() - 1 : static_cast<std::size_t>(other - machines.begin()));
}

std::vector<message_costs> measure_messages(bootstrap& boot, int partner, double seconds) {
    bool const leads = boot.rank() == 0, takes_part = leads || boot.rank() == partner;
    int const peer = leads ? partner : 0;
    std::vector<courier> couriers;
    if (takes_part)
        for (auto const bytes : {small_message, medium_message, large_message}) couriers.emplace_back(boot, peer, leads, bytes);

    constexpr std::size_t enough = 200;
    std::vector<message_costs> blocks;
    progress_bar bar{"measuring messages"};
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
                bar.show(mine != 0 ? 1 : std::min(1.0, share), fmt::format("{} blocks", blocks.size()));
            }
        }
        boot.allgather(&mine, 1, last.data());
    }
    return blocks;
}

} // namespace sode::internal::tools
