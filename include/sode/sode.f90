! SPDX-License-Identifier: Apache-2.0
! Sode for Fortran: exchanges the halos of the program's arrays, and combines numbers from all ranks. Compile this file
! with the program and link with libsode:
!
!     gfortran -O2 `pkg-config --variable=includedir sode`/sode/sode.f90 heat.f90 `pkg-config --libs sode` -o heat
!     sode run -n 4 ./heat            (or: mpirun -n 4 ./heat, or alone: ./heat)
!
! As in Fortran, indices begin at 1, bounds are inclusive, and the first dimension is contiguous in memory. <sode/sode.h> has the
! same functions for C's order. Every procedure has an optional argument `code`, which is set to sode_ok or to an error number.
! sode_message() returns the text of the error. Without `code`, an error prints the text and ends the program.
module sode
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: error_unit
  implicit none
  private

  integer, parameter, public :: sode_ok = 0, sode_error_usage = 1, sode_error_environment = 2, sode_error_peer = 3, &
                                sode_error_timeout = 4, sode_error_internal = 5
  !> Operations that combine numbers.
  integer, parameter, public :: sode_sum = 0, sode_product = 1, sode_max = 2, sode_min = 3

  !> One rank's membership in a job.
  type, public :: sode_job
    private
    type(c_ptr) :: handle = c_null_ptr
  end type
  !> An index space that is distributed over the ranks.
  type, public :: sode_grid
    private
    type(c_ptr) :: handle = c_null_ptr, job = c_null_ptr
    integer :: dims = 0
  end type
  !> This rank's part of a distributed array, in an array of the program.
  type, public :: sode_array
    private
    type(c_ptr) :: handle = c_null_ptr, job = c_null_ptr
    integer :: dims = 0
  end type
  !> A halo exchange, planned once and run many times.
  type, public :: sode_exchange
    private
    type(c_ptr) :: handle = c_null_ptr, job = c_null_ptr
  end type

  public :: sode_begin, sode_end, sode_rank, sode_ranks, sode_barrier, sode_message
  public :: sode_cut, sode_bounds, sode_attach, sode_plan, sode_start, sode_wait, sode_reflect, sode_explain, sode_free
  public :: sode_combine

  !> Attaches an array of real or integer numbers with one to three dimensions. The array holds this rank's
  !> block with the halo, for example `allocate (u(lower(1) - 1:upper(1) + 1, lower(2) - 1:upper(2) + 1))` with halo [1, 1]. The array must outlive its exchanges.
  interface sode_attach
    module procedure attach_r4_1, attach_r4_2, attach_r4_3, attach_r8_1, attach_r8_2, attach_r8_3
    module procedure attach_i4_1, attach_i4_2, attach_i4_3
  end interface
  !> Combines numbers from all ranks, in place. The result is bitwise identical on all ranks. The call is collective.
  interface sode_combine
    module procedure combine_r4, combine_r8, combine_i4, combine_i8, combine_r4s, combine_r8s, combine_i4s, combine_i8s
  end interface
  !> Destroys a grid, an array or an exchange.
  interface sode_free
    module procedure free_grid, free_array, free_exchange
  end interface

  type, bind(c) :: exchange_options
    integer(c_int) :: corners = 0, periodic(7) = 0, credits = 0
    type(c_ptr) :: channel = c_null_ptr, name = c_null_ptr, width = c_null_ptr
  end type

  interface
    integer(c_int) function c_init(argc, argv, rt) bind(c, name='sode_init')
      import
      integer(c_int), value :: argc
      type(c_ptr), value :: argv
      type(c_ptr) :: rt
    end function
    subroutine c_finalize(rt) bind(c, name='sode_finalize')
      import
      type(c_ptr), value :: rt
    end subroutine
    type(c_ptr) function c_error_text(rt) bind(c, name='sode_error_text')
      import
      type(c_ptr), value :: rt
    end function
    integer(c_int) function c_rank(rt) bind(c, name='sode_rank')
      import
      type(c_ptr), value :: rt
    end function
    integer(c_int) function c_size(rt) bind(c, name='sode_size')
      import
      type(c_ptr), value :: rt
    end function
    integer(c_int) function c_barrier(rt) bind(c, name='sode_barrier')
      import
      type(c_ptr), value :: rt
    end function
    integer(c_int) function c_grid_create(rt, dims, extents, cuts, grid) bind(c, name='sode_grid_create')
      import
      type(c_ptr), value :: rt
      integer(c_int), value :: dims
      integer(c_int64_t) :: extents(*)
      integer(c_int) :: cuts(*)
      type(c_ptr) :: grid
    end function
    subroutine c_grid_destroy(grid) bind(c, name='sode_grid_destroy')
      import
      type(c_ptr), value :: grid
    end subroutine
    integer(c_int) function c_grid_owned(grid, lower, upper) bind(c, name='sode_grid_owned')
      import
      type(c_ptr), value :: grid
      integer(c_int64_t) :: lower(*), upper(*)
    end function
    integer(c_int) function c_array_attach(grid, first, kind, strides, shadow, name, array) bind(c, name='sode_array_attach')
      import
      type(c_ptr), value :: grid, first
      integer(c_int32_t), value :: kind
      integer(c_int64_t) :: strides(*), shadow(*)
      character(kind=c_char) :: name(*)
      type(c_ptr) :: array
    end function
    subroutine c_array_destroy(array) bind(c, name='sode_array_destroy')
      import
      type(c_ptr), value :: array
    end subroutine
    integer(c_int) function c_exchange_create(count, arrays, options, exchange) bind(c, name='sode_exchange_create')
      import
      integer(c_int), value :: count
      type(c_ptr) :: arrays(*), exchange
      type(exchange_options) :: options
    end function
    subroutine c_exchange_destroy(exchange) bind(c, name='sode_exchange_destroy')
      import
      type(c_ptr), value :: exchange
    end subroutine
    integer(c_int) function c_exchange_start(exchange) bind(c, name='sode_exchange_start')
      import
      type(c_ptr), value :: exchange
    end function
    integer(c_int) function c_exchange_wait(exchange) bind(c, name='sode_exchange_wait')
      import
      type(c_ptr), value :: exchange
    end function
    integer(c_int) function c_exchange_explain(exchange, text) bind(c, name='sode_exchange_explain')
      import
      type(c_ptr), value :: exchange
      type(c_ptr) :: text
    end function
    integer(c_int) function c_allreduce(rt, values, count, kind, op) bind(c, name='sode_allreduce')
      import
      type(c_ptr), value :: rt, values
      integer(c_size_t), value :: count
      integer(c_int32_t), value :: kind
      integer(c_int), value :: op
    end function
    integer(c_size_t) function c_strlen(text) bind(c, name='strlen')
      import
      type(c_ptr), value :: text
    end function
  end interface

  ! A type code: the kind of number in the low byte, the bytes of one number above it.
  integer(c_int32_t), parameter :: code_r4 = 0 + 256 * 4, code_r8 = 1 + 256 * 8, code_i4 = 4 + 256 * 4, code_i8 = 5 + 256 * 8

