// SPDX-License-Identifier: Apache-2.0
#include "array/exchange/told_ends.hpp"

#include <algorithm>
#include <span>
#include <string>

namespace sode::internal {
namespace {

class writer {
public:
    void put(index_t n) { words.push_back(n); }
    void put(std::string const& text) {
        put(static_cast<index_t>(text.size()));
        for (char const c : text) put(index_t{c});
    }
    void put(layout const& l) {
        for (auto const n : {l.offset, l.block, static_cast<index_t>(l.loops.size()), static_cast<index_t>(l.list.size()),
                             static_cast<index_t>(l.parts.size())})
            put(n);
        for (auto const& loop : l.loops) put(loop.count), put(loop.stride);
        for (auto const& p : l.list) put(p.offset), put(p.bytes);
        for (auto const& p : l.parts) put(p);
    }
    std::vector<index_t> words;
};

class reader {
public:
    explicit reader(std::span<index_t const> words) : rest_(words) {}
    index_t number() {
        index_t const n = rest_.front();
        rest_ = rest_.subspan(1);
        return n;
    }
    std::size_t size() { return static_cast<std::size_t>(number()); }
    std::string text() {
        std::string t(size(), ' ');
        for (char& c : t) c = static_cast<char>(number());
        return t;
    }
    layout shape() {
        layout l;
        l.offset = number();
        l.block = number();
        l.loops.resize(size());
        l.list.resize(size());
        l.parts.resize(size());
        for (auto& loop : l.loops) loop.count = number(), loop.stride = number();
        for (auto& p : l.list) p.offset = number(), p.bytes = number();
        for (auto& p : l.parts) p = shape();
        return l;
    }

private:
    std::span<index_t const> rest_;
};

// A first word tells which of the two follows.
std::vector<index_t> told(rank_ends const& mine, std::optional<error> const& trouble) {
    writer w;
    w.put(index_t{trouble ? 1 : 0});
    if (!trouble) {
        auto const rest = to_words(mine);
        w.words.insert(w.words.end(), rest.begin(), rest.end());
        return w.words;
    }
    w.put(static_cast<index_t>(trouble->kind()));
    w.put(std::string{trouble->what()});
    return w.words;
}

} // namespace

std::vector<index_t> to_words(rank_ends const& ends) {
    constexpr std::size_t words_of_an_end = 11; // with one loop
    writer w;
    w.words.reserve(2 + 2 * ends.regions.size() + words_of_an_end * ends.ends.size());
    w.put(static_cast<index_t>(ends.regions.size()));
    w.put(static_cast<index_t>(ends.ends.size()));
    for (auto const& r : ends.regions) w.put(r.bytes), w.put(index_t{r.shared});
    for (auto const& e : ends.ends) {
        for (index_t const n : {index_t{e.sends}, index_t{e.peer}, index_t{e.tag}, index_t{e.region}}) w.put(n);
        w.put(e.where);
    }
    return w.words;
}

rank_ends from_words(std::span<index_t const> words) {
    reader r{words};
    rank_ends all;
    all.regions.resize(r.size());
    all.ends.resize(r.size());
    for (auto& region : all.regions) region.bytes = r.number(), region.shared = r.number() != 0;
    for (auto& e : all.ends) {
        e.sends = r.number() != 0;
        e.peer = static_cast<int>(r.number());
        e.tag = static_cast<int>(r.number());
        e.region = static_cast<std::uint32_t>(r.number());
        e.where = r.shape();
    }
    return all;
}

std::map<int, rank_ends> tell_ends(bootstrap& boot, rank_ends const& mine, std::optional<error> const& trouble) {
    auto words = told(mine, trouble);
    auto const ranks = static_cast<std::size_t>(boot.size());
    std::vector<std::uint64_t> lengths(ranks);
    std::uint64_t const length = words.size();
    boot.allgather(&length, sizeof length, lengths.data());
    auto const longest = static_cast<std::size_t>(*std::max_element(lengths.begin(), lengths.end()));
    words.resize(longest); // allgather wants equal lengths
    std::vector<index_t> everything(longest * ranks);
    boot.allgather(words.data(), longest * sizeof(index_t), everything.data());

    std::map<int, rank_ends> all;
    for (std::size_t r = 0; r < ranks; ++r) {
        auto const theirs = std::span{everything}.subspan(r * longest, static_cast<std::size_t>(lengths[r]));
        if (theirs.front() == 0) {
            all[static_cast<int>(r)] = from_words(theirs.subspan(1));
            continue;
        }
        reader text{theirs.subspan(1)};
        auto const kind = static_cast<error_kind>(text.number());
        throw error{kind, text.text(), "", ""};
    }
    return all;
}

} // namespace sode::internal
