// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/bootstrap.hpp>
#include <sode/messages.hpp>

#include <atomic>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

namespace sode::internal::testing {

/// Messages between ranks that are threads of one process, for those who pretend to be on machines of their own. They meet as MPI
/// has it, by ranks, tag and the order in which they are started.
class mailboxes {
public:
    void put(int from, int to, int tag, void const* data, std::size_t bytes) {
        auto const* const first = static_cast<std::byte const*>(data);
        std::lock_guard const mine{lock_};
        boxes_[{from, to, tag}].emplace_back(first, first + bytes);
    }
    bool take(int from, int to, int tag, void* data, std::size_t bytes) {
        std::lock_guard const mine{lock_};
        auto const box = boxes_.find({from, to, tag});
        if (box == boxes_.end() || box->second.empty()) return false;
        std::memcpy(data, box->second.front().data(), bytes);
        box->second.pop_front();
        return true;
    }

    std::atomic<long> sent{0}; ///< messages, so far

private:
    std::mutex lock_;
    std::map<std::tuple<int, int, int>, std::deque<std::vector<std::byte>>> boxes_;
};

class mailed_messages final : public message_set {
public:
    mailed_messages(mailboxes& boxes, int rank) : boxes_(boxes), rank_(rank) {}

    std::size_t send(void const* data, std::size_t bytes, int peer, int tag) override {
        all_.push_back({true, const_cast<void*>(data), bytes, peer, tag});
        return all_.size() - 1;
    }
    std::size_t receive(void* data, std::size_t bytes, int peer, int tag) override {
        all_.push_back({false, data, bytes, peer, tag});
        return all_.size() - 1;
    }
    void start(std::size_t message) override {
        auto const& m = all_[message];
        begun_.push_back(message);
        if (!m.sends) return;
        boxes_.put(rank_, m.peer, m.tag, m.data, m.bytes);
        boxes_.sent.fetch_add(1);
    }
    std::size_t collect(std::span<std::size_t> done) override {
        std::size_t n = 0;
        for (auto at = begun_.begin(); at != begun_.end() && n < done.size();) {
            auto const& m = all_[*at];
            if (m.sends || boxes_.take(m.peer, rank_, m.tag, m.data, m.bytes)) {
                done[n++] = *at;
                at = begun_.erase(at);
            } else {
                ++at;
            }
        }
        return n;
    }

private:
    struct one {
        bool sends;
        void* data;
        std::size_t bytes;
        int peer, tag;
    };
    mailboxes& boxes_;
    int rank_;
    std::vector<one> all_;
    std::deque<std::size_t> begun_;
};

/// The ranks of another bootstrap, of which so many are on a machine.
class mailed_bootstrap final : public bootstrap, private messenger {
public:
    mailed_bootstrap(std::unique_ptr<bootstrap> all, mailboxes& boxes, int on_a_machine)
        : all_(std::move(all)), boxes_(boxes), on_a_machine_(on_a_machine) {}

    [[nodiscard]] int rank() const noexcept override { return all_->rank(); }
    [[nodiscard]] int size() const noexcept override { return all_->size(); }
    [[nodiscard]] std::string_view name() const noexcept override { return all_->name(); }
    [[nodiscard]] bool one_process() const noexcept override { return true; }
    [[nodiscard]] std::vector<int> machines() override {
        std::vector<int> list;
        for (int r = 0; r < size(); ++r) list.push_back(r / on_a_machine_);
        return list;
    }
    void allgather(void const* mine, std::size_t bytes, void* all) override { all_->allgather(mine, bytes, all); }
    void combine(std::span<std::uint64_t> maxima, std::span<std::uint64_t> sums) override { all_->combine(maxima, sums); }
    void barrier() override { all_->barrier(); }
    [[nodiscard]] std::optional<std::string> departed(int rank) noexcept override { return all_->departed(rank); }
    [[nodiscard]] messenger* messages() noexcept override { return this; }

private:
    [[nodiscard]] std::unique_ptr<message_set> make_set() override { return std::make_unique<mailed_messages>(boxes_, rank()); }
    [[nodiscard]] int most_tag() const noexcept override { return 32767; }

    std::unique_ptr<bootstrap> all_;
    mailboxes& boxes_;
    int on_a_machine_;
};

} // namespace sode::internal::testing
