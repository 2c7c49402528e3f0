// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sode::internal {

/// A set of processors (hardware threads), by the operating system's numbers, as `taskset` and /proc/cpuinfo use them.
class processor_set {
public:
    /// Where the calling thread may run.
    [[nodiscard]] static processor_set of_this_thread();
    /// "0-3,8". Errors: usage.
    [[nodiscard]] static processor_set parse(std::string_view list);

    void insert(int processor);
    [[nodiscard]] bool contains(int processor) const noexcept;
    [[nodiscard]] int count() const noexcept;
    [[nodiscard]] std::vector<int> numbers() const;
    processor_set& operator|=(processor_set const& other);
    [[nodiscard]] std::string to_string() const;

    /// Lets the calling thread run only here. False, with errno, if the system refuses.
    [[nodiscard]] bool bind_this_thread() const noexcept;

    /// 64 processors a word, for sending.
    [[nodiscard]] std::vector<std::uint64_t> const& words() const noexcept { return words_; }
    [[nodiscard]] static processor_set from_words(std::vector<std::uint64_t> words);

private:
    std::vector<std::uint64_t> words_;
};

/// How many processors' worth of time a process that may run on `where` gets: as many as there are, or fewer, where its control
/// group has a quota (`docker run --cpus 2`). At least 1.
[[nodiscard]] int usable_processors(processor_set const& where);
/// For the calling thread.
[[nodiscard]] int usable_processors();

} // namespace sode::internal
