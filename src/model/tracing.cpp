// SPDX-License-Identifier: Apache-2.0
#include "model/tracing.hpp"

#include "base/clock.hpp"
#include "base/warn.hpp"
#include "base/whole_file.hpp"
#include "model/trace_text.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

namespace sode::internal {
namespace {

// Rank 0's file. What goes wrong with it must not keep rank 0 from the collective calls that the others are in.
class output {
public:
    output(std::string const& file, bool wanted) {
        if (!wanted) return;
        guarded([&] {
            target_.emplace(file, "trace");
            target_->write(trace_text::header);
        });
    }
    void add(std::string_view lines) {
        if (target_) guarded([&] { target_->write(lines); });
    }
    void finish() {
        if (!target_) return;
        guarded([&] {
            target_->write(trace_text::footer);
            target_->commit();
        });
        target_.reset();
    }

private:
    template <class F> void guarded(F f) {
        try {
            f();
        } catch (error const& e) {
            tell(e);
            target_.reset();
        }
    }
    std::optional<new_file> target_;
};

struct clock_of_rank {
    std::int64_t machine = 0;
    std::int64_t origin_ns = 0;
};

// Ranks of a machine count from the origin of its first one.
std::int64_t common_origin(bootstrap& boot, std::int64_t origin_ns) {
    auto const machines = boot.machines();
    auto const me = static_cast<std::size_t>(boot.rank());
    clock_of_rank const mine{machines.empty() ? 0 : machines[me], origin_ns};
    std::vector<clock_of_rank> all(static_cast<std::size_t>(boot.size()));
    boot.allgather(&mine, sizeof mine, all.data());
    return std::find_if(all.begin(), all.end(), [&](clock_of_rank const& c) { return c.machine == mine.machine; })->origin_ns;
}

std::size_t room_of(int ranks) {
    constexpr std::size_t memory = 16 << 20, most = 64 << 10;
    return std::clamp(memory / static_cast<std::size_t>(ranks), trace_text::longest, most);
}

// What a rank sends in a round: so many bytes of lines. None from anybody: that was all.
struct head {
    std::uint64_t bytes = 0;
    std::uint64_t lost = 0;
};

void add_rest(output& out, trace_text& text, std::size_t room) {
    for (auto lines = text.next(room); !lines.empty(); lines = text.next(room)) out.add(lines);
}

void warn_of_loss(std::string const& file, std::vector<std::uint64_t> const& lost) {
    auto const worst = std::max_element(lost.begin(), lost.end());
    if (*worst == 0) return;
    warn(fmt::format("{} does not contain the start of the job", file),
         fmt::format("rank {} had no room for its first {} events", worst - lost.begin(), *worst), "raise SODE_TRACE_EVENTS");
}

} // namespace

tracing::tracing(std::string file, std::size_t events) : file_(std::move(file)), log_(events), origin_ns_(now_ns()) {}

void tracing::write(bootstrap& boot) const {
    output out{file_, boot.rank() == 0};
    std::optional<trace_text> mine;
    std::string lines; // own ones that have been taken out of `mine`, but are not written
    auto const room = room_of(boot.size());
    try {
        mine.emplace(log_, boot.rank(), boot.size(), common_origin(boot, origin_ns_));
        auto const ranks = static_cast<std::size_t>(boot.size());
        std::vector<char> message(sizeof(head) + room), all(ranks * message.size());
        std::vector<std::uint64_t> lost(ranks);
        for (bool more = true; std::exchange(more, false);) {
            lines = mine->next(room);
            head const h{lines.size(), log_.lost()};
            std::memcpy(message.data(), &h, sizeof h);
            std::copy(lines.begin(), lines.end(), message.begin() + sizeof h);
            boot.allgather(message.data(), message.size(), all.data());
            lines.clear();
            for (std::size_t r = 0; r < ranks; ++r) {
                auto const* const theirs = all.data() + r * message.size();
                head of{};
                std::memcpy(&of, theirs, sizeof of);
                lost[r] = of.lost;
                more |= of.bytes > 0;
                out.add({theirs + sizeof of, of.bytes});
            }
        }
        if (boot.rank() == 0) warn_of_loss(file_, lost);
    } catch (...) {
        if (!mine) mine.emplace(log_, boot.rank(), boot.size(), origin_ns_);
        out.add(lines);
        add_rest(out, *mine, room);
        out.finish();
        throw;
    }
    out.finish();
}

void tracing::write_alone(int rank, int ranks) const noexcept {
    if (rank != 0) return;
    try {
        output out{file_, true};
        trace_text mine{log_, rank, ranks, origin_ns_};
        add_rest(out, mine, room_of(ranks));
        out.finish();
    } catch (std::exception const& e) {
        tell(e);
    }
}

} // namespace sode::internal
