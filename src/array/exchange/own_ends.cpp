// SPDX-License-Identifier: Apache-2.0
#include "array/exchange/own_ends.hpp"

#include "array/datatype_form.hpp"
#include "layout/copy_nest.hpp"
#include "layout/layout_algebra.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace sode::internal {
namespace {

// Plans run lists of blocks, which are written out; what is more belongs into fewer, larger blocks.
constexpr index_t most_blocks = index_t{1} << 22;

struct placed_end {
    message_end const* user;
    index_t first; // addresses
    index_t last;
    layout where; // relative to address 0
};

std::string message_name(message_end const& e) {
    return fmt::format("the {} rank {} with tag {}", e.sends ? "message to" : "message from", e.peer, e.tag);
}

void require_possible(message_end const& e, int rank, int ranks) {
    if (e.peer >= ranks || e.peer < nobody)
        throw error{error_kind::usage, fmt::format("rank {} cannot plan {}", rank, message_name(e)),
                    fmt::format("the job has ranks 0 to {}", ranks - 1), "use one of these ranks, or sode::nobody"};
    if (!e.memory && e.what.bytes() > 0)
        throw error{error_kind::usage, fmt::format("rank {} has no memory for {}", rank, message_name(e)), "the pointer is null",
                    "pass the base address of the datatype"};
    auto const& form = detail::datatype_access::form_of(e.what);
    if (!e.sends && overlaps_itself(form))
        throw error{error_kind::usage, fmt::format("rank {} cannot receive {}", rank, message_name(e)),
                    "the datatype contains a byte twice, so the result would depend on the order of writes",
                    "pass strides that select each byte at most once"};
    if (!form.is_nest() && form.blocks() > most_blocks)
        throw error{error_kind::environment, fmt::format("rank {} cannot plan {}", rank, message_name(e)),
                    fmt::format("the datatype has {} blocks in an irregular order, and a plan can have at most {} blocks",
                                form.blocks(), most_blocks),
                    "send the data in several messages, or pack() the data"};
}

[[noreturn]] void refuse(int rank, message_end const& a, message_end const& b) {
    throw error{error_kind::usage, fmt::format("rank {} receives a message into the memory of another message", rank),
                fmt::format("{} and {} overlap", message_name(a), message_name(b)), "give each message its own memory"};
}

// Ends of one region: no byte may be written by two, or written by one and read by another.
void require_apart(int rank, std::span<placed_end const* const> ends) {
    struct stretch {
        index_t first;
        index_t last;
        message_end const* of;
    };
    if (std::none_of(ends.begin(), ends.end(), [](placed_end const* e) { return !e->user->sends; })) return;
    std::vector<stretch> received;
    for (auto const* e : ends)
        if (!e->user->sends)
            for (auto const& p : expand(e->where)) received.push_back({p.offset, p.offset + p.bytes, e->user});
    std::sort(received.begin(), received.end(), [](stretch const& a, stretch const& b) { return a.first < b.first; });
    for (std::size_t i = 1; i < received.size(); ++i)
        if (received[i].first < received[i - 1].last) refuse(rank, *received[i - 1].of, *received[i].of);
    for (auto const* e : ends)
        if (e->user->sends)
            for (auto const& p : expand(e->where)) {
                auto const behind =
                    std::partition_point(received.begin(), received.end(), [&](stretch const& s) { return s.last <= p.offset; });
                if (behind != received.end() && behind->first < p.offset + p.bytes) refuse(rank, *e->user, *behind->of);
            }
}

} // namespace

own_ends take_ends(std::span<message_end const> ends, int rank, int ranks, space const& memory) {
    std::vector<placed_end> placed;
    own_ends mine;
    placed.reserve(ends.size());
    mine.told.ends.reserve(ends.size());
    for (auto const& e : ends) {
        require_possible(e, rank, ranks);
        if (e.peer == nobody) continue;
        mine.told.ends.push_back({.sends = e.sends, .peer = e.peer, .tag = e.tag});
        auto const base = static_cast<index_t>(reinterpret_cast<std::uintptr_t>(e.memory));
        auto where = shifted(detail::datatype_access::form_of(e.what), e.what.bytes() > 0 ? base : 0);
        auto const [first, last] = where.extent();
        placed.push_back({&e, first, last, std::move(where)});
    }
    std::vector<std::size_t> order;
    order.reserve(placed.size());
    for (std::size_t i = 0; i < placed.size(); ++i)
        if (placed[i].last > placed[i].first) order.push_back(i);
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return placed[a].first < placed[b].first; });

    std::vector<placed_end const*> together;
    for (std::size_t begin = 0; begin < order.size();) {
        index_t const low = placed[order[begin]].first;
        index_t high = low;
        std::size_t end = begin;
        together.clear();
        while (end < order.size() && (end == begin || placed[order[end]].first < high)) {
            high = std::max(high, placed[order[end]].last);
            together.push_back(&placed[order[end++]]);
        }
        if (together.size() > 1) require_apart(rank, together);
        auto* const base = reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(low)); // NOLINT(performance-no-int-to-ptr)
        bool const shared =
            memory.one_address_space() || (memory.owner_of(base) == rank && memory.owner_of(base + (high - low) - 1) == rank);
        for (; begin < end; ++begin) {
            auto& told = mine.told.ends[order[begin]];
            told.region = static_cast<std::uint32_t>(mine.told.regions.size());
            told.where = shifted(std::move(placed[order[begin]].where), -low);
        }
        mine.told.regions.push_back({high - low, shared});
        mine.places.push_back({{base, nullptr}, shared});
    }
    return mine;
}

} // namespace sode::internal
