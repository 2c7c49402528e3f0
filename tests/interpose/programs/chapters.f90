! SPDX-License-Identifier: Apache-2.0
! MPI-4.0 from Fortran, beside what faces.f90, statuses.f90 and collectives.f90 have: structures with gaps at MPI_BOTTOM, statuses that are
! ignored, persistent requests, packed messages, probes, a reduction of the program's own on a derived datatype, and types that are freed at
! once. With -DF08 by mpi_f08, else by mpif.h. What must come out is known.
#ifdef F08
#define DATATYPE type(MPI_Datatype)
#define REQUEST type(MPI_Request)
#define COMM type(MPI_Comm)
#define OPERATOR type(MPI_Op)
#define STATUS(S) type(MPI_Status) :: S
#define STATUSES(S, N) type(MPI_Status) :: S(N)
#define SOURCE_OF(S) S%MPI_SOURCE
#else
#define DATATYPE integer
#define REQUEST integer
#define COMM integer
#define OPERATOR integer
#define STATUS(S) integer :: S(MPI_STATUS_SIZE)
#define STATUSES(S, N) integer :: S(MPI_STATUS_SIZE, N)
#define SOURCE_OF(S) S(MPI_SOURCE)
#endif

module pairs
    implicit none
contains
    ! Pairs of a count and a value lie behind each other; the last member is a gap.
    subroutine combine(in, inout, n, t)
#ifdef F08
        use mpi_f08
        use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
        type(c_ptr), value :: in, inout
        integer :: n
        type(MPI_Datatype) :: t
        integer, pointer :: x(:), y(:)
        integer :: i
        call c_f_pointer(in, x, [3 * n])
        call c_f_pointer(inout, y, [3 * n])
#else
        integer :: n, t
        integer :: in(3 * n), inout(3 * n)
        integer :: i
#define x in
#define y inout
#endif
        do i = 1, 3 * n, 3
            y(i) = x(i) + y(i)
            y(i + 1) = max(x(i + 1), y(i + 1))
        end do
    end subroutine
#undef x
#undef y
end module

program chapters
#ifdef F08
    use mpi_f08
#endif
    use pairs, only: combine
    implicit none
#ifndef F08
    include 'mpif.h'
