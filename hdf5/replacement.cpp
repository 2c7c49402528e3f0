// SPDX-License-Identifier: Apache-2.0
#include "hdf5/replacement.hpp"

#include "base/system_error.hpp"
#include "base/unique_fd.hpp"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace sode::internal::files {
namespace {

constexpr std::string_view ending = "part";

error cannot_write(std::string const& file, std::string_view call,
                   std::string_view suggestion = "free some space, or write to another place") {
    return system_error(fmt::format("cannot write {}", file), call, suggestion);
}

} // namespace

replacement::replacement(std::string file) : file_(std::move(file)) {
    remove_files_beside(file_, ending);
    part_ = make_file_beside(file_, ending);
    if (!part_.fd) throw cannot_write(file_, "open", "check that the folder exists and is writable");
}

replacement::~replacement() {
    if (!done_) unlink(part_.name.c_str());
}

void replacement::commit() {
    if (std::rename(part_.name.c_str(), file_.c_str()) != 0) throw cannot_write(file_, "rename");
    done_ = true;
    // The name is data of the folder. Where folders cannot be synchronised, the file system does it in its own way.
    auto const folder = std::filesystem::path{file_}.parent_path();
    unique_fd const fd{open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (fd && fsync(fd.get()) != 0 && errno != EINVAL && errno != EROFS) throw cannot_write(file_, "fsync of its folder");
}

void replace_text(std::string const& file, std::string_view text) {
    replacement fresh{file};
    while (!text.empty()) {
        auto const n = write(fresh.fd(), text.data(), text.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) throw cannot_write(fresh.part(), "write");
        text.remove_prefix(static_cast<std::size_t>(n));
    }
    if (fsync(fresh.fd()) != 0) throw cannot_write(fresh.part(), "fsync");
    fresh.commit();
}

} // namespace sode::internal::files
