// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "job.hpp"

#include <algorithm>
#include <random>

namespace sode::internal::test {

/// A datatype of doubles, and where they lie, counted in doubles.
struct shape {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    std::vector<int> places;
    shape() = default;
    shape(shape const&) = delete;
    shape& operator=(shape const&) = delete;
    shape(shape&& other) noexcept : type(std::exchange(other.type, MPI_DATATYPE_NULL)), places(std::move(other.places)) {}
    shape& operator=(shape&&) = delete;
    ~shape() {
        if (type != MPI_DATATYPE_NULL) MPI_Type_free(&type);
    }
    [[nodiscard]] int size() const { return static_cast<int>(places.size()); }
};

inline shape every(int count, int stride) {
    shape s;
    MPI_Type_vector(count, 1, stride, MPI_DOUBLE, &s.type);
    MPI_Type_commit(&s.type);
    for (int i = 0; i < count; ++i) s.places.push_back(i * stride);
    return s;
}

/// Blocks of one or two, at random distances.
inline shape scattered(int count, unsigned seed) {
    std::mt19937 random{seed};
    shape s;
    std::vector<int> lengths, starts;
    for (int at = 0, left = count; left > 0;) {
        int const n = std::min(left, 1 + static_cast<int>(random() % 2));
        lengths.push_back(n);
        starts.push_back(at);
        for (int i = 0; i < n; ++i) s.places.push_back(at + i);
        at += n + 1 + static_cast<int>(random() % 3);
        left -= n;
    }
    MPI_Type_indexed(static_cast<int>(starts.size()), lengths.data(), starts.data(), MPI_DOUBLE, &s.type);
    MPI_Type_commit(&s.type);
    return s;
}

inline double value(int rank, int round, int place) {
    return 1e9 * rank + 1e4 * round + place;
}

/// What `rank` sends in a round.
inline std::vector<double> short_message(int rank, int round) {
    std::vector<double> data(4'096);
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = value(rank, round, static_cast<int>(i));
    return data;
}

/// What `sender` has sent of `from` lies in `to`, the first `count` of it, and nothing else does.
inline ::testing::AssertionResult short_message_came(std::vector<double> const& in, int sender, int round, shape const& from,
                                                     shape const& to, int count) {
    std::vector<double> right(in.size(), untouched);
    for (int i = 0; i < count; ++i)
        right[static_cast<std::size_t>(to.places[static_cast<std::size_t>(i)])] =
            value(sender, round, from.places[static_cast<std::size_t>(i)]);
    for (std::size_t i = 0; i < in.size(); ++i)
        if (in[i] != right[i])
            return ::testing::AssertionFailure()
                   << "round " << round << ", double " << i << " is " << in[i] << ", not " << right[i];
    return ::testing::AssertionSuccess();
}

/// Short messages around a ring.
class short_messages : public ::testing::Test {
protected:
    [[nodiscard]] std::vector<double> told(int round) const { return short_message(here.rank, round); }
    /// What the left one has sent of `from` lies in `to`, as short_message_came() says.
    [[nodiscard]] ::testing::AssertionResult came(std::vector<double> const& in, shape const& from, shape const& to,
                                                  int round) const {
        return short_message_came(in, here.left, round, from, to, from.size());
    }
    void expect_status(MPI_Status const& status, shape const& from, int tag) const {
        int doubles = 0;
        MPI_Get_count(&status, MPI_DOUBLE, &doubles);
        EXPECT_EQ(doubles, from.size());
        EXPECT_EQ(status.MPI_SOURCE, here.left);
        EXPECT_EQ(status.MPI_TAG, tag);
    }
    ring const here;
};

} // namespace sode::internal::test
