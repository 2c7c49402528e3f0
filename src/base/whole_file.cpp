// SPDX-License-Identifier: Apache-2.0
#include "base/whole_file.hpp"

#include "base/byte_text.hpp"
#include "base/file_beside.hpp"
#include "base/limits.hpp"
#include "base/system_error.hpp"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace sode::internal {

std::string read_file(std::string const& file, std::string_view what, std::size_t most) {
    auto const refuse = [&](std::string const& why, std::string_view suggestion) {
        throw error{error_kind::usage, fmt::format("cannot read the {} {}", what, file), why, suggestion};
    };
    auto const refuse_by_errno = [&] { refuse(std::system_category().message(errno), "choose a readable file"); };
    // Opening a pipe would wait for a writer.
    unique_fd const fd{::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)};
    struct stat status {};
    if (!fd || ::fstat(fd.get(), &status) != 0) refuse_by_errno();
    if (S_ISDIR(status.st_mode)) refuse("the path is a folder", "choose a regular file");
    if (!S_ISREG(status.st_mode)) refuse("the path is a device, a pipe or a socket", "choose a regular file");
    std::string text;
    std::array<char, 65536> part{};
    while (auto const bytes = ::read(fd.get(), part.data(), part.size())) {
        if (bytes < 0 && errno == EINTR) continue;
        if (bytes < 0) refuse_by_errno();
        text.append(part.data(), static_cast<std::size_t>(bytes));
        if (text.size() > most)
            refuse(fmt::format("the file is longer than {}", byte_text(most)), "check whether this is the right file");
    }
    return text;
}

new_file::new_file(std::string file, std::string_view what) : file_(std::move(file)), what_(what) {
    // A rename would put an ordinary file in the place of a device.
    if (std::error_code none; std::filesystem::exists(file_, none) && !std::filesystem::is_regular_file(file_, none))
        throw error{error_kind::environment, fmt::format("cannot write the {} {}", what_, file_), "the path is not a regular file",
                    "choose a regular file"};
    auto made = make_file_beside(file_, "new");
    if (!made.fd) fail("open");
    beside_ = std::move(made.name);
    stream_.reset(::fdopen(::fcntl(made.fd.get(), F_DUPFD_CLOEXEC, 0), "w"));
    if (!stream_) {
        int const why = errno;
        ::unlink(beside_.c_str());
        errno = why;
        fail("fdopen");
    }
}

new_file::~new_file() {
    if (!stream_) return;
    stream_.reset();
    ::unlink(beside_.c_str());
}

void new_file::write(std::string_view text) {
    no_file_size_signal const quiet;
    if (std::fwrite(text.data(), 1, text.size(), stream_.get()) != text.size()) fail("write");
}

void new_file::commit() {
    no_file_size_signal const quiet;
    if (std::fflush(stream_.get()) != 0 || std::ferror(stream_.get()) != 0) fail("write");
    if (std::rename(beside_.c_str(), file_.c_str()) != 0) fail("rename");
    stream_.reset();
}

void new_file::fail(std::string_view call) const {
    throw errno == EFBIG
        ? refused(fmt::format("cannot write the {} {}", what_, file_), call, errno)
        : system_error(fmt::format("cannot write the {} {}", what_, file_), call, "choose a file in a writable folder");
}

void replace_file(std::string const& file, std::string_view what, std::string_view text) {
    std::error_code ignored; // opening the file will say what is wrong
    if (auto const folder = std::filesystem::path{file}.parent_path(); !folder.empty())
        std::filesystem::create_directories(folder, ignored);
    new_file target{file, what};
    target.write(text);
    target.commit();
}

} // namespace sode::internal
