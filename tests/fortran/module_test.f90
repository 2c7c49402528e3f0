! SPDX-License-Identifier: Apache-2.0
! The module `sode`: bounds, halos of one to three dimensions and three types, reductions, errors.
program module_test
  use sode
  use, intrinsic :: iso_c_binding
  implicit none
  type(sode_job) :: job
  integer :: failures = 0

  call sode_begin(job)
  call lines
  call planes
  call boxes
  call numbers
  call errors
  call sode_combine(job, failures, sode_sum)
  if (sode_rank(job) == 0 .and. failures == 0) print '(a)', 'all is well'
  call sode_end(job)
  if (failures /= 0) stop 1

contains

  subroutine expect(good, what)
    logical, intent(in) :: good
    character(*), intent(in) :: what
    if (good) return
    failures = failures + 1
    print '(a, i0, 2a)', 'rank ', sode_rank(job), ': ', what
  end subroutine

  ! Periodic, two layers, integers.
  subroutine lines
    integer, parameter :: n = 48
    type(sode_grid) :: grid
    type(sode_array) :: array
    type(sode_exchange) :: halo
    integer :: lower(1), upper(1), i, round, total
    integer, allocatable, target :: a(:)
    call sode_cut(job, [n], grid)
    call sode_bounds(grid, lower, upper)
    total = upper(1) - lower(1) + 1
    call sode_combine(job, total, sode_sum)
    call expect(total == n, 'bounds')
    allocate (a(lower(1) - 2:upper(1) + 2), source=-1)
    call sode_attach(grid, a, [2], array)
    call sode_plan([array], halo, periodic=[.true.])
    do round = 1, 3
      do i = lower(1), upper(1)
        a(i) = 100 * round + i
      end do
      call sode_start(halo)
      call sode_wait(halo)
      do i = lower(1) - 2, upper(1) + 2
        call expect(a(i) == 100 * round + modulo(i - 1, n) + 1, 'a periodic halo')
      end do
    end do
    call expect(len(sode_explain(halo)) > 0 .or. sode_ranks(job) == 1, 'explain')
    call sode_free(halo)
    call sode_free(array)
    call sode_free(grid)
  end subroutine

  ! The first dimension is contiguous; halos of different widths; corners; two arrays at once; cut along the second dimension only.
  subroutine planes
    integer, parameter :: n = 20, m = 24
    type(sode_grid) :: grid
    type(sode_array) :: arrays(2)
    type(sode_exchange) :: halo
    integer :: lower(2), upper(2), i, j, cut
    real(c_float), allocatable, target :: a(:, :)
    real(c_double), allocatable, target :: b(:, :)
    do cut = 0, 1
      if (cut == 0) then
        call sode_cut(job, [n, m], grid)
      else
        call sode_cut(job, [n, m], grid, cuts=[1, 0])
      end if
      call sode_bounds(grid, lower, upper)
      if (cut == 1) call expect(lower(1) == 1 .and. upper(1) == n, 'a dimension that is not cut')
      allocate (a(lower(1) - 1:upper(1) + 1, lower(2) - 2:upper(2) + 2), b(lower(1):upper(1), lower(2) - 1:upper(2) + 1))
      a = -1
      b = -1
      do j = lower(2), upper(2)
        do i = lower(1), upper(1)
          a(i, j) = real(100 * i + j, c_float)
          b(i, j) = 1000 * i + j
        end do
      end do
      call sode_attach(grid, a, [1, 2], arrays(1), name='a')
      call sode_attach(grid, b, [0, 1], arrays(2), name='b')
      call sode_plan(arrays, halo, corners=.true.)
      call sode_reflect(halo)
      do j = max(lower(2) - 2, 1), min(upper(2) + 2, m)
        do i = max(lower(1) - 1, 1), min(upper(1) + 1, n)
          call expect(a(i, j) == real(100 * i + j, c_float), 'a halo of two dimensions')
        end do
      end do
      do j = max(lower(2) - 1, 1), min(upper(2) + 1, m)
        call expect(all(b(:, j) == [(1000d0 * i + j, i=lower(1), upper(1))]), 'a halo of one of them')
      end do
      call sode_free(halo)
      call sode_free(arrays(1))
      call sode_free(arrays(2))
      call sode_free(grid)
      deallocate (a, b)
    end do
  end subroutine

  subroutine boxes
    integer, parameter :: n = 12
    type(sode_grid) :: grid
    type(sode_array) :: array
    type(sode_exchange) :: halo
    integer :: lower(3), upper(3), i, j, k
    real(c_double), allocatable, target :: a(:, :, :)
    call sode_cut(job, [n, n + 1, n + 2], grid)
    call sode_bounds(grid, lower, upper)
    allocate (a(lower(1) - 1:upper(1) + 1, lower(2) - 1:upper(2) + 1, lower(3) - 1:upper(3) + 1), source=0d0)
    do k = lower(3), upper(3)
      do j = lower(2), upper(2)
        do i = lower(1), upper(1)
          a(i, j, k) = i + 20d0 * j + 400d0 * k
        end do
      end do
    end do
    call sode_attach(grid, a, [1, 1, 1], array)
    call sode_plan([array], halo)
    call sode_reflect(halo)
    do k = lower(3), upper(3)
      do j = lower(2), upper(2)
        do i = max(lower(1) - 1, 1), min(upper(1) + 1, n)
          call expect(a(i, j, k) == i + 20d0 * j + 400d0 * k, 'a halo of three dimensions')
        end do
      end do
    end do
    call sode_free(halo)
    call sode_free(array)
    call sode_free(grid)
  end subroutine

  subroutine numbers
    real(c_float) :: x
    real(c_double) :: list(3)
    integer(c_int64_t) :: long
    integer :: ranks
    ranks = sode_ranks(job)
    x = real(sode_rank(job), c_float)
    call sode_combine(job, x, sode_max)
    call expect(x == real(ranks - 1, c_float), 'a largest number')
    list = [1d0, 2d0, 3d0]
    call sode_combine(job, list, sode_sum)
    call expect(all(list == ranks * [1d0, 2d0, 3d0]), 'sums')
    long = 2
    call sode_combine(job, long, sode_product)
    call expect(long == 2_c_int64_t**ranks, 'a product')
    call sode_barrier(job)
  end subroutine

  ! On all ranks alike: nobody waits for anybody.
  subroutine errors
    type(sode_grid) :: grid
    type(sode_array) :: array
    real(c_double), target :: a(3)
    integer :: code
    call sode_cut(job, [-1], grid, code=code)
    call expect(code == sode_error_usage .and. index(sode_message(job), 'sode: error: ') == 1, 'an index space below nothing')
    call sode_cut(job, [50], grid)
    call sode_attach(grid, a, [1], array, code=code)
    call expect(code == sode_error_usage, 'an array of another size')
    call sode_attach(grid, a, [1, 1], array, code=code)
    call expect(code == sode_error_usage, 'a halo of another number of dimensions')
    call sode_free(grid)
  end subroutine
end program module_test