#endif
    integer, parameter :: n = 4000, rounds = 24
    integer :: ierr, rank, ranks, right, left, i, k
    DATATYPE :: t, u, gap
    REQUEST :: r(2)
    OPERATOR :: op
    STATUS(s)
    STATUSES(all, 2)
    integer(MPI_ADDRESS_KIND) :: at(2)
    integer :: lengths(2), count, room, position, got
    logical :: flag
    double precision, target :: field(n, 3), other(n, 3)
    integer, target :: header(10), comes(10)
    integer :: own(3, n), sums(3, n), packed(4 * n)

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
    right = mod(rank + 1, ranks)
    left = mod(rank + ranks - 1, ranks)
    lengths = [n, 10]

    do i = 1, rounds
        field = dble(rank) + 0.5d0 * i
        header = rank * 100 + i
        other = -1
        comes = -1
        ! A row of the field and a header, where they are.
        call absolute(field(:, 2), header, t)
        call absolute(other(:, 3), comes, u)
        call MPI_Irecv(MPI_BOTTOM, 1, u, left, 1, MPI_COMM_WORLD, r(1), ierr)
        call MPI_Isend(MPI_BOTTOM, 1, t, right, 1, MPI_COMM_WORLD, r(2), ierr)
        call MPI_Type_free(t, ierr)
        call MPI_Type_free(u, ierr)
        if (mod(i, 2) == 0) then
            call MPI_Waitall(2, r, MPI_STATUSES_IGNORE, ierr)
        else
            call MPI_Waitall(2, r, all, ierr)
        end if
        call expect(all_of(other(:, 3), dble(left) + 0.5d0 * i) .and. other(1, 1) < 0, 'absolute places')
        call expect(comes(10) == left * 100 + i, 'absolute places of words')

        ! Every third column, replaced, and persistent.
        call MPI_Type_vector(n, 1, 3, MPI_INTEGER, gap, ierr)
        call MPI_Type_commit(gap, ierr)
        own = -1
        own(1, :) = [(rank * 10 + k + i, k = 1, n)]
        call MPI_Sendrecv_replace(own, 1, gap, right, 2, left, 2, MPI_COMM_WORLD, s, ierr)
        call MPI_Get_count(s, gap, count, ierr)
        call expect(count == 1 .and. SOURCE_OF(s) == left, 'the status of what was replaced')
        call expect(own(1, n) == left * 10 + n + i .and. own(2, n) == -1, 'replaced')
        call MPI_Send_init(own, 1, gap, right, 3, MPI_COMM_WORLD, r(1), ierr)
        call MPI_Recv_init(sums, 1, gap, left, 3, MPI_COMM_WORLD, r(2), ierr)
        do k = 1, 3
            own(1, :) = rank + k
            call MPI_Startall(2, r, ierr)
            call MPI_Waitall(2, r, all, ierr)
            call expect(sums(1, n) == left + k, 'persistent')
        end do
        call MPI_Request_free(r(1), ierr)
        call MPI_Request_free(r(2), ierr)

        ! Packed here, a datatype there; asked for first.
        call MPI_Pack_size(1, gap, MPI_COMM_WORLD, room, ierr)
        position = 0
        call MPI_Pack(own, 1, gap, packed, 16 * n, position, MPI_COMM_WORLD, ierr)
        call MPI_Isend(packed, position, MPI_PACKED, right, 4, MPI_COMM_WORLD, r(1), ierr)
        flag = .false.
        do while (.not. flag)
            call MPI_Iprobe(left, 4, MPI_COMM_WORLD, flag, s, ierr)
        end do
        call MPI_Get_elements(s, gap, got, ierr)
        sums = -1
        call MPI_Recv(sums, 1, gap, left, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
        call MPI_Wait(r(1), MPI_STATUS_IGNORE, ierr)
        call expect(sums(1, 1) == left + 3 .and. sums(2, 1) == -1 .and. room >= 4 * n, 'packed')
        call MPI_Type_free(gap, ierr)

        ! Pairs with a gap, by an operator of the program's.
        call MPI_Type_contiguous(2, MPI_INTEGER, gap, ierr)
        call MPI_Type_create_resized(gap, 0_MPI_ADDRESS_KIND, 12_MPI_ADDRESS_KIND, t, ierr)
        call MPI_Type_commit(t, ierr)
        call MPI_Op_create(combine, .true., op, ierr)
        own(1, :) = 1
        own(2, :) = rank + i
        own(3, :) = -7
        sums = -3
        call MPI_Allreduce(own, sums, 50, t, op, MPI_COMM_WORLD, ierr)
        call expect(sums(1, 50) == ranks .and. sums(2, 50) == ranks - 1 + i .and. sums(1, 51) == -3, 'an operator of its own')
        call MPI_Allreduce(MPI_IN_PLACE, own, 50, t, op, MPI_COMM_WORLD, ierr)
        call expect(own(1, 50) == ranks .and. own(3, 50) == -7, 'an operator of its own, in place')
        call MPI_Op_free(op, ierr)
        call MPI_Type_free(gap, ierr)
        call MPI_Type_free(t, ierr)
    end do
    if (rank == 0) print '(a)', 'all right'
    call MPI_Finalize(ierr)

contains
    subroutine absolute(row, words, made)
        double precision, target :: row(n)
        integer, target :: words(10)
        DATATYPE :: made, members(2)
        call MPI_Get_address(row, at(1), ierr)
        call MPI_Get_address(words, at(2), ierr)
        members(1) = MPI_DOUBLE_PRECISION
        members(2) = MPI_INTEGER
        call MPI_Type_create_struct(2, lengths, at, members, made, ierr)
        call MPI_Type_commit(made, ierr)
    end subroutine
    logical function all_of(row, value)
        double precision :: row(:), value
        all_of = maxval(abs(row - value)) == 0
    end function
    subroutine expect(truth, what)
        logical :: truth
        character(*) :: what
        if (truth) return
        print '(a, i0, a, a)', 'wrong: rank ', rank, ': ', what
        call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
    end subroutine
end program
