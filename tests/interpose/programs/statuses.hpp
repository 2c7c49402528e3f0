// SPDX-License-Identifier: Apache-2.0
// What MPI says of statuses and requests when a call completes requests (MPI 4.0, sections 3.2.5 and 3.7): every way to complete
// one request, and what may have changed then.
#pragma once
#include "job.hpp"

#include <array>
#include <cstring>

namespace sode::internal::test {

/// A value that no field of a status ever has.
constexpr int mark = 0x3f3f3f3f;

/// A status every byte of which is marked: what a call does not write, it leaves so.
inline MPI_Status marked() {
    MPI_Status s;
    std::memset(&s, mark & 0xff, sizeof s);
    return s;
}
inline bool is_marked(MPI_Status const& status) {
    MPI_Status const s = marked();
    return std::memcmp(&s, &status, sizeof s) == 0;
}

inline bool is_cancelled(MPI_Status const& status) {
    int flag = -1;
    MPI_Test_cancelled(&status, &flag);
    return flag != 0;
}

inline int class_of(int code) {
    int kind = -1;
    MPI_Error_class(code, &kind);
    return kind;
}

/// Of a request that is null or inactive. Its error is MPI_SUCCESS, or was not written, because the call completes one request.
inline ::testing::AssertionResult is_empty(MPI_Status const& status) {
    int bytes = -1, elements = -1;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    MPI_Get_elements(&status, MPI_INT, &elements);
    bool const error = status.MPI_ERROR == mark || status.MPI_ERROR == MPI_SUCCESS;
    if (status.MPI_SOURCE == MPI_ANY_SOURCE && status.MPI_TAG == MPI_ANY_TAG && bytes == 0 && elements == 0 && error &&
        !is_cancelled(status))
        return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << "source " << status.MPI_SOURCE << ", tag " << status.MPI_TAG << ", " << bytes
                                         << " bytes, error " << status.MPI_ERROR << ", cancelled " << is_cancelled(status);
}

enum class way { wait, test, waitany, testany, waitsome, testsome, waitall, testall, get_status };
constexpr std::array all_ways{way::wait,     way::test,    way::waitany, way::testany,   way::waitsome,
                              way::testsome, way::waitall, way::testall, way::get_status};

/// Whether the call completes several requests, so that errors are told by statuses.
constexpr bool takes_several(way how) {
    return how == way::waitsome || how == way::testsome || how == way::waitall || how == way::testall;
}

/// Completes `request`, which is active, with null requests around it where the call takes several, and checks the arguments that
/// are no status. Returns the result of the call.
inline int finish(way how, MPI_Request& request, MPI_Status& status) {
    std::array requests{MPI_REQUEST_NULL, request, MPI_REQUEST_NULL};
    std::array statuses{marked(), marked(), marked()};
    std::array indices{mark, mark, mark};
    int flag = 0, result = MPI_SUCCESS, index = mark;
    switch (how) {
    case way::wait: return MPI_Wait(&request, &status);
    case way::test:
        while (flag == 0 && result == MPI_SUCCESS) result = MPI_Test(&request, &flag, &status);
        return result;
    case way::get_status: {
        while (flag == 0 && result == MPI_SUCCESS) result = MPI_Request_get_status(request, &flag, &status);
        EXPECT_NE(request, MPI_REQUEST_NULL);
        MPI_Status again = marked();
        EXPECT_EQ(class_of(MPI_Request_get_status(request, &flag, &again)), class_of(result));
        EXPECT_NE(flag, 0);
        EXPECT_EQ(again.MPI_SOURCE, status.MPI_SOURCE);
        EXPECT_EQ(again.MPI_TAG, status.MPI_TAG);
        return MPI_Wait(&request, &status);
    }
    case way::waitany: result = MPI_Waitany(3, requests.data(), &index, &status); break;
    case way::testany:
        while (flag == 0 && result == MPI_SUCCESS) result = MPI_Testany(3, requests.data(), &index, &flag, &status);
        break;
    case way::waitsome:
    case way::testsome:
        for (flag = 0; flag == 0 && result == MPI_SUCCESS;)
            result = how == way::waitsome ? MPI_Waitsome(3, requests.data(), &flag, indices.data(), statuses.data())
                                          : MPI_Testsome(3, requests.data(), &flag, indices.data(), statuses.data());
        EXPECT_EQ(flag, 1);
        index = indices[0];
        status = statuses[0];
        EXPECT_TRUE(is_marked(statuses[1]) && is_marked(statuses[2])) << "there is one status";
        break;
    case way::waitall: result = MPI_Waitall(3, requests.data(), statuses.data()); break;
    case way::testall:
        while (flag == 0 && result == MPI_SUCCESS) result = MPI_Testall(3, requests.data(), &flag, statuses.data());
        break;
    }
    if (how == way::waitall || how == way::testall) {
        index = 1;
        status = statuses[1];
        EXPECT_TRUE(is_empty(statuses[0]));
        EXPECT_TRUE(is_empty(statuses[2]));
    }
    EXPECT_EQ(index, 1);
    EXPECT_EQ(requests[0], MPI_REQUEST_NULL);
    EXPECT_EQ(requests[2], MPI_REQUEST_NULL);
    request = requests[1];
    return result;
}

/// The error field of a call that has not failed: as it was; where the call completes several, both MPIs may write MPI_SUCCESS.
inline bool error_left_alone(way how, MPI_Status const& status) {
    return status.MPI_ERROR == mark || (takes_several(how) && status.MPI_ERROR == MPI_SUCCESS);
}

/// Of a probe; MPICH 4.0 writes MPI_SUCCESS.
inline bool error_left_alone_by_probe(MPI_Status const& status) {
#if defined(OPEN_MPI)
    return status.MPI_ERROR == mark;
#else
    return status.MPI_ERROR == mark || status.MPI_ERROR == MPI_SUCCESS;
#endif
}

} // namespace sode::internal::test
