// SPDX-License-Identifier: Apache-2.0
#include "tasks/root/rank_request.hpp"

#include "base/limits.hpp"
#include "base/system_error.hpp"

#include <cerrno>
#include <cstring>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <type_traits>
#include <unistd.h>

namespace sode::internal::tasks {

namespace {

constexpr std::string_view magic = "sode rank request 1";

class writer {
public:
    template <typename T> void plain(T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        text.append(reinterpret_cast<char const*>(&value), sizeof value);
    }
    void string(std::string& value) {
        count(value.size());
        text += value;
    }
    template <typename T> std::size_t size_of(std::vector<T>& list) {
        count(list.size());
        return list.size();
    }
    std::string text;

private:
    void count(std::uint64_t n) { plain(n); }
};

class reader {
public:
    explicit reader(std::string_view all) : left_(all) {
        std::string mark;
        string(mark);
        if (mark != magic) broken();
    }
    template <typename T> void plain(T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
    }
    void string(std::string& value) { value = take(count()); }
    template <typename T> std::size_t size_of(std::vector<T>& list) {
        auto const n = count();
        if (n > left_.size()) broken(); // every item has a byte at least
        list.resize(n);
        return n;
    }

private:
    [[noreturn]] static void broken() {
        throw error{error_kind::environment, "the request of a task cannot be read",
                    "the request belongs to another version of Sode", "use the same version of Sode on the whole machine"};
    }
    std::string_view take(std::uint64_t bytes) {
        if (bytes > left_.size()) broken();
        auto const taken = left_.substr(0, bytes);
        left_.remove_prefix(bytes);
        return taken;
    }
    std::uint64_t count() {
        std::uint64_t n = 0;
        plain(n);
        return n;
    }
    std::string_view left_;
};

template <typename Archive> void pass(Archive& a, std::vector<std::string>& list) {
    a.size_of(list);
    for (auto& word : list) a.string(word);
}

template <typename Archive, typename T> void pass(Archive& a, std::vector<T>& list) {
    a.size_of(list);
    for (auto& item : list) a.plain(item);
}

// One order of the fields for both directions, so that they cannot differ.
template <typename Archive> void pass(Archive& a, rank_request& r) {
    a.plain(r.house.capacity);
    a.plain(r.house.partition_bytes);
    std::uint8_t scattered = r.house.scatter_seed.has_value() ? 1 : 0;
    std::uint64_t seed = r.house.scatter_seed.value_or(0);
    a.plain(scattered);
    a.plain(seed);
    if (scattered != 0) r.house.scatter_seed = seed;
    a.plain(r.rank);
    a.plain(r.on_machine);
    a.plain(r.launcher);
    a.string(r.path);
    pass(a, r.arguments);
    pass(a, r.environment);
    a.string(r.directory);
    a.plain(r.umask);
    a.plain(r.leads_session);
    a.plain(r.limits);
    a.plain(r.nice);
    a.plain(r.blocked);
    a.plain(r.ignored);
    pass(a, r.processors);
    a.plain(r.memory.mode);
    pass(a, r.memory.nodes);
    a.plain(r.stack_bytes);
    pass(a, r.descriptors);
}

} // namespace

unique_fd write_request(rank_request const& request) {
    writer out;
    std::string mark{magic};
    out.string(mark);
    rank_request copy = request;
    pass(out, copy);
    unique_fd file{memfd_create("sode-request", MFD_CLOEXEC)};
    if (!file) throw refused("a task cannot be described", "memfd_create", errno);
    no_file_size_signal const quiet;
    for (std::size_t at = 0; at < out.text.size();) {
        ssize_t const put = write(file.get(), out.text.data() + at, out.text.size() - at);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) throw refused("a task cannot be described", "write", errno, "free some memory");
        at += static_cast<std::size_t>(put);
    }
    return file;
}

rank_request read_request(unique_fd const& file) {
    struct stat status {};
    if (fstat(file.get(), &status) != 0) throw system_error("a task's request cannot be read", "fstat", "");
    std::string all(static_cast<std::size_t>(status.st_size), '\0');
    // Not mapped: who shrinks the file later would kill the root.
    ssize_t const got = pread(file.get(), all.data(), all.size(), 0);
    if (got != static_cast<ssize_t>(all.size())) throw system_error("a task's request cannot be read", "pread", "");
    reader in{all};
    rank_request request;
    pass(in, request);
    return request;
}

} // namespace sode::internal::tasks
