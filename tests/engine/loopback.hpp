// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/bootstrap.hpp>
#include <sode/messages.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace sode::internal::testing {

/// Messages of one rank to itself. They meet as MPI has it, by tag and in the order in which they are started; that they are over
/// is told late and in any order. Uses that MPI forbids are failures of the test.
class loopback_messages final : public message_set {
public:
    explicit loopback_messages(std::size_t& made) : made_(made) {}

    std::size_t send(void const* data, std::size_t bytes, int peer, int tag) override {
        return add({true, const_cast<void*>(data), bytes, peer, tag, false});
    }
    std::size_t receive(void* data, std::size_t bytes, int peer, int tag) override {
        return add({false, data, bytes, peer, tag, false});
    }
    void start(std::size_t message) override {
        auto& m = all_[message];
        EXPECT_FALSE(std::exchange(m.under_way, true)) << "started twice";
        auto& same = begun_[{m.sends, m.tag}];
        auto& other = begun_[{!m.sends, m.tag}];
        if (other.empty()) return same.push_back(message);
        auto const met = other.front();
        other.pop_front();
        auto const& [from, to] = m.sends ? std::pair{m, all_[met]} : std::pair{all_[met], m};
        EXPECT_EQ(from.bytes, to.bytes);
        std::memcpy(to.data, from.data, to.bytes);
        over_.push_back(message);
        over_.push_back(met);
    }
    std::size_t collect(std::span<std::size_t> done) override {
        std::shuffle(over_.begin(), over_.end(), random_);
        auto const n = std::min(done.size(), over_.empty() ? 0 : std::max<std::size_t>(random_() % (over_.size() + 1), 1));
        for (std::size_t i = 0; i < n; ++i) {
            done[i] = over_.back();
            over_.pop_back();
            all_[done[i]].under_way = false;
        }
        return n;
    }

private:
    struct one {
        bool sends;
        void* data;
        std::size_t bytes;
        int peer, tag;
        bool under_way;
    };
    std::size_t add(one m) {
        EXPECT_LE(m.peer, 1); // or to somebody who is played by this rank
        all_.push_back(m);
        ++made_;
        return all_.size() - 1;
    }

    std::vector<one> all_;
    std::map<std::pair<bool, int>, std::deque<std::size_t>> begun_;
    std::vector<std::size_t> over_;
    std::mt19937_64 random_{7};
    std::size_t& made_;
};

/// One rank that can send itself messages.
class loopback_bootstrap final : public bootstrap, private messenger {
public:
    [[nodiscard]] int rank() const noexcept override { return 0; }
    [[nodiscard]] int size() const noexcept override { return 1; }
    [[nodiscard]] std::string_view name() const noexcept override { return "loopback"; }
    [[nodiscard]] std::vector<int> machines() override { return {0}; }
    void allgather(void const* mine, std::size_t bytes, void* all) override { std::memcpy(all, mine, bytes); }
    [[nodiscard]] messenger* messages() noexcept override { return this; }

    /// Messages made so far.
    std::size_t made = 0;

private:
    [[nodiscard]] std::unique_ptr<message_set> make_set() override { return std::make_unique<loopback_messages>(made); }
    [[nodiscard]] int most_tag() const noexcept override { return 32767; }
};

} // namespace sode::internal::testing
