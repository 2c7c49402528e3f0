// SPDX-License-Identifier: Apache-2.0
#include "gmpi/links.hpp"

#include "gmpi/message_link.hpp"
#include "gmpi/own_link.hpp"
#include "gmpi/shared_link.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <numeric>

namespace sode::internal::kernels {

links::links(team& ranks, space& memory, quarantine& freed) : ranks_(ranks), memory_(memory), freed_(freed) {
    share_inboxes();
    if (ranks.machines().one()) return;
    std::vector<int> all(static_cast<std::size_t>(ranks.size()));
    std::iota(all.begin(), all.end(), 0);
    messengers_ = ranks.boot().part(all);
    if (!messengers_ || !messengers_->messages())
        throw error{error_kind::environment, "kernels on different machines cannot communicate",
                    fmt::format("ranks that were started by {} cannot send messages", ranks.boot().name()),
                    "start the program with mpirun"};
}

links::~links() {
    if (inboxes_) freed_.release(inboxes_, bytes_);
}

void links::share_inboxes() {
    auto const& machines = ranks_.machines();
    auto const mine = machines.on(machines.of(ranks_.rank()));
    theirs_.resize(static_cast<std::size_t>(ranks_.size()));
    bytes_ = static_cast<std::size_t>(mine.size()) * shared_link::inbox_bytes;
    inboxes_ = memory_.allocate(bytes_);
    freed_.expose(inboxes_);
    struct told {
        std::uint64_t offset;
        block_place block;
    };
    told const own{memory_.offset(inboxes_), memory_.block_of(inboxes_)};
    std::vector<told> all(static_cast<std::size_t>(ranks_.size()));
    ranks_.boot().allgather(&own, sizeof own, all.data());
    for (int const rank : mine) {
        auto const& t = all[static_cast<std::size_t>(rank)];
        if (rank != ranks_.rank()) memory_.open(rank, t.block);
        theirs_[static_cast<std::size_t>(rank)] = memory_.at(rank, t.offset);
    }
}

std::unique_ptr<frame_link> links::to(int rank) {
    auto const& machines = ranks_.machines();
    if (rank == ranks_.rank()) return std::make_unique<own_link>();
    if (!machines.together(rank, ranks_.rank())) return std::make_unique<message_link>(*messengers_->messages(), rank);
    auto const mine = machines.on(machines.of(ranks_.rank()));
    auto const inbox = [&](std::byte* of, int from) {
        return of + static_cast<std::size_t>(mine.place_of(from)) * shared_link::inbox_bytes;
    };
    return std::make_unique<shared_link>(inbox(inboxes_, rank), inbox(theirs_[static_cast<std::size_t>(rank)], ranks_.rank()));
}

} // namespace sode::internal::kernels
