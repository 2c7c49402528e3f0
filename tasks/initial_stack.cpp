// SPDX-License-Identifier: Apache-2.0
#include "tasks/initial_stack.hpp"

#include "base/limits.hpp"
#include "base/system_error.hpp"
#include "base/unique_fd.hpp"
#include "tasks/pages.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/random.h>
#include <unistd.h>

namespace sode::internal {

namespace {

using word = std::uintptr_t;
constexpr std::size_t random_bytes = 16;
constexpr std::size_t stack_alignment = 16;

/// Writes downwards, as a stack grows.
class downwards {
public:
    explicit downwards(word top) : at_(top) {}

    word text(std::string_view words) {
        at_ -= words.size() + 1;
        auto* const to = static_cast<char*>(memory_at(at_));
        std::memcpy(to, words.data(), words.size());
        to[words.size()] = '\0';
        return at_;
    }
    word random() {
        std::array<std::byte, random_bytes> bytes{};
        if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
            throw system_error("cannot start a task", "getrandom", "allow the system call getrandom");
        at_ = round_down(at_ - bytes.size(), stack_alignment);
        std::memcpy(memory_at(at_), bytes.data(), bytes.size());
        return at_;
    }
    /// All of them, the first lowest, the lowest at a multiple of 16.
    word words(std::vector<word> const& all) {
        at_ = round_down(at_ - all.size() * sizeof(word), stack_alignment);
        std::memcpy(memory_at(at_), all.data(), all.size() * sizeof(word));
        return at_;
    }

private:
    word at_;
};

/// The strings with the first one lowest and no room between them, which programs that write over their arguments rely on.
std::vector<word> put_texts(downwards& stack, std::vector<std::string> const& texts) {
    std::vector<word> where(texts.size());
    for (auto i = texts.size(); i-- > 0;) where[i] = stack.text(texts[i]);
    return where;
}

std::size_t text_bytes(std::vector<std::string> const& texts) noexcept {
    std::size_t sum = 0;
    for (auto const& text : texts) sum += text.size() + 1 + sizeof(word);
    return sum;
}

} // namespace

auxiliary_vector::auxiliary_vector() {
    unique_fd const file{::open("/proc/self/auxv", O_RDONLY | O_CLOEXEC)};
    if (!file) throw refused("the auxiliary vector of this process cannot be read", "open /proc/self/auxv", errno, "mount /proc");
    Elf64_auxv_t entry{};
    while (::read(file.get(), &entry, sizeof entry) == static_cast<ssize_t>(sizeof entry) && entry.a_type != AT_NULL)
        entries_.push_back(entry);
}

std::size_t initial_stack::bytes() const noexcept {
    constexpr std::size_t platform_and_roundings = 1024;
    return text_bytes(argv) + text_bytes(env) + path.size() + 1 + (auxiliary.entries().size() + 2) * sizeof(Elf64_auxv_t) +
           platform_and_roundings;
}

std::uintptr_t initial_stack::write(std::uintptr_t top) const {
    downwards stack{top - sizeof(word)};
    auto const path_text = stack.text(path);
    auto const env_texts = put_texts(stack, env);
    auto const argv_texts = put_texts(stack, argv);

    std::vector<word> auxv;
    auto const add = [&](word type, word value) { auxv.insert(auxv.end(), {type, value}); };
    for (auto const& entry : auxiliary.entries()) {
        switch (entry.a_type) {
        case AT_PHDR: add(AT_PHDR, image.headers); break;
        case AT_PHNUM: add(AT_PHNUM, image.header_count); break;
        case AT_ENTRY: add(AT_ENTRY, image.entry); break;
        case AT_BASE: add(AT_BASE, 0); break; // what is mapped needs no other dynamic linker: it is one, or does without
        case AT_EXECFN: add(AT_EXECFN, path_text); break;
        case AT_RANDOM: add(AT_RANDOM, stack.random()); break;
        case AT_SECURE: add(AT_SECURE, 0); break;
        case AT_PLATFORM:
        case AT_BASE_PLATFORM: add(entry.a_type, stack.text(static_cast<char const*>(memory_at(entry.a_un.a_val)))); break;
        default: add(entry.a_type, entry.a_un.a_val);
        }
    }
    add(AT_NULL, 0);

    std::vector<word> words{argv.size()};
    words.insert(words.end(), argv_texts.begin(), argv_texts.end());
    words.push_back(0);
    words.insert(words.end(), env_texts.begin(), env_texts.end());
    words.push_back(0);
    words.insert(words.end(), auxv.begin(), auxv.end());
    return stack.words(words);
}

} // namespace sode::internal
