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

namespace sode::files {
namespace {

error cannot_write(std::string const& file, std::string_view call) {
    return system_error(fmt::format("cannot write {}", file), call, "make room, or write elsewhere");
}

} // namespace

std::string part_of(std::string const& file) {
    return file + ".part";
}

replacement::replacement(std::string file) : file_(std::move(file)), part_(part_of(file_)) {}

replacement::~replacement() {
    if (!done_) unlink(part_.c_str());
}

void replacement::commit() {
    if (std::rename(part_.c_str(), file_.c_str()) != 0) throw cannot_write(file_, "rename");
    done_ = true;
    // The name is data of the folder. Where folders cannot be synchronised, the file system does it in its own way.
    auto const folder = std::filesystem::path{file_}.parent_path();
    unique_fd const fd{open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (fd && fsync(fd.get()) != 0 && errno != EINVAL && errno != EROFS) throw cannot_write(file_, "fsync of its folder");
}

void replace_text(std::string const& file, std::string_view text) {
    replacement fresh{file};
    unique_fd fd{open(fresh.part().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
    if (!fd) throw cannot_write(fresh.part(), "open");
    while (!text.empty()) {
        auto const n = write(fd.get(), text.data(), text.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) throw cannot_write(fresh.part(), "write");
        text.remove_prefix(static_cast<std::size_t>(n));
    }
    if (fsync(fd.get()) != 0) throw cannot_write(fresh.part(), "fsync");
    fd.reset();
    fresh.commit();
}

} // namespace sode::files
