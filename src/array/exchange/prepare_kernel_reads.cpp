// SPDX-License-Identifier: Apache-2.0
#include "array/prepare_kernel_reads.hpp"

#include "array/exchange/kernel_reads.hpp"
#include "array/exchange/own_ends.hpp"
#include "base/activity.hpp"
#include "base/system_error.hpp"
#include "engine/told_words.hpp"
#include "layout/kernel_choice.hpp"
#include "layout/layout_algebra.hpp"
#include "model/job.hpp"
#include "pattern/choose_way.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <utility>

namespace sode::internal {
namespace {

// What a system call takes that reads from another process, beyond the bytes. An EPYC (family 23) takes 1.2 to 1.5 us.
constexpr double kernel_call_ns = 1300;

expense cost_of_read(edge const& e, profile const& p) noexcept {
    auto const& c = p.of(e.features.apart).memory;
    return {.target = kernel_call_ns + static_cast<double>(e.features.bytes) * c.stream_byte, .latency = 2 * c.flag};
}

// Before a stage is filled again, its lines come back from where they were read, which the costs of the ways leave out: near, that
// is little.
double cost_of_return(edge const& e, profile const& p) noexcept {
    bool const far = e.features.apart == distance::far;
    return far ? static_cast<double>(e.features.bytes) * p.of(distance::far).memory.stream_byte : 0;
}

/// As it would go otherwise.
edge edge_between(int source, int target, layout const& where, exchange_terms const& terms, bool shared) {
    edge e;
    e.source = source;
    e.target = target;
    e.source_layout = e.target_layout = where;
    choose_way(e, terms, shared);
    return e;
}

/// Ends of one direction between this rank and a peer, by tag, then in their order: as they meet those of the peer.
std::vector<known_end const*> ends_with(rank_ends const& mine, int peer, bool sends) {
    std::vector<known_end const*> found;
    for (auto const& e : mine.ends)
        if (e.peer == peer && e.sends == sends && e.where.bytes() > 0) found.push_back(&e);
    std::ranges::stable_sort(found, {}, &known_end::tag);
    return found;
}

/// The planning of one rank's part.
class reads_maker {
public:
    reads_maker(detail::job& j, own_ends mine, std::string_view name)
        : around_(j.surroundings()), mine_(std::move(mine)), here_(around_.ranks.rank()) {
        what_.name = name;
        what_.rank = here_;
        what_.ranks = around_.ranks.size();
        terms_.take(j);
    }

    // Collective. False, on all ranks alike, if it cannot be.
    bool learn() {
        call_reason const reason{around_.waits, fmt::format("during planning of {}", what_.name)};
        words_by_rank words;
        for (auto const& e : mine_.told.ends)
            if (e.peer != here_) words[e.peer] = {index_t{::getpid()}};
        std::vector<int> peers;
        for (auto& [peer, told] : words) {
            peers.push_back(peer);
            auto const sent = ends_with(mine_.told, peer, true);
            if (!sent.empty()) what_.targets.push_back(peer);
            for (auto const* e : sent)
                told.insert(told.end(), {index_t{e->tag}, static_cast<index_t>(address_of(*e)), e->where.bytes()});
        }
        told_words const told{around_, words, {}, {}};
        auto const heard = told.hear(peers, what_.name);
        bool fits = match_own();
        for (auto const& [peer, theirs] : heard) fits = match(peer, theirs) && fits;
        std::ranges::stable_sort(what_.gets, {}, &kernel_reads::message::source);
        std::array<std::uint64_t, 1> anybody_cannot{fits ? 0U : 1U};
        around_.ranks.meet({}, anybody_cannot, {});
        return anybody_cannot[0] == 0;
    }

    std::unique_ptr<prepared> make() {
        auto steps = plan_kernel_reads(what_, reading::by_call);
        for (auto const& m : what_.gets)
            if (m.source != here_) steps.notes.push_back(note_of(m));
        return std::make_unique<prepared>(
            std::move(steps), around_, plan_terms{.arrays = mine_.places, .fingerprint = fingerprint, .calls = std::move(calls_)});
    }

private:
    static constexpr std::uint64_t fingerprint = 0x6b65726e656c7264; // what ranks differ in they have compared

    [[nodiscard]] std::uintptr_t address_of(known_end const& e) const {
        return reinterpret_cast<std::uintptr_t>(mine_.places[e.region].instance[0] + e.where.offset);
    }
    [[nodiscard]] kernel_reads::place place_of(known_end const& e) const {
        return {.region = e.region, .region_bytes = mine_.told.regions[e.region].bytes, .where = e.where};
    }