contains

  !> Joins the job in which the program was started: alone, by `sode run`, by mpirun. The call is collective.
  subroutine sode_begin(job, code)
    type(sode_job), intent(out) :: job
    integer, intent(out), optional :: code
    call judge(int(c_init(0_c_int, c_null_ptr, job%handle)), job%handle, code)
  end subroutine

  !> Leaves the job. The call is collective.
  subroutine sode_end(job)
    type(sode_job), intent(inout) :: job
    call c_finalize(job%handle)
    job%handle = c_null_ptr
  end subroutine

  !> Returns the number of this rank, counted from 0.
  integer function sode_rank(job)
    type(sode_job), intent(in) :: job
    sode_rank = int(c_rank(job%handle))
  end function

  !> Returns the number of ranks.
  integer function sode_ranks(job)
    type(sode_job), intent(in) :: job
    sode_ranks = int(c_size(job%handle))
  end function

  !> Waits until all ranks have called sode_barrier.
  subroutine sode_barrier(job, code)
    type(sode_job), intent(in) :: job
    integer, intent(out), optional :: code
    call judge(int(c_barrier(job%handle)), job%handle, code)
  end subroutine

  !> Returns the text of the last error: the problem, the reason, and a suggestion.
  function sode_message(job) result(text)
    type(sode_job), intent(in) :: job
    character(:), allocatable :: text
    text = text_at(c_error_text(job%handle))
  end function

  !> Splits an index space of 1 to 7 dimensions into a block for each rank. `cuts`: number of blocks in each dimension; 0: the
  !> library chooses. Every rank passes the same arguments.
  subroutine sode_cut(job, extents, grid, cuts, code)
    type(sode_job), intent(in) :: job
    integer, intent(in) :: extents(:)
    type(sode_grid), intent(out) :: grid
    integer, intent(in), optional :: cuts(:)
    integer, intent(out), optional :: code
    integer(c_int) :: blocks(max(size(extents), 1))
    integer :: n
    n = size(extents)
    blocks = 0
    if (present(cuts)) blocks(1:n) = int(cuts(n:1:-1), c_int)
    grid%dims = n
    grid%job = job%handle
    call judge(int(c_grid_create(job%handle, int(n, c_int), int(extents(n:1:-1), c_int64_t), blocks, grid%handle)), &
               job%handle, code)
  end subroutine

  !> Returns this rank's block: lower(d) <= index <= upper(d). A rank without elements has upper(d) = lower(d) - 1.
  subroutine sode_bounds(grid, lower, upper, code)
    type(sode_grid), intent(in) :: grid
    integer, intent(out) :: lower(:), upper(:)
    integer, intent(out), optional :: code
    integer(c_int64_t) :: from(7), to(7)
    from = 0
    to = 0
    call judge(int(c_grid_owned(grid%handle, from, to)), grid%job, code)
    lower(1:grid%dims) = int(from(grid%dims:1:-1)) + 1
    upper(1:grid%dims) = int(to(grid%dims:1:-1))
  end subroutine

  !> Plans one exchange for the halos of all arrays. The call is collective. `periodic`: true for periodic dimensions.
  !> `corners`: also fetch from diagonal neighbours.
  subroutine sode_plan(arrays, exchange, periodic, corners, code)
    type(sode_array), intent(in) :: arrays(:)
    type(sode_exchange), intent(out) :: exchange
    logical, intent(in), optional :: periodic(:), corners
    integer, intent(out), optional :: code
    type(exchange_options) :: options
    type(c_ptr) :: handles(size(arrays))
    integer :: k
    if (size(arrays) == 0) then
      call judge_usage('an exchange of no arrays cannot be planned', 'name one', code)
      return
    end if
    do k = 1, size(arrays)
      handles(k) = arrays(k)%handle
    end do
    if (present(corners)) options%corners = merge(1_c_int, 0_c_int, corners)
    if (present(periodic)) then
      do k = 1, size(periodic)
        options%periodic(size(periodic) - k + 1) = merge(1_c_int, 0_c_int, periodic(k))
      end do
    end if
    exchange%job = arrays(1)%job
    call judge(int(c_exchange_create(int(size(arrays), c_int), handles, options, exchange%handle)), exchange%job, code)
  end subroutine

  !> Starts the exchange. Until sode_wait() returns, the program may read but not write the outermost layers of its blocks,
  !> and must neither read nor write halos.
  subroutine sode_start(exchange, code)
    type(sode_exchange), intent(in) :: exchange
    integer, intent(out), optional :: code
    call judge(int(c_exchange_start(exchange%handle)), exchange%job, code)
  end subroutine

  subroutine sode_wait(exchange, code)
    type(sode_exchange), intent(in) :: exchange
    integer, intent(out), optional :: code
    call judge(int(c_exchange_wait(exchange%handle)), exchange%job, code)
  end subroutine

  !> Fills the halos: sode_start() and sode_wait().
  subroutine sode_reflect(exchange, code)
    type(sode_exchange), intent(in) :: exchange
    integer, intent(out), optional :: code
    call sode_start(exchange, code)
    if (present(code)) then
      if (code /= sode_ok) return
    end if
    call sode_wait(exchange, code)
  end subroutine

  !> Returns one line for each edge: the chosen channel, and the reason.
  function sode_explain(exchange) result(text)
    type(sode_exchange), intent(in) :: exchange
    character(:), allocatable :: text
    type(c_ptr) :: first
    first = c_null_ptr
    call judge(int(c_exchange_explain(exchange%handle, first)), exchange%job)
    text = text_at(first)
  end function

  subroutine free_grid(grid)
    type(sode_grid), intent(inout) :: grid
    call c_grid_destroy(grid%handle)
    grid%handle = c_null_ptr
  end subroutine

  subroutine free_array(array)
    type(sode_array), intent(inout) :: array
    call c_array_destroy(array%handle)
    array%handle = c_null_ptr
  end subroutine

  subroutine free_exchange(exchange)
    type(sode_exchange), intent(inout) :: exchange
    call c_exchange_destroy(exchange%handle)
    exchange%handle = c_null_ptr
  end subroutine

  subroutine attach_r4_1(grid, u, halo, array, name, code)
    type(sode_grid), intent(in) :: grid
    real(c_float), intent(in), target, contiguous :: u(:)
    integer, intent(in) :: halo(:)
    type(sode_array), intent(out) :: array
    character(*), intent(in), optional :: name
    integer, intent(out), optional :: code
    call attach(grid, c_loc(u), code_r4, shape(u), halo, array, name, code)
  end subroutine

  subroutine attach_r4_2(grid, u, halo, array, name, code)
    type(sode_grid), intent(in) :: grid
    real(c_float), intent(in), target, contiguous :: u(:, :)
    integer, intent(in) :: halo(:)
    type(sode_array), intent(out) :: array
    character(*), intent(in), optional :: name
    integer, intent(out), optional :: code
    call attach(grid, c_loc(u), code_r4, shape(u), halo, array, name, code)
  end subroutine

  subroutine attach_r4_3(grid, u, halo, array, name, code)
    type(sode_grid), intent(in) :: grid
    real(c_float), intent(in), target, contiguous :: u(:, :, :)
    integer, intent(in) :: halo(:)
    type(sode_array), intent(out) :: array
    character(*), intent(in), optional :: name
    integer, intent(out), optional :: code
    call attach(grid, c_loc(u), code_r4, shape(u), halo, array, name, code)
  end subroutine

  subroutine attach_r8_1(grid, u, halo, array, name, code)
    type(sode_grid), intent(in) :: grid
    real(c_double), intent(in), target, contiguous :: u(:)
    integer, intent(in) :: halo(:)
    type(sode_array), intent(out) :: array
    character(*), intent(in), optional :: name
    integer, intent(out), optional :: code
    call attach(grid, c_loc(u), code_r8, shape(u), halo, array, name, code)
  end subroutine

  subroutine attach_r8_2(grid, u, halo, array, name, code)
    type(sode_grid), intent(in) :: grid
    real(c_double), intent(in), target, contiguous :: u(:, :)
    integer, intent(in) :: halo(:)
    type(sode_array), intent(out) :: array
    character(*), intent(in), optional :: name
    integer, intent(out), optional :: code
    call attach(grid, c_loc(u), code_r8, shape(u), halo, array, name, code)
  end subroutine

  subroutine attach_r8_3(grid, u, halo, array, name, code)
    type(sode_grid), intent(in) :: grid
    real(c_double), intent(in), target, contiguous :: u(:, :, :)
    integer, intent(in) :: halo(:)
    type(sode_array), intent(out) :: array
    character(*), intent(in), optional :: name
    integer, intent(out), optional :: code
    call attach(grid, c_loc(u), code_r8, shape(u), halo, array, name, code)
  end subroutine

  subroutine attach_i4_1(grid, u, halo, array, name, code)
    type(sode_grid), intent(in) :: grid
    integer(c_int32_t), intent(in), target, contiguous :: u(:)
    integer, intent(in) :: halo(:)
    type(sode_array), intent(out) :: array
    character(*), intent(in), optional :: name
    integer, intent(out), optional :: code
    call attach(grid, c_loc(u), code_i4, shape(u), halo, array, name, code)
  end subroutine

  subroutine attach_i4_2(grid, u, halo, array, name, code)
    type(sode_grid), intent(in) :: grid
    integer(c_int32_t), intent(in), target, contiguous :: u(:, :)
    integer, intent(in) :: halo(:)
    type(sode_array), intent(out) :: array
    character(*), intent(in), optional :: name
    integer, intent(out), optional :: code
    call attach(grid, c_loc(u), code_i4, shape(u), halo, array, name, code)
  end subroutine

  subroutine attach_i4_3(grid, u, halo, array, name, code)
    type(sode_grid), intent(in) :: grid
    integer(c_int32_t), intent(in), target, contiguous :: u(:, :, :)
    integer, intent(in) :: halo(:)
    type(sode_array), intent(out) :: array
    character(*), intent(in), optional :: name
    integer, intent(out), optional :: code
    call attach(grid, c_loc(u), code_i4, shape(u), halo, array, name, code)
  end subroutine

  subroutine attach(grid, first, kind, extents, halo, array, name, code)
    type(sode_grid), intent(in) :: grid
    type(c_ptr), intent(in) :: first
    integer(c_int32_t), intent(in) :: kind
    integer, intent(in) :: extents(:), halo(:)
    type(sode_array), intent(out) :: array
    character(*), intent(in), optional :: name
    integer, intent(out), optional :: code
    integer(c_int64_t) :: strides(7), shadow(14)
    integer :: lower(7), upper(7), d, n
    character(:), allocatable :: called
    n = grid%dims
    called = 'an array of Fortran'
    if (present(name)) called = name
    if (size(extents) /= n .or. size(halo) /= n) then
      call judge_usage(called // ' does not fit its index space (they have different numbers of dimensions)', &
                       'give an array and a halo of as many dimensions as the grid has', code)
      return
    end if
    call sode_bounds(grid, lower, upper)
    if (all(upper(1:n) >= lower(1:n)) .and. any(extents /= upper(1:n) - lower(1:n) + 1 + 2 * halo)) then
      call judge_usage(called // ' does not fit this rank''s block (it is not as large as the block and its halo)', &
                       'allocate (u(lower(1) - halo(1):upper(1) + halo(1), ...))', code)
      return
    end if
    strides(n) = 1
    do d = 1, n - 1
      strides(n - d) = strides(n - d + 1) * extents(d)
    end do
    do d = 1, n
      shadow(2 * (n - d) + 1:2 * (n - d) + 2) = halo(d)
    end do
    array%dims = n
    array%job = grid%job
    call judge(int(c_array_attach(grid%handle, first, kind, strides, shadow, called // c_null_char, array%handle)), grid%job, code)
  end subroutine

  subroutine combine_r4(job, x, operation, code)
    type(sode_job), intent(in) :: job
    real(c_float), intent(inout), target :: x
    integer, intent(in) :: operation
    integer, intent(out), optional :: code
    call judge(int(c_allreduce(job%handle, c_loc(x), 1_c_size_t, code_r4, int(operation, c_int))), &
               job%handle, code)
  end subroutine

  subroutine combine_r4s(job, x, operation, code)
    type(sode_job), intent(in) :: job
    real(c_float), intent(inout), target, contiguous :: x(:)
    integer, intent(in) :: operation
    integer, intent(out), optional :: code
    call judge(int(c_allreduce(job%handle, c_loc(x), size(x, kind=c_size_t), code_r4, int(operation, c_int))), &
               job%handle, code)
  end subroutine

  subroutine combine_r8(job, x, operation, code)
    type(sode_job), intent(in) :: job
    real(c_double), intent(inout), target :: x
    integer, intent(in) :: operation
    integer, intent(out), optional :: code
    call judge(int(c_allreduce(job%handle, c_loc(x), 1_c_size_t, code_r8, int(operation, c_int))), &
               job%handle, code)
  end subroutine

  subroutine combine_r8s(job, x, operation, code)
    type(sode_job), intent(in) :: job
    real(c_double), intent(inout), target, contiguous :: x(:)
    integer, intent(in) :: operation
    integer, intent(out), optional :: code
    call judge(int(c_allreduce(job%handle, c_loc(x), size(x, kind=c_size_t), code_r8, int(operation, c_int))), &
               job%handle, code)
  end subroutine

  subroutine combine_i4(job, x, operation, code)
    type(sode_job), intent(in) :: job
    integer(c_int32_t), intent(inout), target :: x
    integer, intent(in) :: operation
    integer, intent(out), optional :: code
    call judge(int(c_allreduce(job%handle, c_loc(x), 1_c_size_t, code_i4, int(operation, c_int))), &
               job%handle, code)
  end subroutine

  subroutine combine_i4s(job, x, operation, code)
    type(sode_job), intent(in) :: job
    integer(c_int32_t), intent(inout), target, contiguous :: x(:)
    integer, intent(in) :: operation
    integer, intent(out), optional :: code
    call judge(int(c_allreduce(job%handle, c_loc(x), size(x, kind=c_size_t), code_i4, int(operation, c_int))), &
               job%handle, code)
  end subroutine

  subroutine combine_i8(job, x, operation, code)
    type(sode_job), intent(in) :: job
    integer(c_int64_t), intent(inout), target :: x
    integer, intent(in) :: operation
    integer, intent(out), optional :: code
    call judge(int(c_allreduce(job%handle, c_loc(x), 1_c_size_t, code_i8, int(operation, c_int))), &
               job%handle, code)
  end subroutine

  subroutine combine_i8s(job, x, operation, code)
    type(sode_job), intent(in) :: job
    integer(c_int64_t), intent(inout), target, contiguous :: x(:)
    integer, intent(in) :: operation
    integer, intent(out), optional :: code
    call judge(int(c_allreduce(job%handle, c_loc(x), size(x, kind=c_size_t), code_i8, int(operation, c_int))), &
               job%handle, code)
  end subroutine

  function text_at(first) result(text)
    type(c_ptr), intent(in) :: first
    character(:), allocatable :: text
    character(kind=c_char), pointer :: letters(:)
    integer :: k
    if (.not. c_associated(first)) then
      text = ''
      return
    end if
    call c_f_pointer(first, letters, [c_strlen(first)])
    allocate (character(size(letters)) :: text)
    do k = 1, size(letters)
      text(k:k) = letters(k)
    end do
  end function

  subroutine judge(result, job, code)
    integer, intent(in) :: result
    type(c_ptr), intent(in) :: job
    integer, intent(out), optional :: code
    if (present(code)) then
      code = result
    else if (result /= sode_ok) then
      write (error_unit, '(a)') text_at(c_error_text(job))
      stop 1
    end if
  end subroutine

  ! Errors that this module itself finds.
  subroutine judge_usage(problem, suggestion, code)
    character(*), intent(in) :: problem, suggestion
    integer, intent(out), optional :: code
    if (present(code)) then
      code = sode_error_usage
    else
      write (error_unit, '(a)') 'sode: error: ' // problem, '  ' // suggestion
      stop 1
    end if
  end subroutine

end module sode
