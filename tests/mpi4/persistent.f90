! SPDX-License-Identifier: Apache-2.0
! Persistent collectives from Fortran: in place, with lists, among neighbours, at three starts with other values.
program persistent
  use mpi
  implicit none
  integer :: rank, ranks, error, start, r, ring, failures, all_failures
  integer :: q(6), two(2), twos(2)
  integer, allocatable :: counts(:), places(:), types(:)
  ! MPI knows them from one start to the next.
  integer, asynchronous :: sums(4), told(3), sides(2), got(2)
  integer, allocatable, asynchronous :: given(:), taken(:), gathered(:)
  integer(kind=MPI_ADDRESS_KIND) :: at(2)
  logical :: done

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  failures = 0
  allocate (given(ranks), taken(ranks), counts(ranks), places(ranks), types(ranks), gathered(2 * ranks))
  call MPI_Cart_create(MPI_COMM_WORLD, 1, [ranks], [.true.], .false., ring, error)

  call MPI_Allreduce_init(MPI_IN_PLACE, sums, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, q(1), error)
  call MPI_Bcast_init(told, 3, MPI_INTEGER, ranks - 1, MPI_COMM_WORLD, MPI_INFO_NULL, q(2), error)
  counts = 1
  places = [(4 * (ranks - r), r=1, ranks)]
  types = MPI_INTEGER
  call MPI_Alltoallw_init(given, counts, places, types, taken, counts, places, types, MPI_COMM_WORLD, MPI_INFO_NULL, q(3), error)
  places = [(r - 1, r=1, ranks)]
  call MPI_Gatherv_init(rank, 1, MPI_INTEGER, gathered, counts, places, MPI_INTEGER, 0, MPI_COMM_WORLD, MPI_INFO_NULL, q(4), error)
  at = [0_MPI_ADDRESS_KIND, 4_MPI_ADDRESS_KIND]
  two = 1
  twos = MPI_INTEGER
  call MPI_Neighbor_alltoallw_init(sides, two, at, twos, got, two, at, twos, ring, MPI_INFO_NULL, q(5), error)
  call MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, q(6), error)
  counts = -1
  places = -1
  types = MPI_DATATYPE_NULL

  do start = 1, 3
    sums = [rank, 2 * rank, start, 1]
    told = 0
    if (rank == ranks - 1) told = [start, 7, rank]
    given = [(100 * rank + ranks - r + start, r=1, ranks)]
    taken = -1
    gathered = -1
    sides = [10 * rank + start, 10 * rank + 5 + start]
    got = -1
    call MPI_Startall(5, q, error)
    call MPI_Start(q(6), error)
    call MPI_Wait(q(6), MPI_STATUS_IGNORE, error)
    done = .false.
    do while (.not. done)
      call MPI_Test(q(1), done, MPI_STATUS_IGNORE, error)
    end do
    call MPI_Waitall(6, q, MPI_STATUSES_IGNORE, error)
    call expect(all(sums == [ranks * (ranks - 1) / 2, ranks * (ranks - 1), ranks * start, ranks]), 1)
    call expect(all(told == [start, 7, ranks - 1]), 2)
    call expect(all(taken == [(100 * (ranks - r) + rank + start, r=1, ranks)]), 3)
    if (rank == 0) call expect(all(gathered(1:ranks) == [(r - 1, r=1, ranks)]), 4)
    if (ranks > 2) call expect(all(got == [10 * modulo(rank - 1, ranks) + 5 + start, 10 * modulo(rank + 1, ranks) + start]), 5)
  end do
  do r = 1, 6
    call MPI_Request_free(q(r), error)
  end do
  call MPI_Allreduce(failures, all_failures, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  if (rank == 0 .and. all_failures == 0) print *, 'all is well'
  call MPI_Finalize(error)

contains

  subroutine expect(true_of_it, number)
    logical, intent(in) :: true_of_it
    integer, intent(in) :: number
    if (true_of_it) return
    failures = failures + 1
    print *, 'rank', rank, 'start', start, 'number', number
  end subroutine expect
end program persistent
