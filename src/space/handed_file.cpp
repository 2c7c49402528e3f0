// SPDX-License-Identifier: Apache-2.0
#include "space/handed_file.hpp"

#include "space/agreement.hpp"
#include "space/fd_mailbox.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace sode::internal {
namespace {

/// Ample: a machine's ranks do nothing else meanwhile, but there may be thousands of them on few cores.
constexpr std::chrono::seconds patience{60};

using mailbox_name = std::array<char, fd_mailbox::name_bytes>;

bool keeps(int fd, file_terms const& terms) noexcept {
    struct stat status {};
    int const seals = ::fcntl(fd, F_GET_SEALS);
    return seals >= 0 && (seals & terms.seals) == terms.seals && ::fstat(fd, &status) == 0 &&
           status.st_size == static_cast<off_t>(terms.bytes);
}

unique_fd accept_file(fd_mailbox& mailbox, bootstrap& boot, int maker, file_terms const& terms) {
    auto file = mailbox.receive(boot, maker, patience);
    if (!keeps(file.get(), terms))
        throw error{
            error_kind::internal, fmt::format("the file from rank {} is not the one that the ranks on this machine share", maker),
            "the length or the seals of the file are wrong", "check whether another program of this user sends files to the ranks"};
    return file;
}

} // namespace

unique_fd handed_file(bootstrap& boot, machine_map::members const& members, std::string_view what, file_terms const& terms,
                      std::function<unique_fd()> const& make) {
    int const maker = members[0];
    unique_fd file;
    std::optional<fd_mailbox> mailbox;
    mailbox_name name{};
    together(boot, fmt::format("prepare {}", what), [&] {
        if (members.size() == 1) return;
        if (boot.rank() == maker) {
            file = make();
        } else {
            mailbox.emplace();
            std::copy(mailbox->name().begin(), mailbox->name().end(), name.begin());
        }
    });

    std::vector<mailbox_name> names(static_cast<std::size_t>(boot.size()));
    boot.allgather(name.data(), sizeof name, names.data());
    together(boot, fmt::format("join {}", what), [&] {
        if (mailbox) {
            file = accept_file(*mailbox, boot, maker, terms);
        } else if (file) {
            for (int const rank : members) {
                auto const& to = names[static_cast<std::size_t>(rank)];
                if (rank != maker) send_descriptor(file.get(), {to.data(), to.size()}, patience);
            }
        }
    });
    return file;
}

} // namespace sode::internal
