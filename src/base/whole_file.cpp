// SPDX-License-Identifier: Apache-2.0
#include "base/whole_file.hpp"

#include "base/system_error.hpp"

#include <array>
#include <cerrno>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>
#include <unistd.h>

namespace sode {

std::string read_file(std::string const& file, std::string_view what) {
    auto const refuse = [&] {
        throw error{error_kind::usage, fmt::format("cannot read the {} {}", what, file), std::system_category().message(errno),
                    "name a file that can be read"};
    };
    std::unique_ptr<std::FILE, file_closer> const stream{std::fopen(file.c_str(), "re")};
    if (!stream) refuse();
    std::string text;
    std::array<char, 8192> part{};
    while (auto const bytes = std::fread(part.data(), 1, part.size(), stream.get())) text.append(part.data(), bytes);
    if (std::ferror(stream.get()) != 0) refuse();
    return text;
}

new_file::new_file(std::string file, std::string_view what)
    : file_(std::move(file)), what_(what), beside_(fmt::format("{}.{}.new", file_, ::getpid())) {
    // A rename would put an ordinary file in the place of a device.
    if (std::error_code none; std::filesystem::exists(file_, none) && !std::filesystem::is_regular_file(file_, none))
        throw error{error_kind::environment, fmt::format("cannot write the {} {}", what_, file_), "it is no ordinary file",
                    "name a file"};
    stream_.reset(std::fopen(beside_.c_str(), "we"));
    if (!stream_) fail("open");
}

new_file::~new_file() {
    if (!stream_) return;
    stream_.reset();
    ::unlink(beside_.c_str());
}

void new_file::write(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), stream_.get()) != text.size()) fail("write");
}

void new_file::commit() {
    if (std::fflush(stream_.get()) != 0 || std::ferror(stream_.get()) != 0) fail("write");
    if (std::rename(beside_.c_str(), file_.c_str()) != 0) fail("rename");
    stream_.reset();
}

void new_file::fail(std::string_view call) const {
    throw system_error(fmt::format("cannot write the {} {}", what_, file_), call, "name a place where you may write");
}

void replace_file(std::string const& file, std::string_view what, std::string_view text) {
    std::error_code ignored; // opening the file will say what is wrong
    if (auto const folder = std::filesystem::path{file}.parent_path(); !folder.empty())
        std::filesystem::create_directories(folder, ignored);
    new_file target{file, what};
    target.write(text);
    target.commit();
}

} // namespace sode
