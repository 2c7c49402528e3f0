// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/random_messages.hpp"
#include "model/job.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

/// One set of random messages by every channel, a few times, compared byte for byte: all memory of every rank.
namespace sode::internal::testing {

class messages_case {
public:
    messages_case(runtime& rt, generator& g)
        : rt_(rt), g_(g), messages_(random_messages(g, rt.size())), shared_(detail::allocate(rt.job(), bytes)), private_(bytes) {
        for (auto const& m : messages_) {
            // Every rank draws the same, and takes what is its own.
            auto const out = datatype_of(g, m.out), in = datatype_of(g, m.in);
            if (m.source == rt.rank()) ends_.push_back(send_init(memory(m.out.memory), out, m.target, m.tag));
            if (m.target == rt.rank()) ends_.push_back(recv_init(memory(m.in.memory), in, m.source, m.tag));
        }
    }

    void run(std::string const& label) {
        std::vector<char const*> channels{"reference", "", "pull", "stage", "stage-wide"};
        if (rt_.job().boot->messages()) channels.push_back("mpi-machine");
        for (char const* channel : channels) {
            auto all = exchange_init(rt_, ends_, {.channel = channel});
            for (int e = 0; e < 3; ++e) {
                ++epoch_;
                fill();
                if (chance(g_, 50))
                    all();
                else {
                    all.start();
                    while (chance(g_, 50)) all.test();
                    all.wait();
                }
                check(label + ", channel " + (*channel ? channel : "chosen"));
                if (::testing::Test::HasFailure()) return;
            }
        }
    }

private:
    static constexpr std::size_t bytes = slots * slot_bytes;

    std::byte* memory(int which) { return which == 0 ? shared_.get() : private_.data(); }
    std::uint64_t value(int rank, int which, index_t slot) const {
        auto const one = static_cast<std::uint64_t>(epoch_ * 512U) + static_cast<std::uint64_t>(rank * 2 + which) + 1;
        std::uint64_t h = 0x9e3779b97f4a7c15ULL * one;
        h = (h ^ static_cast<std::uint64_t>(slot)) * 0xff51afd7ed558ccdULL;
        return h ^ h >> 31U;
    }
    void fill() {
        for (int which = 0; which < 2; ++which)
            for (index_t s = 0; s < slots; ++s) {
                auto const v = value(rt_.rank(), which, s);
                std::memcpy(memory(which) + s * slot_bytes, &v, sizeof v);
            }
    }
    void check(std::string const& label) {
        std::array<std::vector<std::uint64_t>, 2> expected;
        for (int which = 0; which < 2; ++which)
            for (index_t s = 0; s < slots; ++s) expected[static_cast<std::size_t>(which)].push_back(value(rt_.rank(), which, s));
        for (auto const& m : messages_)
            for (std::size_t i = 0; m.target == rt_.rank() && i < m.in.picked.size(); ++i)
                expected[static_cast<std::size_t>(m.in.memory)][static_cast<std::size_t>(m.in.picked[i])] =
                    value(m.source, m.out.memory, m.out.picked[i]);
        for (int which = 0; which < 2; ++which)
            if (std::memcmp(expected[static_cast<std::size_t>(which)].data(), memory(which), bytes) != 0)
                ADD_FAILURE() << label << ", rank " << rt_.rank() << ": memory " << which << " is wrong in epoch " << epoch_;
    }

    runtime& rt_;
    generator& g_;
    std::vector<random_message> messages_;
    std::shared_ptr<std::byte> shared_;
    std::vector<std::byte> private_;
    std::vector<message_end> ends_;
    unsigned epoch_ = 0;
};

/// Case `c` of a series: everything about it follows from the seed, on every rank.
inline void run_random_messages(runtime& rt, std::uint64_t seed, int c) {
    generator g{seed * 1000003 + static_cast<std::uint64_t>(c)};
    messages_case{rt, g}.run("case " + std::to_string(c));
}

} // namespace sode::internal::testing
