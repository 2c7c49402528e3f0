// SPDX-License-Identifier: Apache-2.0
// main() of a test program that calls MPI itself and runs as a singleton. Errors of MPI come back as codes.
#pragma once
#include <gtest/gtest.h>
#include <mpi.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    testing::InitGoogleTest(&argc, argv);
    int const failed = RUN_ALL_TESTS();
    MPI_Finalize();
    return failed;
}
