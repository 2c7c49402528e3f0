// SPDX-License-Identifier: Apache-2.0
#include "engine/told_words.hpp"

#include "engine/plan_messages.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace sode::internal {
namespace {

// In the memory of a rank: how many peers it tells something, an entry for each, ascending, and the words themselves.
struct entry {
    index_t peer;
    index_t first; // of the words
    index_t count;
};

// Messages of a few ranks to a few others, while all of them plan.
class far_words {
public:
    far_words(context const& c, std::string_view name, std::uint64_t serial)
        : around_(c), name_(name), carrier_(carrier_of(c, name)), tag_(message_tag(serial, 0, carrier_.most_tag())) {}

    words_by_rank exchange(words_by_rank const& mine, std::span<int const> peers) {
        std::vector<index_t> out, in(peers.size());
        for (int const p : peers) out.push_back(static_cast<index_t>(mine.at(p).size()));
        auto set = carrier_.make_set();
        for (std::size_t i = 0; i < peers.size(); ++i) {
            add(peers[i], set->receive(&in[i], sizeof in[i], peers[i], tag_));
            add(peers[i], set->send(&out[i], sizeof out[i], peers[i], tag_));
        }
        run(*set);
        words_by_rank heard;
        set = carrier_.make_set();
        for (std::size_t i = 0; i < peers.size(); ++i) {
            auto const& theirs = mine.at(peers[i]);
            auto& list = heard[peers[i]];
            list.resize(static_cast<std::size_t>(in[i]));
            add(peers[i], set->receive(list.data(), list.size() * sizeof(index_t), peers[i], tag_));
            add(peers[i], set->send(theirs.data(), theirs.size() * sizeof(index_t), peers[i], tag_));
        }
        run(*set);
        return heard;
    }

private:
    void add(int peer, std::size_t number) {
        with_.resize(number + 1);
        with_[number] = peer;
    }
    void run(message_set& set) {
        for (std::size_t i = 0; i < with_.size(); ++i) set.start(i);
        std::vector<std::size_t> done(with_.size());
        waiter w{around_.waiting};
        for (std::size_t left = with_.size(); left > 0;) {
            auto const n = set.collect(done);
            for (std::size_t i = 0; i < n; ++i) with_[done[i]] = -1;
            left -= n;
            if (n > 0)
                w.reset();
            else if (w.step())
                look(w.elapsed());
        }
        with_.clear();
    }
    void look(double waited) const {
        for (int const peer : with_)
            if (auto const how = peer < 0 ? std::nullopt : around_.alive.departed(around_.ranks.job_rank(peer)))
                throw error{error_kind::peer, fmt::format("rank {} has terminated: {}", around_.ranks.job_rank(peer), *how),
                            fmt::format("this rank waited for that rank during planning of {}", name_),
                            "look at the output of that rank"};
        auto const late = std::ranges::find_if(with_, [](int peer) { return peer >= 0; });
        if (around_.waiting.timeout_s > 0 && waited > around_.waiting.timeout_s)
            throw error{error_kind::timeout,
                        fmt::format("this rank waited {:.1f} s for rank {} during planning of {}", waited,
                                    around_.ranks.job_rank(*late), name_),
                        fmt::format("SODE_TIMEOUT is {} s", around_.waiting.timeout_s),
                        "check what that rank does, or raise SODE_TIMEOUT"};
    }

    context const& around_;
    std::string_view name_;
    messenger& carrier_;
    int tag_;
    std::vector<int> with_; // by message: whom it goes to or comes from; -1: it is over
};

} // namespace

told_words::told_words(context const& c, words_by_rank const& mine, std::span<std::uint64_t> maxima, std::span<std::uint64_t> sums)
    : around_(c), mine_(mine) {
    std::vector<index_t> all{static_cast<index_t>(mine.size())};
    auto first = static_cast<index_t>(1 + 3 * mine.size());
    for (auto const& [peer, words] : mine) {
        all.insert(all.end(), {index_t{peer}, first, static_cast<index_t>(words.size())});
        first += static_cast<index_t>(words.size());
    }
    for (auto const& [peer, words] : mine) all.insert(all.end(), words.begin(), words.end());
    bytes_ = all.size() * sizeof(index_t);
    block_ = c.memory.allocate(bytes_);
    c.freed.expose(block_);
    std::memcpy(block_, all.data(), bytes_);
    auto const place = c.memory.block_of(block_);
    try {
        c.ranks.meet({c.memory.offset(block_), place.offset, place.bytes}, maxima, sums);
    } catch (...) {
        c.freed.release(block_, bytes_);
        throw;
    }
    c.freed.collective_done();
}

told_words::~told_words() {
    around_.freed.release(block_, bytes_);
}

std::vector<index_t> told_words::read(int peer) const {
    auto const told = around_.ranks.told_by(peer);
    around_.memory.open(peer, {told[1], told[2]});
    auto const* const words = reinterpret_cast<index_t const*>(around_.memory.at(peer, told[0]));
    auto const* const entries = reinterpret_cast<entry const*>(words + 1);
    auto const* const end = entries + words[0];
    auto const* const mine =
        std::lower_bound(entries, end, around_.ranks.rank(), [](entry const& e, int rank) { return e.peer < rank; });
    if (mine == end || mine->peer != around_.ranks.rank()) return {};
    return {words + mine->first, words + mine->first + mine->count};
}

words_by_rank told_words::hear(std::span<int const> peers, std::string_view name) const {
    auto const& machines = around_.ranks.machines();
    words_by_rank heard;
    std::vector<int> far;
    for (int const p : peers) {
        if (machines.together(p, around_.ranks.rank()))
            heard[p] = read(p);
        else
            far.push_back(p);
    }
    auto const serial = around_.ranks.next_serial(); // also without peers elsewhere: all count alike
    if (!far.empty()) heard.merge(far_words{around_, name, serial}.exchange(mine_, far));
    return heard;
}

} // namespace sode::internal
