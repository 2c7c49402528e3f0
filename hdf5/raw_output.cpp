// SPDX-License-Identifier: Apache-2.0
#include "hdf5/raw_output.hpp"

#include "base/system_error.hpp"

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace sode::internal::files {
namespace {

constexpr std::size_t room = std::size_t{1} << 20U;

} // namespace

raw_output::raw_output(std::string file) : file_(std::move(file)), fd_(open(file_.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC)) {
    if (!fd_)
        throw system_error(fmt::format("cannot write to {}, which rank 0 has just made", file_), "open",
                           "write to a folder that all ranks can access");
}

void raw_output::put(index_t offset, std::size_t bytes, std::function<void(std::byte*)> const& fill) {
    if (offset != first_ + static_cast<index_t>(waiting_.size()) || (!waiting_.empty() && waiting_.size() + bytes > room)) flush();
    if (waiting_.empty()) first_ = offset;
    auto const before = waiting_.size();
    waiting_.resize(before + bytes);
    fill(waiting_.data() + before);
}

void raw_output::flush() {
    for (std::size_t done = 0; done < waiting_.size();) {
        auto const n = pwrite(fd_.get(), waiting_.data() + done, waiting_.size() - done, first_ + static_cast<off_t>(done));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0)
            throw system_error(fmt::format("cannot write {}", file_), "pwrite", "free some space, or write to another place");
        done += static_cast<std::size_t>(n);
    }
    waiting_.clear();
}

void raw_output::finish() {
    flush();
    // Some file systems notice only here that there is no room.
    if (fsync(fd_.get()) != 0)
        throw system_error(fmt::format("cannot write {}", file_), "fsync", "free some space, or write to another place");
}

} // namespace sode::internal::files
