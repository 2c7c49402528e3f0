// SPDX-License-Identifier: Apache-2.0
#include "engine/device_reach.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <utility>

namespace sode::internal {
namespace {

using handle = memory_provider::handle;

/// The handle of a block that others try to open, told in the arena, as it is longer than what a meeting carries.
class told_handle {
public:
    told_handle(space& memory, quarantine& freed, handle const& h)
        : memory_(memory), freed_(freed), at_(memory.allocate(sizeof h)) {
        freed_.expose(at_);
        std::memcpy(at_, h.data(), sizeof h);
    }
    ~told_handle() { freed_.release(at_, sizeof(handle)); }
    told_handle(told_handle const&) = delete;
    told_handle& operator=(told_handle const&) = delete;

    [[nodiscard]] team::notice notice() const {
        auto const block = memory_.block_of(at_);
        return {memory_.offset(at_), block.offset, block.bytes, 0, 0, 0};
    }

private:
    space& memory_;
    quarantine& freed_;
    std::byte* at_;
};

// Why not; empty: it is done.
std::string open_of(int rank, team const& ranks, space& memory, memory_provider& with) {
    auto const told = ranks.told_by(rank);
    memory.open(rank, {told[1], told[2]});
    handle h{};
    std::memcpy(h.data(), memory.at(rank, told[0]), sizeof h);
    try {
        with.close(with.open(ranks.job_rank(rank), h), true);
        return {};
    } catch (error const& e) {
        std::string_view text = e.what();
        text = text.substr(0, text.find('\n'));
        auto const problem = text.find("the memory of");
        return std::string{problem == std::string_view::npos ? text : text.substr(problem)};
    }
}

} // namespace

device_reach find_reach(team& ranks, space& memory, quarantine& freed, accelerator& device) {
    int const own_socket = device.socket();
    std::vector<int> sockets(static_cast<std::size_t>(ranks.size()));
    ranks.boot().allgather(&own_socket, sizeof own_socket, sockets.data());
    // Threads and tasks name what is in one address space: there is nothing to open.
    if (memory.one_address_space()) return {device.reaches_peers(), std::move(sockets), {}};
    told_handle const own{memory, freed, device.memory().tell(device.sample())};
    std::array<std::uint64_t, 1> apart{device.reaches_peers() ? 0U : 1U};
    ranks.meet(own.notice(), apart, {});
    std::string why;
    for (int const r : ranks.machines().on(ranks.machines().of(ranks.rank())))
        if (r != ranks.rank() && why.empty() && apart[0] == 0) why = open_of(r, ranks, memory, device.memory());
    std::array<std::uint64_t, 1> refused{why.empty() ? 0U : static_cast<std::uint64_t>(ranks.job_rank(ranks.rank())) + 1};
    ranks.meet({}, refused, {});
    freed.collective_done();
    if (refused[0] != 0 && why.empty())
        why = fmt::format("rank {} cannot open the memory of another rank's device", refused[0] - 1);
    return {apart[0] == 0 && refused[0] == 0, std::move(sockets), why};
}

} // namespace sode::internal
