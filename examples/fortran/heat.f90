! SPDX-License-Identifier: Apache-2.0
! Heat in a plate whose one edge is hot. The array is the program's own; Sode exchanges its halo.
program heat
  use sode
  implicit none
  integer, parameter :: n = 200, m = 120, steps = 100
  type(sode_job) :: job
  type(sode_grid) :: grid
  type(sode_array) :: plate
  type(sode_exchange) :: halo
  integer :: lower(2), upper(2), i, j, step
  double precision, allocatable, target :: u(:, :), v(:, :)
  double precision :: total, hottest

  call sode_begin(job)
  call sode_cut(job, [n, m], grid)
  call sode_bounds(grid, lower, upper)
  allocate (u(lower(1) - 1:upper(1) + 1, lower(2) - 1:upper(2) + 1), source=0d0)
  allocate (v, source=u)
  if (lower(1) == 1) u(1, lower(2):upper(2)) = 100
  v = u
  call sode_attach(grid, u, [1, 1], plate, name='u')
  call sode_plan([plate], halo)

  do step = 1, steps
    call sode_reflect(halo)
    do j = max(lower(2), 2), min(upper(2), m - 1)
      do i = max(lower(1), 2), min(upper(1), n - 1)
        v(i, j) = 0.25d0 * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1))
      end do
    end do
    u(lower(1):upper(1), lower(2):upper(2)) = v(lower(1):upper(1), lower(2):upper(2))
  end do

  total = sum(u(lower(1):upper(1), lower(2):upper(2)))
  hottest = maxval(u(max(lower(1), 2):upper(1), lower(2):upper(2)))
  call sode_combine(job, total, sode_sum)
  call sode_combine(job, hottest, sode_max)
  if (sode_rank(job) == 0) print '(i0, a, f12.6, a, f10.6)', sode_ranks(job), ' ranks: heat ', total, ', hottest inside ', hottest
  call sode_free(halo)
  call sode_free(plate)
  call sode_free(grid)
  call sode_end(job)
end program heat
