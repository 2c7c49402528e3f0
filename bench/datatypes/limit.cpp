// SPDX-License-Identifier: Apache-2.0
#include "datatypes/limit.hpp"
#include "support/limit.hpp"
#include "support/reach.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <stdexcept>

namespace sode::internal::bench {
namespace {

constexpr std::int64_t line = 64;

using copy_function = void (*)(char* to, char const* from, std::int64_t bytes);

void by_memcpy(char* to, char const* from, std::int64_t bytes) {
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
}
void by_lines(char* to, char const* from, std::int64_t bytes) {
    for (std::int64_t i = 0; i < bytes; i += line) std::memcpy(to + i, from + i, line);
}

struct way {
    char const* name;
    copy_function copy;
    bool receiver_alone;
};
constexpr std::array ways{way{"memcpy", by_memcpy, false}, way{"lines", by_lines, false}, way{"receiver", by_memcpy, true}};

way const& way_of(std::string const& name) {
    for (auto const& w : ways)
        if (name == limit_prefix + std::string{w.name}) return w;
    throw std::invalid_argument{"no limit \"" + name + "\""};
}

/// Memory of both partners that each can load and store: a partner's own if it is a task of this process, else a window.
class common_memory {
public:
    common_memory(std::size_t bytes, pair_world const& w) : own_(allocate(bytes)) {
        std::memset(own_.get(), 0, bytes);
        struct {
            char* address;
            std::uint64_t value;
        } mine{own_.get(), 0x6c696d6974000000U + static_cast<std::uint64_t>(w.mpi.rank())};
        std::memcpy(own_.get(), &mine.value, sizeof mine.value);
        auto theirs = mine;
        MPI_Sendrecv(&mine, sizeof mine, MPI_BYTE, w.partner(), 8, &theirs, sizeof theirs, MPI_BYTE, w.partner(), 8,
                     w.mpi.communicator(), MPI_STATUS_IGNORE);
        int const loads = can_load(theirs.address, theirs.value) ? 1 : 0;
        int all = 0;
        MPI_Allreduce(&loads, &all, 1, MPI_INT, MPI_MIN, w.mpi.communicator());
        mine_ = own_.get();
        theirs_ = theirs.address;
        if (all == 1) return;
        own_.reset();
        window_ = std::make_unique<shared_window>(w.mpi.communicator(), bytes + line);
        mine_ = aligned(window_->of(w.mpi.rank()));
        theirs_ = aligned(window_->of(w.partner()));
    }
    [[nodiscard]] char* mine() const noexcept { return mine_; }
    [[nodiscard]] char* theirs() const noexcept { return theirs_; }

private:
    struct aligned_delete {
        void operator()(char* memory) const noexcept { ::operator delete[](memory, std::align_val_t{line}); }
    };
    static char* allocate(std::size_t bytes) {
        return static_cast<char*>(::operator new[](std::max(bytes, sizeof(std::uint64_t)), std::align_val_t{line}));
    }
    static char* aligned(char* p) {
        return p + (line - static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(p) % line)) % line;
    }

    std::unique_ptr<char[], aligned_delete> own_;
    std::unique_ptr<shared_window> window_;
    char* mine_ = nullptr;
    char* theirs_ = nullptr;
};

/// A rank's memory: what it sends to its partner, what it receives, then the same for itself.
class bare_copies final : public communication {
public:
    bare_copies(std::string name, limit_case const& c, way const& how, pair_world const& w)
        : name_(std::move(name)), case_(c), way_(how), world_(w), memory_(static_cast<std::size_t>(bytes(c)), w) {}

