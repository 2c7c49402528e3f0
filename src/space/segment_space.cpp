// SPDX-License-Identifier: Apache-2.0
#include "base/shared_memory.hpp"
#include "space/agreement.hpp"
#include "space/arena_space.hpp"
#include "space/fd_mailbox.hpp"
#include "space/private_pages.hpp"
#include "space/segment_pages.hpp"

#include <sode/error.hpp>

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <optional>

namespace sode {
namespace {

/// Ample: a machine's ranks do nothing else meanwhile, but there may be thousands of them on few cores.
constexpr std::chrono::seconds patience{60};

using mailbox_name = std::array<char, fd_mailbox::name_bytes>;

std::vector<int> ranks_of(int machine, std::vector<int> const& machines) {
    std::vector<int> ranks;
    for (std::size_t rank = 0; rank < machines.size(); ++rank)
        if (machines[rank] == machine) ranks.push_back(static_cast<int>(rank));
    return ranks;
}

/// What came from another process is not taken on trust: a file that can still be shrunk makes every load a possible SIGBUS.
bool is_sealed(int fd, std::uint64_t bytes) noexcept {
    constexpr int length_seals = F_SEAL_SHRINK | F_SEAL_GROW;
    struct stat status {};
    int const seals = ::fcntl(fd, F_GET_SEALS);
    return seals >= 0 && (seals & length_seals) == length_seals && ::fstat(fd, &status) == 0 &&
           status.st_size == static_cast<off_t>(bytes);
}

unique_fd accept_file(fd_mailbox& mailbox, bootstrap& boot, int maker, std::uint64_t bytes) {
    auto file = mailbox.receive(boot, maker, patience);
    if (!is_sealed(file.get(), bytes))
        throw error{error_kind::internal, "what was handed over is not the shared memory of this machine",
                    "wrong length or no seals", "see whether other programs of this user interfere"};
    return file;
}

/// Collective. The file that `members` share: their first makes it and hands it to the others.
unique_fd share_file(bootstrap& boot, std::vector<int> const& members, std::uint64_t bytes) {
    int const maker = members.front();
    unique_fd file;
    std::optional<fd_mailbox> mailbox;
    mailbox_name name{};
    together(boot, "prepare the memory of its machine", [&] {
        if (members.size() == 1) return;
        if (boot.rank() == maker) {
            file = make_memfd("sode", bytes);
        } else {
            mailbox.emplace();
            std::copy(mailbox->name().begin(), mailbox->name().end(), name.begin());
        }
    });

    std::vector<mailbox_name> names(static_cast<std::size_t>(boot.size()));
    boot.allgather(name.data(), sizeof name, names.data());
    together(boot, "join the memory of its machine", [&] {
        if (mailbox) {
            file = accept_file(*mailbox, boot, maker, bytes);
        } else if (file) {
            for (int const rank : members) {
                auto const& to = names[static_cast<std::size_t>(rank)];
                if (rank != maker) send_descriptor(file.get(), {to.data(), to.size()}, patience);
            }
        }
    });
    return file;
}

} // namespace

std::unique_ptr<space> make_segment_space(bootstrap& boot, std::vector<int> const& machines, arena_layout layout) {
    auto const members = ranks_of(machines[static_cast<std::size_t>(boot.rank())], machines);
    auto file = share_file(boot, members, members.size() * layout.bytes);

    arena_space::places where;
    where.rank = boot.rank();
    where.bases.resize(machines.size());
    together(boot, "map the memory of its machine", [&] {
        if (members.size() == 1) {
            where.name = "alone";
            where.own = std::make_shared<private_pages>(layout.bytes);
            where.bases[static_cast<std::size_t>(boot.rank())] = where.own->base();
            return;
        }
        auto const index = std::find(members.begin(), members.end(), boot.rank()) - members.begin();
        auto segment =
            std::make_shared<segment_pages>(std::move(file), members.size(), layout.bytes, static_cast<std::uint64_t>(index));
        for (std::size_t i = 0; i < members.size(); ++i) where.bases[static_cast<std::size_t>(members[i])] = segment->part(i);
        std::vector<std::uint64_t> index_of(machines.size());
        for (std::size_t i = 0; i < members.size(); ++i) index_of[static_cast<std::size_t>(members[i])] = i;
        where.open = [segment, index_of = std::move(index_of)](int rank, arena::range block) {
            segment->open(index_of[static_cast<std::size_t>(rank)], block.offset, block.bytes);
        };
        where.name = "segment";
        where.own = std::move(segment);
    });
    return std::make_unique<arena_space>(std::move(where), layout);
}

} // namespace sode
