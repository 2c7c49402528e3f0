// SPDX-License-Identifier: Apache-2.0
// Stands in for an MPI that takes memory of devices: it says so before the MPI itself is asked. The emulated device's memory is
// open to the MPI as long as an exchange runs.
extern "C" {
int MPIX_Query_cuda_support();
int MPIX_Query_cuda_support() {
    return 1;
}
}