    bool match_own() {
        auto const sent = ends_with(mine_.told, here_, true), received = ends_with(mine_.told, here_, false);
        if (sent.size() != received.size()) return false;
        for (std::size_t i = 0; i < sent.size(); ++i) {
            if (sent[i]->tag != received[i]->tag || sent[i]->where.bytes() != received[i]->where.bytes()) return false;
            what_.gets.push_back({here_, place_of(*received[i]), place_of(*sent[i])});
        }
        return true;
    }

    bool match(int peer, std::span<index_t const> theirs) {
        auto const received = ends_with(mine_.told, peer, false);
        if (theirs.size() != 1 + 3 * received.size()) return false;
        auto const process = static_cast<pid_t>(theirs[0]);
        for (std::size_t i = 0; i < received.size(); ++i) {
            auto const& e = *received[i];
            auto const [tag, address, count] = std::array{theirs[3 * i + 1], theirs[3 * i + 2], theirs[3 * i + 3]};
            if (tag != e.tag || count != e.where.bytes()) return false;
            auto const at = static_cast<std::uintptr_t>(address);
            auto const bytes = static_cast<std::size_t>(count);
            std::byte probe{};
            if (!read(process, at, &probe, 1)) return false;
            what_.gets.push_back({peer, place_of(e), {}});
            calls_.emplace_back([process, at, bytes, offset = e.where.offset, rank = around_.ranks.job_rank(peer),
                                 name = what_.name](std::byte* array) {
                if (!read(process, at, array + offset, bytes)) refuse(rank, name);
            });
        }
        return true;
    }

    static bool read(pid_t process, std::uintptr_t from, std::byte* to, std::size_t bytes) noexcept {
        while (bytes > 0) {
            iovec const here{to, bytes}, there{reinterpret_cast<void*>(from), bytes}; // NOLINT(performance-no-int-to-ptr)
            auto const n = ::process_vm_readv(process, &here, 1, &there, 1, 0);
            if (n <= 0) return false;
            from += static_cast<std::size_t>(n);
            to += n;
            bytes -= static_cast<std::size_t>(n);
        }
        return true;
    }
    [[noreturn]] static void refuse(int rank, std::string const& name) {
        if (errno == ESRCH)
            throw error{error_kind::peer, fmt::format("rank {} has terminated", rank),
                        fmt::format("{} can no longer read the memory of that rank", name), "look at the output of that rank"};
        throw system_error(fmt::format("{} cannot read the memory of rank {}", name, rank), "process_vm_readv",
                           "set SODE_CHANNEL=stage to let ranks copy instead");
    }

    [[nodiscard]] edge_note note_of(kernel_reads::message const& m) const {
        auto const e = edge_between(m.source, here_, m.to.where, terms_, false);
        return {.peer = m.source,
                .rows = 1,
                .row_bytes = e.features.bytes,
                .chosen = "kernel-read",
                .expected = cost_of_read(e, terms_.costs),
                .runner_up = e.chosen.how->name(),
                .instead = e.chosen.expected,
                .shared = false};
    }

    context around_;
    own_ends mine_;
    int here_;
    kernel_reads what_;
    exchange_terms terms_;
    std::vector<plan_calls::function> calls_;
};

} // namespace

bool kernel_reads_pay(detail::job& j, std::span<message_end const> ends) {
    if (j.forced != nullptr || j.settings.check.plan || j.memory->one_address_space()) return false;
    // Through a stage strings take half as long, near and far (decision 92), which the built-in costs do not know.
    if (j.profile_file.empty() && strings_in_force()) return false;
    exchange_terms terms;
    terms.take(j);
    double read = 0, otherwise = 0;
    int const me = j.ranks->rank();
    for (auto const& known : ends) {
        auto const bytes = known.what.bytes();
        if (bytes == 0 || known.peer == me || known.peer == nobody) continue;
        if (!known.what.is_contiguous() || !terms.share_memory(me, known.peer)) return false;
        bool const shared = known.sends && j.memory->owner_of(known.memory + known.what.extent().first) == me;
        auto const e = edge_between(me, known.peer, contiguous(0, bytes), terms, shared);
        read += cost_of_read(e, terms.costs).total();
        otherwise += e.chosen.expected.total() + cost_of_return(e, terms.costs);
    }
    return read <= otherwise; // who has nothing to send does not object
}

std::unique_ptr<prepared_list> prepare_kernel_reads(detail::job& j, std::span<message_end const> ends, std::string_view name) {
    doing const what{activity::exchange};
    reads_maker maker{j, take_ends(ends, j.ranks->rank(), j.ranks->size(), *j.memory), name};
    if (!maker.learn()) return nullptr;
    auto list = std::make_unique<prepared_list>();
    list->keep(j.shared_from_this());
    list->add(maker.make());
    return list;
}

} // namespace sode::internal
