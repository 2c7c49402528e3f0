// SPDX-License-Identifier: Apache-2.0
#include "tasks/shortcuts.hpp"

#include "tasks/pages.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <string_view>
#include <sys/mman.h>
#include <sys/syscall.h>

namespace sode::internal {

namespace {

constexpr int chances_of_a_task = 32;
constexpr std::size_t load_bytes = 5; // mov $number, %eax
constexpr std::size_t call_bytes = 2; // syscall
constexpr std::byte jump_opcode{0xe9};

using call_site = std::array<std::byte, load_bytes + call_bytes>;

call_site expected(long number) noexcept {
    constexpr std::byte load_opcode{0xb8};
    return {load_opcode, static_cast<std::byte>(number), {}, {}, {}, std::byte{0x0f}, std::byte{0x05}};
}

bool has_one_thread(pid_t process) {
    std::unique_ptr<std::FILE, decltype(&std::fclose)> const file{std::fopen(fmt::format("/proc/{}/stat", process).c_str(), "re"),
                                                                  &std::fclose};
    std::array<char, 1024> text{};
    if (!file || std::fgets(text.data(), text.size(), file.get()) == nullptr) return false;
    char const* const name_end = std::strrchr(text.data(), ')'); // the name may hold anything
    long threads = 0;
    return name_end != nullptr && // the twentieth field; the name is the second
           std::sscanf(name_end + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %ld", &threads) == 1 &&
           threads == 1;
}

} // namespace

void shortcuts::open(partition& own) noexcept {
    own_ = &own;
    used_ = 0;
    chances_ = chances_of_a_task;
    known_.clear();
    long const at = own.map(page_bytes, page_bytes, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    page_ = at < 0 ? 0 : static_cast<std::uintptr_t>(at);
}

void shortcuts::learn(long number, std::uintptr_t after, pid_t process) {
    if (page_ == 0 || chances_ == 0 || (number != SYS_mmap && number != SYS_brk)) return;
    if (after > page_ && after <= page_ + page_bytes) return; // a shortcut that was not simple
    if (std::find(known_.begin(), known_.end(), after) != known_.end()) return;
    --chances_;
    call_site site{};
    if (!memory_->read(after - site.size(), site)) return;
    // Another thread could be in the middle of what is changed.
    if (site == expected(number) && !has_one_thread(process)) return;
    known_.push_back(after);
    if (site != expected(number)) return;
    if (number == SYS_mmap)
        (void)put(mmap_shortcut(), reinterpret_cast<std::uintptr_t>(&own_->window()), after);
    else
        (void)put(brk_shortcut(), reinterpret_cast<std::uintptr_t>(&own_->heap()), after);
}

bool shortcuts::put(shortcut_code const& what, std::uintptr_t state, std::uintptr_t after) {
    std::vector<std::byte> code{what.code.begin(), what.code.end()};
    std::memcpy(code.data() + what.state, &state, sizeof state);
    std::memcpy(code.data() + what.back, &after, sizeof after);
    auto const at = page_ + used_;
    if (code.size() > page_bytes - used_ || !memory_->write(at, code)) return false;
    used_ = round_up(used_ + code.size(), 16);

    // The load of the number becomes the jump; the call after it stays for whoever jumps right there.
    auto const begin = after - call_bytes - load_bytes;
    auto const distance = static_cast<std::int64_t>(at) - static_cast<std::int64_t>(begin + load_bytes);
    if (distance < std::numeric_limits<std::int32_t>::min() || distance > std::numeric_limits<std::int32_t>::max()) return false;
    auto const near = static_cast<std::int32_t>(distance);
    std::array<std::byte, load_bytes> jump{jump_opcode};
    std::memcpy(jump.data() + 1, &near, sizeof near);
    return memory_->write(begin, jump);
}

} // namespace sode::internal
