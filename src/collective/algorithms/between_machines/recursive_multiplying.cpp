// SPDX-License-Identifier: Apache-2.0
#include "collective/algorithms/between_machines/leader_plan.hpp"
#include "collective/catalogue.hpp"

namespace sode::internal {
namespace {

/// All get what all have combined, as by recursive doubling, but groups of four: a third or half of its rounds, in each of which
/// three messages are under way at once. Right for small amounts where a message's latency outweighs what the core has to do for it
/// (recursive multiplying: Ruefenacht, Bull, Booth 2017). They commute: of a number of machines that is no power of four, those
/// behind the largest one hand in what they have, and are told.
class recursive_multiplying_builder {
public:
    recursive_multiplying_builder(collective_terms const& t, int rank)
        : terms_(t), p_(t, rank), taken_(power_below(p_.machines())) {}

    static constexpr int radix = 4;
    static int power_below(int machines) noexcept {
        int taken = 1;
        while (radix * taken <= machines) taken *= radix;
        return taken;
    }

    plan build() {
        auto const bytes = terms_.bytes();
        int const own = p_.machine();
        std::vector<std::int64_t> made{p_.reserve(bytes)}, come;
        for (int unit = 1; unit < taken_; unit *= radix) {
            made.push_back(p_.reserve(bytes));
            for (int i = 1; i < radix; ++i) come.push_back(p_.reserve(bytes));
        }
        std::vector<int> behind; // who hands in here
        for (int m = own + taken_; own < taken_ && m < p_.machines(); m += taken_) behind.push_back(m);
        std::vector<std::int64_t> handed;
        for (std::size_t i = 0; i < behind.size(); ++i) handed.push_back(p_.reserve(bytes));
        auto const taken = p_.reserve(bytes);
        p_.gather();
        p_.deliver(p_.leads() ? exchange(made, come, behind, handed, taken) : leader_plan::place{}, taken);
        return p_.finish();
    }

private:
    leader_plan::place exchange(std::vector<std::int64_t> const& made, std::vector<std::int64_t> const& come,
                                std::vector<int> const& behind, std::vector<std::int64_t> const& handed, std::int64_t taken) {
        auto const bytes = terms_.bytes();
        int const own = p_.machine();
        auto parts = p_.given();
        for (std::size_t i = 0; i < behind.size(); ++i) parts.push_back(p_.receive(behind[i], p_.in_memory(handed[i]), bytes));
        bool const alone = taken_ == 1; // no rounds: the first one of two or three has all of it
        auto sum = alone && own < taken_ ? p_.result(taken) : p_.in_memory(made[0]);
        p_.fold(sum, parts, 0, bytes);
        if (own >= taken_) {
            p_.send(own % taken_, sum, bytes);
            return p_.receive(own % taken_, p_.result(taken), bytes);
        }
        std::size_t round = 0;
        for (int unit = 1; unit < taken_; unit *= radix, ++round) {
            int const digit = own / unit % radix;
            std::vector<leader_plan::place> all(radix);
            all[static_cast<std::size_t>(digit)] = sum;
            std::size_t room = round * (radix - 1);
            for (int d = 0; d < radix; ++d)
                if (d != digit)
                    all[static_cast<std::size_t>(d)] = p_.receive(own + (d - digit) * unit, p_.in_memory(come[room++]), bytes);
            // Each begins with another one, so that nobody is sent to by all at once.
            for (int i = 1; i < radix; ++i) p_.send(own + ((digit + i) % radix - digit) * unit, sum, bytes);
            bool const last = radix * unit == taken_;
            auto const into = last ? p_.result(taken) : p_.in_memory(made[round + 1]);
            p_.fold(into, all, 0, bytes);
            sum = into;
        }
        for (int const m : behind) p_.send(m, sum, bytes);
        return sum;
    }

    collective_terms const& terms_;
    leader_plan p_;
    int taken_;
};

class recursive_multiplying_algorithm final : public algorithm { // NOLINT(cppcoreguidelines-virtual-class-destructor)
public:
    constexpr recursive_multiplying_algorithm() noexcept : algorithm("recursive-multiplying", true) {}
    [[nodiscard]] bool can(collective_terms const& t) const noexcept override {
        return !t.machines.one() && !t.empty() && t.kind == collective_kind::allreduce && commutes(t);
    }
    [[nodiscard]] bool regroups(collective_terms const& /*t*/) const noexcept override { return true; }
    [[nodiscard]] expense cost(collective_terms const& t, distance /*apart*/) const noexcept override {
        using builder = recursive_multiplying_builder;
        int const all = t.machines.machines(), taken = builder::power_below(all);
        auto const bytes = static_cast<double>(t.bytes());
        auto sum = within_machine(t);
        for (int unit = 1; unit < taken; unit *= builder::radix) sum += leader_round(t, builder::radix - 1, bytes);
        int const behind = (all - 1) / taken; // that hand in at one machine
        if (behind > 0) sum += 2.0 * leader_round(t, behind, bytes);
        return sum;
    }
    [[nodiscard]] plan build(collective_terms const& t, int rank) const override {
        return recursive_multiplying_builder{t, rank}.build();
    }
};

constinit recursive_multiplying_algorithm const recursive_multiplying_object;

} // namespace

namespace algorithms {
algorithm const& recursive_multiplying = recursive_multiplying_object;
} // namespace algorithms

} // namespace sode::internal