    [[nodiscard]] std::string const& name() const noexcept override { return name_; }
    void rewrite(std::uint64_t round, bool /*everything*/) override {
        if (world_.data == send_data::kept && written_) return;
        stamp(memory_.mine(), sent(), seed(round, world_.mpi.rank()));
        stamp(memory_.mine(), own_sent(), seed(round, world_.mpi.rank()));
        written_ = true;
    }
    void exchange() override {
        for (int p = 0; p < phases(); ++p) phase(p);
    }
    [[nodiscard]] double timed(tick_rate const& rate, control& shared) override {
        double const us = timed_phases(rate, shared, phases(), [this](int p) { phase(p); });
        // Messages that follow each other are copied one after the other, also where either rank copies one of them.
        return case_.by_turns && way_.receiver_alone ? shared.sum(us) : us;
    }
    void poison() override { wipe(memory_.mine(), received()); }
    [[nodiscard]] long mismatches(std::uint64_t round) override {
        return wrong_words(memory_.mine(), received(), seed(round, world_.partner())) +
               wrong_words(memory_.mine(), own_received(), seed(round, world_.mpi.rank()));
    }
    [[nodiscard]] long spilled() override { return 0; } // there is nothing beside the lines
    void renew() override {}

private:
    [[nodiscard]] int phases() const noexcept { return case_.by_turns ? 2 : 1; }
    /// By turns: first what the lower rank sends, then what it receives.
    void phase(int p) const {
        bool const lower = world_.mpi.rank() < world_.partner();
        if (!case_.by_turns || lower == (p == 1)) receive();
        if (!case_.by_turns || lower == (p == 0)) send();
        if (case_.self.source == 0) return;
        for (int half : {0, 1}) copy(memory_.mine() + own_received_at(), memory_.mine() + own_sent_at(), case_.self, half);
    }
    void receive() const {
        copy(memory_.mine() + received_at(), memory_.theirs(), case_.message, 0);
        if (way_.receiver_alone) copy(memory_.mine() + received_at(), memory_.theirs(), case_.message, 1);
    }
    void send() const {
        if (!way_.receiver_alone) copy(memory_.theirs() + received_at(), memory_.mine(), case_.message, 1);
    }
    /// Half 0 or 1 of the lines; the ends of both are whole lines.
    void copy(char* to, char const* from, touched const& t, int half) const {
        auto const part = [half](std::int64_t lines) {
            std::int64_t const first = half == 0 ? 0 : lines / 2;
            return std::pair{first * line, (half == 0 ? lines / 2 : lines) * line};
        };
        std::int64_t const both = std::min(t.source, t.target);
        auto const [begin, end] = part(both);
        way_.copy(to + begin, from + begin, end - begin);
        auto const [more, last] = part(std::max(t.source, t.target) - both);
        if (t.source > t.target) {
            std::uint64_t sum = 0;
            for (std::int64_t at = both * line + more; at < both * line + last; at += line)
                sum += *reinterpret_cast<std::uint64_t const volatile*>(from + at);
            static_cast<void>(sum);
        } else {
            std::memset(to + both * line + more, 0, static_cast<std::size_t>(last - more));
        }
    }

    static std::int64_t bytes(limit_case const& c) {
        return line * (c.message.source + c.message.target + c.self.source + c.self.target);
    }
    [[nodiscard]] std::int64_t received_at() const { return line * case_.message.source; }
    [[nodiscard]] std::int64_t own_sent_at() const { return received_at() + line * case_.message.target; }
    [[nodiscard]] std::int64_t own_received_at() const { return own_sent_at() + line * case_.self.source; }
    [[nodiscard]] places sent() const { return {{0, line * case_.message.source}}; }
    [[nodiscard]] places received() const { return {{received_at(), line * std::min(case_.message.source, case_.message.target)}}; }
    [[nodiscard]] places own_sent() const { return {{own_sent_at(), line * case_.self.source}}; }
    [[nodiscard]] places own_received() const {
        return {{own_received_at(), line * std::min(case_.self.source, case_.self.target)}};
    }
    [[nodiscard]] std::uint32_t seed(std::uint64_t round, int sender) const {
        auto const changing = world_.data == send_data::rewritten ? static_cast<std::uint32_t>(round) : 1U;
        return changing * 0x85ebca6bU + static_cast<std::uint32_t>(sender) * 0xc2b2ae35U;
    }

    std::string name_;
    limit_case case_;
    way way_;
    pair_world world_;
    common_memory memory_;
    bool written_ = false;
};

} // namespace

std::unique_ptr<communication> limit_of(limit_case const& c, std::string const& name, pair_world const& w) {
    if (w.mpi.size() != 2) throw std::invalid_argument{"limits are of two ranks"};
    return std::make_unique<bare_copies>(name, c, way_of(name), w);
}

bool is_limit(std::string const& name) noexcept {
    return name.starts_with(limit_prefix);
}

std::vector<std::string> limit_names() {
    std::vector<std::string> all;
    for (auto const& w : ways) all.push_back(limit_prefix + std::string{w.name});
    return all;
}

} // namespace sode::internal::bench
