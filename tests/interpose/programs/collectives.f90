! SPDX-License-Identifier: Apache-2.0
! Collectives of Fortran programs, often enough that plans carry them: MPI_IN_PLACE, MPI_BOTTOM, operators of the program's,
! Fortran's own datatypes, and statuses that are not wanted. Fortran tells MPI of the first ones by variables of its own.
! Preprocessed with F08: by mpi_f08, else by the module mpi.
program collectives
#ifdef F08
  use mpi_f08
#else
  use mpi
#endif
  implicit none
#ifdef F08
#define HANDLE(kind) type(kind)
#else
#define HANDLE(kind) integer
#endif
  integer, parameter :: n = 200
  integer :: rank, size, error, round, i, sum_of_ranks
  integer(kind=MPI_ADDRESS_KIND) :: address(1)
  HANDLE(MPI_Comm) :: twin, reverse
  HANDLE(MPI_Op) :: larger_of
  HANDLE(MPI_Datatype) :: absolute
  HANDLE(MPI_Request) :: requests(3)
  external :: larger
  integer :: counts(1) = [n]
  double precision :: x(n), y(n)
  real :: single(n)
  complex :: z(n), w(n)
  logical :: flags(n), all_flags(n)
  integer :: words(n), sums(n)
  integer, allocatable :: blocks(:)

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  call MPI_Comm_dup(MPI_COMM_WORLD, twin, error)
  call MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, reverse, error)
  call MPI_Op_create(larger, .true., larger_of, error)
  call MPI_Get_address(words, address(1), error)
  call MPI_Type_create_hindexed(1, counts, address, MPI_INTEGER, absolute, error)
  call MPI_Type_commit(absolute, error)
  sum_of_ranks = size * (size + 1) / 2
  allocate (blocks(n * size))
  do round = 1, 40
    call on(MPI_COMM_WORLD)
    call on(twin)
    call on(reverse)
    call on(MPI_COMM_SELF)
  end do
  call MPI_Type_free(absolute, error)
  call MPI_Op_free(larger_of, error)
  call MPI_Comm_free(twin, error)
  call MPI_Comm_free(reverse, error)
  if (rank == 0) print '(a)', 'all right'
  call MPI_Finalize(error)

contains

  subroutine expect(truth, what)
    logical, intent(in) :: truth
    character(len=*), intent(in) :: what
    if (truth) return
    print '(a, i0, 2a)', 'rank ', rank, ': wrong: ', what
    call MPI_Abort(MPI_COMM_WORLD, 1, error)
  end subroutine

  subroutine on(c)
    HANDLE(MPI_Comm), intent(in) :: c
    integer :: me, many, total, own, largest
    call MPI_Comm_rank(c, me, error)
    call MPI_Comm_size(c, many, error)
    total = many * (many + 1) / 2

    x = me + 1
    call MPI_Allreduce(MPI_IN_PLACE, x, n, MPI_DOUBLE_PRECISION, MPI_SUM, c, error)
    call expect(all(x == total), 'a sum in place')
    x = me + 1
    if (me == 0) then
      call MPI_Reduce(MPI_IN_PLACE, x, n, MPI_DOUBLE_PRECISION, MPI_SUM, 0, c, error)
    else
      call MPI_Reduce(x, y, n, MPI_DOUBLE_PRECISION, MPI_SUM, 0, c, error)
    end if
    if (me == 0) call expect(all(x == total), 'a sum in place at one rank')
    single = me + 1
    call MPI_Allreduce(MPI_IN_PLACE, single, n, MPI_REAL, MPI_MAX, c, error)
    call expect(all(single == many), 'the largest real')
    z = cmplx(1, me)
    call MPI_Allreduce(z, w, n, MPI_COMPLEX, MPI_SUM, c, error)
    call expect(all(w == cmplx(many, total - many)), 'a complex sum')
    flags = me == 0
    call MPI_Allreduce(flags, all_flags, n, MPI_LOGICAL, MPI_LOR, c, error)
    call expect(all(all_flags), 'whether any')
    words = me + 1
    call MPI_Scan(words, sums, n, MPI_INTEGER, MPI_SUM, c, error)
    call expect(all(sums == (me + 1) * (me + 2) / 2), 'a scan')
    call MPI_Allreduce(words, sums, n, MPI_INTEGER, larger_of, c, error)
    call expect(all(sums == many), 'an operator of the program')

    words = -1
    if (me == 0) words = [(i + round, i = 1, n)]
    call MPI_Bcast(MPI_BOTTOM, 1, absolute, 0, c, error)
    call expect(all(words == [(i + round, i = 1, n)]), 'a broadcast at MPI_BOTTOM')
    words = me
    call MPI_Allgather(MPI_BOTTOM, 1, absolute, blocks, n, MPI_INTEGER, c, error)
    call expect(all(blocks(1:n * many) == [((own, i = 1, n), own = 0, many - 1)]), 'an allgather from MPI_BOTTOM')
    blocks(1:n * many) = -1
    blocks(n * me + 1:n * (me + 1)) = me + round
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, blocks, n, MPI_INTEGER, c, error)
    call expect(all(blocks(1:n * many) == [((own + round, i = 1, n), own = 0, many - 1)]), 'an allgather in place')
    words = me
    if (me == 0) then
      blocks(1:n) = me
      call MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, blocks, n, MPI_INTEGER, 0, c, error)
      call expect(all(blocks(1:n * many) == [((own, i = 1, n), own = 0, many - 1)]), 'a gather in place at the root')
      call MPI_Scatter(blocks, n, MPI_INTEGER, MPI_IN_PLACE, n, MPI_INTEGER, 0, c, error)
    else
      call MPI_Gather(words, n, MPI_INTEGER, blocks, n, MPI_INTEGER, 0, c, error)
      words = -1
      call MPI_Scatter(blocks, n, MPI_INTEGER, words, n, MPI_INTEGER, 0, c, error)
      call expect(all(words == me), 'a scatter in place at the root')
    end if

    x = me + 1
    words = -1
    if (me == many - 1) words = round
    single = me + 1
    largest = many
    call MPI_Iallreduce(MPI_IN_PLACE, x, n, MPI_DOUBLE_PRECISION, MPI_SUM, c, requests(1), error)
    call MPI_Ibcast(MPI_BOTTOM, 1, absolute, many - 1, c, requests(2), error)
    call MPI_Iallreduce(MPI_IN_PLACE, single, n, MPI_REAL, MPI_MAX, c, requests(3), error)
    if (mod(round, 2) == 0) then
      call MPI_Waitall(3, requests, MPI_STATUSES_IGNORE, error)
    else
      do i = 1, 3
        call MPI_Wait(requests(i), MPI_STATUS_IGNORE, error)
      end do
    end if
    call expect(all(requests == MPI_REQUEST_NULL), 'handles of what is over')
    call expect(all(x == total), 'a nonblocking sum in place')
    call expect(all(words == round), 'a nonblocking broadcast at MPI_BOTTOM')
    call expect(all(single == largest), 'a nonblocking largest one in place')
    call MPI_Barrier(c, error)
  end subroutine

end program

subroutine larger(in, inout, length, datatype)
#ifdef F08
  use mpi_f08, only: MPI_Datatype
  use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
  implicit none
  type(c_ptr), value :: in, inout
  integer :: length
  type(MPI_Datatype) :: datatype
  integer, pointer :: a(:), b(:)
  call c_f_pointer(in, a, [length])
  call c_f_pointer(inout, b, [length])
  b = max(a, b)
#else
  implicit none
  integer :: length, datatype
  integer :: in(length), inout(length)
  inout = max(in, inout)
#endif
end subroutine
