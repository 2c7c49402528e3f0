// SPDX-License-Identifier: Apache-2.0
// main() of a test program of several MPI ranks. A rank in which a test has failed ends the job: it is out of step with the others.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdio>
#include <cstdlib>

namespace {

/// For all ranks but 0: what failed, and nothing else.
class failure_printer : public testing::EmptyTestEventListener {
    void OnTestPartResult(::testing::TestPartResult const& part) override {
        if (part.failed()) std::fprintf(stderr, "%s:%d: %s\n", part.file_name(), part.line_number(), part.message());
    }
};

class end_on_failure : public testing::EmptyTestEventListener {
    void OnTestEnd(::testing::TestInfo const& test) override {
        if (test.result()->Failed()) MPI_Abort(MPI_COMM_WORLD, 1);
    }
};

} // namespace

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    int provided = 0, rank = 0;
    // The layer does less for programs of one thread, which are most.
    bool const alone = std::getenv("TEST_ONE_THREAD") != nullptr;
    MPI_Init_thread(&argc, &argv, alone ? MPI_THREAD_SERIALIZED : MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    if (rank != 0) delete listeners.Release(listeners.default_result_printer());
    if (rank != 0) listeners.Append(new failure_printer);
    listeners.Append(new end_on_failure); // GoogleTest deletes it
    int const failed = RUN_ALL_TESTS();
    MPI_Finalize();
    return failed;
}
