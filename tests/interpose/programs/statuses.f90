! SPDX-License-Identifier: Apache-2.0
! Statuses by both of MPI's Fortran modules: of receives, matched receives and several requests. The error field stays what it was; but
! the Fortran of Open MPI 4.1 writes it in MPI_Wait and MPI_Test.
module with_integers
    use mpi
    implicit none
    integer, parameter :: n = 20000, mark = 1061109567
contains
    integer function wrong_integers(writes_errors) result(wrong)
        logical, intent(in) :: writes_errors
        double precision :: out(2 * n), in(2 * n)
        integer :: type, rank, ranks, left, right, error, form, message, counted, i
        integer :: requests(2), stat(MPI_STATUS_SIZE), stats(MPI_STATUS_SIZE, 2)
        logical :: cancelled, flag
        call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
        call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
        left = mod(rank + ranks - 1, ranks)
        right = mod(rank + 1, ranks)
        call MPI_Type_vector(n, 1, 2, MPI_DOUBLE_PRECISION, type, error)
        call MPI_Type_commit(type, error)
        wrong = 0
        do form = 1, 6
            out = [(1d6 * rank + i + 0.1d0 * form, i = 1, 2 * n)]
            in = -1
            stat = mark
            stats = mark
            call MPI_Isend(out, 1, type, right, form, MPI_COMM_WORLD, requests(2), error)
            select case (form)
            case (1)
                call MPI_Recv(in, 1, type, MPI_ANY_SOURCE, form, MPI_COMM_WORLD, stat, error)
            case (2)
                call MPI_Mprobe(left, form, MPI_COMM_WORLD, message, MPI_STATUS_IGNORE, error)
                call MPI_Mrecv(in, 1, type, message, stat, error)
            case (3)
                call MPI_Mprobe(left, form, MPI_COMM_WORLD, message, MPI_STATUS_IGNORE, error)
                call MPI_Imrecv(in, 1, type, message, requests(1), error)
                call MPI_Wait(requests(1), stat, error)
            case (4)
                call MPI_Probe(left, form, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
                call MPI_Irecv(in, 1, type, left, form, MPI_COMM_WORLD, requests(1), error)
                flag = .false.
                do while (.not. flag)
                    call MPI_Test(requests(1), flag, stat, error)
                end do
            case default
                call MPI_Irecv(in, 1, type, left, form, MPI_COMM_WORLD, requests(1), error)
                if (form == 5) call MPI_Waitall(2, requests, stats, error)
                if (form == 6) call MPI_Waitall(1, requests, stats, error)
                stat = stats(:, 1)
                if (stat(MPI_ERROR) == MPI_SUCCESS) stat(MPI_ERROR) = mark
            end select
            if (error /= MPI_SUCCESS) wrong = wrong + 1
            call MPI_Wait(requests(2), MPI_STATUS_IGNORE, error)
            call MPI_Get_count(stat, MPI_DOUBLE_PRECISION, counted, error)
            call MPI_Test_cancelled(stat, cancelled, error)
            if (counted /= n .or. stat(MPI_SOURCE) /= left .or. stat(MPI_TAG) /= form .or. cancelled) wrong = wrong + 1
            if (stat(MPI_ERROR) /= mark .and. .not. (form >= 3 .and. writes_errors)) wrong = wrong + 1
            do i = 1, 2 * n, 2
                if (in(i) /= 1d6 * left + i + 0.1d0 * form .or. in(i + 1) /= -1) wrong = wrong + 1
            end do
        end do
        call MPI_Type_free(type, error)
    end function wrong_integers
end module with_integers

module with_types
    use mpi_f08
    implicit none
    integer, parameter :: n = 20000, mark = 1061109567
contains
    integer function wrong_types(writes_errors) result(wrong)
        logical, intent(in) :: writes_errors
        double precision, asynchronous :: out(2 * n), in(2 * n)
        type(MPI_Datatype) :: vector
        type(MPI_Request) :: requests(2)
        type(MPI_Message) :: message
        type(MPI_Status) :: stat
        integer :: rank, ranks, left, right, form, counted, i
        logical :: cancelled
        call MPI_Comm_rank(MPI_COMM_WORLD, rank)
        call MPI_Comm_size(MPI_COMM_WORLD, ranks)
        left = mod(rank + ranks - 1, ranks)
        right = mod(rank + 1, ranks)
        call MPI_Type_vector(n, 1, 2, MPI_DOUBLE_PRECISION, vector)
        call MPI_Type_commit(vector)
        wrong = 0
        do form = 1, 3
            out = [(1d6 * rank + i + 0.1d0 * form, i = 1, 2 * n)]
            in = -1
            stat%MPI_ERROR = mark
            call MPI_Isend(out, 1, vector, right, form, MPI_COMM_WORLD, requests(2))
            if (form == 1) then
                call MPI_Recv(in, 1, vector, left, MPI_ANY_TAG, MPI_COMM_WORLD, stat)
            else
                call MPI_Mprobe(left, form, MPI_COMM_WORLD, message, MPI_STATUS_IGNORE)
                if (form == 2) call MPI_Mrecv(in, 1, vector, message, stat)
                if (form == 3) call MPI_Imrecv(in, 1, vector, message, requests(1))
                if (form == 3) call MPI_Wait(requests(1), stat)
            end if
            call MPI_Wait(requests(2), MPI_STATUS_IGNORE)
            call MPI_Get_count(stat, MPI_DOUBLE_PRECISION, counted)
            call MPI_Test_cancelled(stat, cancelled)
            if (counted /= n .or. stat%MPI_SOURCE /= left .or. stat%MPI_TAG /= form .or. cancelled) wrong = wrong + 1
            if (stat%MPI_ERROR /= mark .and. .not. (form >= 3 .and. writes_errors)) wrong = wrong + 1
            do i = 1, 2 * n, 2
                if (in(i) /= 1d6 * left + i + 0.1d0 * form .or. in(i + 1) /= -1) wrong = wrong + 1
            end do
        end do
        call MPI_Type_free(vector)
    end function wrong_types
end module with_types

program statuses
    use with_integers, only: wrong_integers
    use with_types, only: wrong_types
    use mpi, only: MPI_Init, MPI_Finalize, MPI_Get_library_version, MPI_MAX_LIBRARY_VERSION_STRING
    implicit none
    character(len=MPI_MAX_LIBRARY_VERSION_STRING) :: version
    integer :: error, integers, types, length
    logical :: writes_errors
    call MPI_Init(error)
    call MPI_Get_library_version(version, length, error)
    writes_errors = index(version, 'Open MPI') > 0
    integers = wrong_integers(writes_errors)
    types = wrong_types(writes_errors)
    call MPI_Finalize(error)
    if (integers + types /= 0) print '(a,i0,a,i0)', 'wrong: ', integers, ' and ', types
    if (integers + types /= 0) error stop 1
end program statuses
