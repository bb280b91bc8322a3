! A program in Fortran that reads and changes a setting of its MPI, and counts for one communicator:
!
!     20-fortran [name of a control variable]
!
! mpifort mpi_t_f08.f90 20-fortran.f90 builds it with any MPI.
program fortran
    use mpi, only: MPI_SUCCESS, MPI_COMM_WORLD, MPI_INIT, MPI_FINALIZE, MPI_BARRIER
    use mpi_t_f08
    implicit none

    character(len=200) :: name, desc
    integer :: provided, index, scope, bind, value, count, class, elements, ierror
    type(MPI_T_cvar_handle) :: limit
    type(MPI_T_pvar_session) :: session
    type(MPI_T_pvar_handle) :: counter
    integer(selected_int_kind(18)), allocatable :: values(:)

    call MPI_T_init_thread(0, provided)
    call MPI_INIT(ierror)

    name = "MINI_EAGER_LIMIT"
    if (command_argument_count() > 0) call get_command_argument(1, name)
    call MPI_T_cvar_get_index(name, index, ierror)
    if (ierror == MPI_T_ERR_INVALID_NAME) stop "This MPI has no control variable of this name."
    call MPI_T_cvar_get_info(index, name=name, desc=desc, scope=scope)
    print "(3a)", trim(name), ": ", trim(desc)

    ! An int here; the datatype says what a variable is.
    call MPI_T_cvar_handle_alloc(index, handle=limit, count=count)
    call MPI_T_cvar_read(limit, value)
    print "(a, i0)", "it is ", value
    if (scope /= MPI_T_SCOPE_CONSTANT .and. scope /= MPI_T_SCOPE_READONLY) then
        call MPI_T_cvar_write(limit, 2 * value, ierror)
        call MPI_T_cvar_read(limit, value)
        print "(a, i0, a, i0)", "after a write of twice as much, which returns ", ierror, ", it is ", value
    end if
    call MPI_T_cvar_handle_free(limit)

    ! All counters of communicators, of MPI_COMM_WORLD. A variable may have many elements.
    call MPI_T_pvar_session_create(session)
    call MPI_T_pvar_get_num(count)
    do index = 0, count - 1
        call MPI_T_pvar_get_info(index, name=name, bind=bind, var_class=class, ierror=ierror)
        if (ierror /= MPI_SUCCESS .or. bind /= MPI_T_BIND_MPI_COMM .or. class /= MPI_T_PVAR_CLASS_COUNTER) cycle
        call MPI_T_pvar_handle_alloc(session, index, MPI_COMM_WORLD, counter, elements, ierror)
        if (ierror /= MPI_SUCCESS) cycle
        allocate (values(elements))
        call MPI_T_pvar_start(session, counter)
        call MPI_BARRIER(MPI_COMM_WORLD, ierror)
        call MPI_T_pvar_read(session, counter, values)
        print "(2a, *(i0, :, 1x))", trim(name), " of MPI_COMM_WORLD: ", values(:min(elements, 8))
        deallocate (values)
        call MPI_T_pvar_handle_free(session, counter)
    end do
    call MPI_T_pvar_session_free(session)

    ! Some MPIs need this order.
    call MPI_T_finalize()
    call MPI_FINALIZE(ierror)
end program
