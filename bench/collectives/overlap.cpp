// SPDX-License-Identifier: Apache-2.0
#include "collectives/overlap.hpp"
#include "support/statistics.hpp"

#include <algorithm>
#include <vector>

namespace sode::internal::bench {
namespace {

constexpr int rounds = 7;

/// Work of a kind, as much as takes so long.
class work {
public:
    explicit work(bool memory) : memory_(memory) {
        if (memory) field_.assign(elements, 1.0);
    }

    void last(double us, tick_rate const& rate) {
        units_ = 64;
        std::vector<double> times;
        for (int i = 0; i < rounds; ++i) {
            auto const begin = ticks();
            (*this)();
            times.push_back(rate.us(begin, ticks()));
        }
        units_ = std::max<std::size_t>(1, static_cast<std::size_t>(us / median(times) * 64));
    }

    void operator()() {
        if (memory_)
            through_memory();
        else
            in_registers();
    }

private:
    static constexpr std::size_t elements = (std::size_t{64} << 20) / sizeof(double);
    static constexpr std::size_t unit = 64; // elements, or steps

    void in_registers() {
        double x = seed_;
        for (std::size_t i = 0; i < units_ * unit; ++i) x = x * 0.999999 + 0.000001;
        seed_ = x;
    }
    void through_memory() {
        for (std::size_t u = 0; u < units_; ++u) {
            double* const at = field_.data() + next_;
            for (std::size_t i = 0; i < unit; ++i) at[i] = at[i] * 0.999999 + 0.000001;
            next_ = (next_ + unit) % elements;
        }
    }

    bool memory_;
    std::vector<double> field_;
    std::size_t next_ = 0, units_ = 1;
    double seed_ = 1;
};

class overlap_rounds {
public:
    overlap_rounds(collective_subject& s, tick_rate const& rate, control& shared, long& wrong)
        : s_(s), rate_(rate), shared_(shared), wrong_(wrong) {}

    /// The median of some rounds, of the slowest rank.
    template <class Between> double time(bool communicates, Between between) {
        std::vector<double> times;
        for (int r = 0; r < rounds; ++r) {
            s_.rewrite(++round_, false);
            shared_.barrier();
            auto const begin = ticks();
            if (communicates) s_.steps().start();
            between();
            if (communicates) s_.steps().wait();
            times.push_back(rate_.us(begin, ticks()));
            if (communicates) wrong_ += s_.mismatches(round_);
        }
        return shared_.maximum(median(times));
    }

    double share(work& w) {
        double const alone = time(true, [] {});
        w.last(alone, rate_);
        double const working = time(false, [&] { w(); });
        double const together = time(true, [&] { w(); });
        return std::clamp((alone + working - together) / std::min(alone, working), 0.0, 1.0);
    }

private:
    collective_subject& s_;
    tick_rate const& rate_;
    control& shared_;
    long& wrong_;
    std::uint64_t round_ = 2'000'000; // none that a block has
};

} // namespace

sample_parts measured_overlap(collective_subject& s, tick_rate const& rate, control& shared, long& wrong) {
    static work computing{false}, streaming{true};
    overlap_rounds measured{s, rate, shared, wrong};
    double const compute = measured.share(computing);
    return {{"overlap_compute", compute}, {"overlap_memory", measured.share(streaming)}};
}

} // namespace sode::internal::bench
