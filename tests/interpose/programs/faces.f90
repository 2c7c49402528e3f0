! SPDX-License-Identifier: Apache-2.0
! A face of a Fortran array around a ring, by MPI's Fortran bindings: blocking, nonblocking and persistent.
program faces
    use mpi
    implicit none
    integer, parameter :: n = 100, way_count = 3
    double precision :: u(n, n, n), before
    integer :: face, rank, ranks, left, right, error, way, j, k, wrong, counted
    integer :: requests(2), stat(MPI_STATUS_SIZE), stats(MPI_STATUS_SIZE, 2)

    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    left = mod(rank + ranks - 1, ranks)
    right = mod(rank + 1, ranks)
    call MPI_Type_create_subarray(3, (/n, n, n/), (/1, n, n/), (/0, 0, 0/), MPI_ORDER_FORTRAN, MPI_DOUBLE_PRECISION, face, error)
    call MPI_Type_commit(face, error)

    wrong = 0
    do way = 1, way_count
        do k = 1, n
            do j = 1, n
                u(n, j, k) = 1d6 * rank + 1d3 * j + k + 0.1d0 * way
            end do
        end do
        u(1, :, :) = -1
        before = u(2, 1, 1)
        if (way == 1) then
            call MPI_Irecv(u, 1, face, left, way, MPI_COMM_WORLD, requests(1), error)
            call MPI_Send(u(n, 1, 1), 1, face, right, way, MPI_COMM_WORLD, error)
            call MPI_Wait(requests(1), stat, error)
        else if (way == 2) then
            call MPI_Irecv(u, 1, face, left, way, MPI_COMM_WORLD, requests(1), error)
            call MPI_Isend(u(n, 1, 1), 1, face, right, way, MPI_COMM_WORLD, requests(2), error)
            call MPI_Waitall(2, requests, stats, error)
            stat = stats(:, 1)
        else
            call MPI_Recv_init(u, 1, face, left, way, MPI_COMM_WORLD, requests(1), error)
            call MPI_Send_init(u(n, 1, 1), 1, face, right, way, MPI_COMM_WORLD, requests(2), error)
            call MPI_Startall(2, requests, error)
            call MPI_Waitall(2, requests, stats, error)
            stat = stats(:, 1)
            call MPI_Request_free(requests(1), error)
            call MPI_Request_free(requests(2), error)
        end if
        call MPI_Get_count(stat, MPI_DOUBLE_PRECISION, counted, error)
        if (counted /= n * n .or. stat(MPI_SOURCE) /= left .or. stat(MPI_TAG) /= way) wrong = wrong + 1
        do k = 1, n
            do j = 1, n
                if (u(1, j, k) /= 1d6 * left + 1d3 * j + k + 0.1d0 * way) wrong = wrong + 1
            end do
        end do
    end do
    call MPI_Type_free(face, error)
    call MPI_Finalize(error)
    if (wrong /= 0) error stop 1
    if (rank == 0) print '(a)', 'all faces came'
end program faces
