// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>
#include <mpi.h>
#include <utility>
#include <vector>

namespace sode::internal::test {

/// This rank, and its neighbours in the ring of all.
struct ring {
    int rank = 0, size = 1, left = 0, right = 0;
    ring() {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        left = (rank + size - 1) % size;
        right = (rank + 1) % size;
    }
};

/// Every other double of an array, more than any MPI sends eagerly: 160 KB.
class every_other {
public:
    static constexpr int elements = 20000;
    explicit every_other(int count = elements) {
        MPI_Type_vector(count, 1, 2, MPI_DOUBLE, &type_);
        MPI_Type_commit(&type_);
    }
    ~every_other() { MPI_Type_free(&type_); }
    every_other(every_other const&) = delete;
    every_other& operator=(every_other const&) = delete;
    every_other(every_other&&) = delete;
    every_other& operator=(every_other&&) = delete;
    [[nodiscard]] MPI_Datatype get() const { return type_; }

private:
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// What `rank` sends in round `round`: every double says whence and where.
inline std::vector<double> told_by(int rank, int round = 0) {
    std::vector<double> data(2 * every_other::elements);
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = 1e6 * rank + static_cast<double>(i) + 1e9 * round;
    return data;
}

constexpr double untouched = -1;
inline std::vector<double> empty_array() {
    return std::vector<double>(2 * every_other::elements, untouched);
}

/// `data` holds what `rank` sent in the first `count` elements of the type, and nothing else.
inline ::testing::AssertionResult came_from(std::vector<double> const& data, int rank, int round = 0,
                                            int count = every_other::elements) {
    for (std::size_t i = 0; i < data.size(); ++i) {
        bool const sent = i % 2 == 0 && i < 2 * static_cast<std::size_t>(count);
        double const right = sent ? 1e6 * rank + static_cast<double>(i) + 1e9 * round : untouched;
        if (data[i] != right) return ::testing::AssertionFailure() << "element " << i << " is " << data[i] << ", not " << right;
    }
    return ::testing::AssertionSuccess();
}

/// Source, tag and number of doubles of a message.
inline ::testing::AssertionResult tells(MPI_Status const& status, int source, int tag, int count = every_other::elements) {
    int doubles = -1, vectors = -1;
    MPI_Count elements = -1;
    MPI_Get_count(&status, MPI_DOUBLE, &doubles);
    every_other const type;
    MPI_Get_count(&status, type.get(), &vectors);
    MPI_Get_elements_x(&status, type.get(), &elements);
    int const whole = count % every_other::elements == 0 ? count / every_other::elements : MPI_UNDEFINED;
    if (status.MPI_SOURCE == source && status.MPI_TAG == tag && doubles == count && vectors == whole && elements == count)
        return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << "from " << status.MPI_SOURCE << ", tag " << status.MPI_TAG << ", " << doubles
                                         << " doubles, " << vectors << " vectors, " << elements << " elements";
}

} // namespace sode::internal::test
