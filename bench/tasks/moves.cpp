// SPDX-License-Identifier: Apache-2.0
#include "layout/copy_program.hpp"
#include "support/limit.hpp"
#include "tasks/transfer.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <sys/uio.h>

namespace sode::internal::bench {
namespace {

/// As the library would.
void copy(char* to, char const* from, std::size_t bytes) {
    auto const length = static_cast<index_t>(bytes);
    static thread_local copy_program program;
    if (program.bytes != length) program = compile(contiguous(0, length), contiguous(0, length));
    run(program, reinterpret_cast<std::byte*>(to), reinterpret_cast<std::byte const*>(from));
}

/// What a way is to move: `bytes` that lie together.
struct move_terms {
    pair& ranks;
    std::size_t bytes;
    source_data data;
    pages kind;
};

class move : public transfer {
public:
    move(std::string name, move_terms const& t)
        : transfer(std::move(name), t.ranks, t.bytes, t.kind, {{0, static_cast<std::int64_t>(t.bytes)}}, t.data), bytes_(t.bytes) {}

protected:
    [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

private:
    std::size_t bytes_;
};

/// Each side copies a half, of whole cache lines.
class both final : public move {
public:
    explicit both(move_terms const& t) : move("both", t) {}
    void exchange() override {
        auto const step = next_step(2);
        with().reached(step); // the data are written, the place for them is free
        with().await(step);
        copy_half(copy);
        with().reached(step + 1);
        with().await(step + 1);
    }
    /// This side's part: copy(to, from, bytes).
    template <class Copy> void copy_half(Copy how) {
        std::size_t const half = bytes() / 2 / 64 * 64;
        if (with().sends())
            how(target() + half, source() + half, bytes() - half);
        else
            how(target(), source(), half);
    }
    template <class Copy> void copy_as_receiver(Copy how) {
        if (!with().sends()) how(target(), source(), bytes());
    }
};

/// The same in the same memory, without a word to the other side; or by the receiver alone, which is faster where stores into the
/// other's cache are dear.
class bare_both final : public subject {
public:
    using copy_function = void (*)(char* to, char const* from, std::size_t bytes);
    bare_both(std::string const& name, both& with, copy_function how, bool alone = false)
        : name_(limit_prefix + name), with_(with), copy_(how), alone_(alone) {}

    [[nodiscard]] std::string const& name() const noexcept override { return name_; }
    void rewrite(std::uint64_t round, bool everything) override { with_.rewrite(round, everything); }
    void exchange() override { alone_ ? with_.copy_as_receiver(copy_) : with_.copy_half(copy_); }
    [[nodiscard]] double timed(tick_rate const& rate, control& shared) override {
        return timed_phases(rate, shared, 1, [this](int) { exchange(); });
    }
    void poison() override { with_.poison(); }
    [[nodiscard]] long mismatches(std::uint64_t round) override { return with_.mismatches(round); }

private:
    std::string name_;
    both& with_;
    copy_function copy_;
    bool alone_;
};

/// As the C library thinks best, which may be by stores that pass the caches.
void plain_copy(char* to, char const* from, std::size_t bytes) {
    std::memcpy(to, from, bytes);
}

class receiver final : public move {
public:
    explicit receiver(move_terms const& t) : move("receiver", t) {}
    void exchange() override {
        by_receiver([this] { copy(target(), source(), bytes()); });
    }
};

/// As MPIs do by "CMA".
class kernel_copy final : public move {
public:
    explicit kernel_copy(move_terms const& t) : move("process_vm_readv", t) {}
    /// Collective.
    [[nodiscard]] bool allowed() {
        exchange();
        return with().shared().sum(works_ ? 0 : 1) == 0;
    }
    void exchange() override {
        by_receiver([this] {
            iovec const to{target(), bytes()}, from{source(), bytes()};
            works_ = process_vm_readv(with().other_pid(), &to, 1, &from, 1, 0) == static_cast<ssize_t>(bytes());
        });
    }

private:
    bool works_ = true;
};

/// As MPIs do without it: the sender fills slots that both share, the receiver empties them meanwhile.
class ring final : public move {
public:
    ring(move_terms const& t, std::size_t slot)
        : move(fmt::format("ring of {} KiB", slot >> 10), t), slot_(slot), slots_(t.ranks.common(slot * count)) {}
    void exchange() override {
        std::size_t const pieces = (bytes() + slot_ - 1) / slot_;
        auto const before = next_step(pieces + 1);
        for (std::size_t i = 0; i < pieces; ++i) {
            std::size_t const at = i * slot_, length = std::min(slot_, bytes() - at);
            char* const slot = slots_ + i % count * slot_;
            if (with().sends()) {
                if (i >= count) with().await(before + i - count + 1);
                std::memcpy(slot, source() + at, length);
            } else {
                with().await(before + i + 1);
                std::memcpy(target() + at, slot, length);
            }
            with().reached(before + i + 1);
        }
        with().await(before + pieces);
    }

private:
    static constexpr std::size_t count = 8;

    std::size_t slot_;
    char* slots_;
};

} // namespace

std::vector<std::unique_ptr<subject>> moves(pair& p, std::size_t bytes, source_data data, pages kind) {
    move_terms const t{p, bytes, data, kind};
    std::vector<std::unique_ptr<subject>> all;
    if (p.reachable()) {
        auto by_both = std::make_unique<both>(t);
        auto& memory = *by_both;
        all.push_back(std::move(by_both));
        all.push_back(std::make_unique<bare_both>("memcpy", memory, plain_copy));
        all.push_back(std::make_unique<bare_both>("kernels", memory, copy));
        all.push_back(std::make_unique<bare_both>("receiver", memory, copy, true));
        all.push_back(std::make_unique<receiver>(t));
    }
    auto by_kernel = std::make_unique<kernel_copy>(t);
    if (by_kernel->allowed()) all.push_back(std::move(by_kernel));
    for (std::size_t const slot : {std::size_t{16} << 10, std::size_t{32} << 10, std::size_t{64} << 10, std::size_t{128} << 10})
        all.push_back(std::make_unique<ring>(t, slot));
    return all;
}

} // namespace sode::internal::bench
