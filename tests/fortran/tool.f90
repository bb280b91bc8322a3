! All procedures of mpi_t_f08, with any MPI that has control variables, counters and categories: what they return is compared between
! procedures, and the constants with those of mpi.h. It stops with an error after the first thing that is wrong.
module constants
    use, intrinsic :: iso_c_binding
    use mpi_t_f08
    implicit none

    integer, parameter :: of_fortran(*) = [ &
        MPI_T_ERR_CANNOT_INIT, MPI_T_ERR_NOT_ACCESSIBLE, MPI_T_ERR_NOT_INITIALIZED, MPI_T_ERR_NOT_SUPPORTED, MPI_T_ERR_MEMORY, &
        MPI_T_ERR_INVALID, MPI_T_ERR_INVALID_INDEX, MPI_T_ERR_INVALID_ITEM, MPI_T_ERR_INVALID_SESSION, MPI_T_ERR_INVALID_HANDLE, &
        MPI_T_ERR_INVALID_NAME, MPI_T_ERR_OUT_OF_HANDLES, MPI_T_ERR_OUT_OF_SESSIONS, MPI_T_ERR_CVAR_SET_NOT_NOW, &
        MPI_T_ERR_CVAR_SET_NEVER, MPI_T_ERR_PVAR_NO_WRITE, MPI_T_ERR_PVAR_NO_STARTSTOP, MPI_T_ERR_PVAR_NO_ATOMIC, &
        MPI_T_VERBOSITY_USER_BASIC, MPI_T_VERBOSITY_USER_DETAIL, MPI_T_VERBOSITY_USER_ALL, MPI_T_VERBOSITY_TUNER_BASIC, &
        MPI_T_VERBOSITY_TUNER_DETAIL, MPI_T_VERBOSITY_TUNER_ALL, MPI_T_VERBOSITY_MPIDEV_BASIC, MPI_T_VERBOSITY_MPIDEV_DETAIL, &
        MPI_T_VERBOSITY_MPIDEV_ALL, MPI_T_BIND_NO_OBJECT, MPI_T_BIND_MPI_COMM, MPI_T_BIND_MPI_DATATYPE, MPI_T_BIND_MPI_ERRHANDLER, &
        MPI_T_BIND_MPI_FILE, MPI_T_BIND_MPI_GROUP, MPI_T_BIND_MPI_OP, MPI_T_BIND_MPI_REQUEST, MPI_T_BIND_MPI_WIN, &
        MPI_T_BIND_MPI_MESSAGE, MPI_T_BIND_MPI_INFO, MPI_T_SCOPE_CONSTANT, MPI_T_SCOPE_READONLY, MPI_T_SCOPE_LOCAL, &
        MPI_T_SCOPE_GROUP, MPI_T_SCOPE_GROUP_EQ, MPI_T_SCOPE_ALL, MPI_T_SCOPE_ALL_EQ, MPI_T_PVAR_CLASS_STATE, &
        MPI_T_PVAR_CLASS_LEVEL, MPI_T_PVAR_CLASS_SIZE, MPI_T_PVAR_CLASS_PERCENTAGE, MPI_T_PVAR_CLASS_HIGHWATERMARK, &
        MPI_T_PVAR_CLASS_LOWWATERMARK, MPI_T_PVAR_CLASS_COUNTER, MPI_T_PVAR_CLASS_AGGREGATE, MPI_T_PVAR_CLASS_TIMER, &
        MPI_T_PVAR_CLASS_GENERIC]
    interface
        integer(c_int) function constant_of_c(place) bind(C)
            import
            integer(c_int), value :: place
        end function
        type(c_ptr) function all_handles_of_c() bind(C)
            import
        end function
    end interface
end module

program tool
    use, intrinsic :: iso_c_binding
    use mpi, only: MPI_SUCCESS, MPI_COMM_WORLD, MPI_INT, MPI_INIT, MPI_FINALIZE, MPI_BARRIER, MPI_COMM_DUP, MPI_COMM_FREE
    use mpi_t_f08
    use checks
    use constants
    implicit none

    integer :: provided, ierror
    logical :: is_mini

    do ierror = 1, size(of_fortran)
        provided = constant_of_c(int(ierror - 1, c_int))
        call check(of_fortran(ierror) == provided .or. provided == 0, 'the constants are those of mpi.h')
    end do
    call MPI_T_cvar_get_num(provided, ierror)
    call check(ierror == MPI_T_ERR_NOT_INITIALIZED, 'nothing is answered before MPI_T_init_thread')
    call MPI_T_init_thread(0, provided, ierror)
    call check(ierror == MPI_SUCCESS .and. provided >= 0, 'the interface begins')
    call MPI_INIT(ierror)
    call MPI_T_cvar_get_index('MINI_EAGER_LIMIT', provided, ierror)
    is_mini = ierror == MPI_SUCCESS
    call check_controls()
    if (is_mini) call check_mini()
    call check_counters()
    call check_categories()
    call MPI_T_finalize(ierror)
    call check(ierror == MPI_SUCCESS, 'the interface ends')
    call MPI_FINALIZE(ierror)
    print '(a)', 'Fortran sees what C sees'

contains

    subroutine check_controls()
        integer :: count, i, found, length, needed, verbosity, datatype, bind, scope, ints
        character(len=400) :: name, desc
        character(len=3) :: short
        character(len=1), allocatable :: buffer(:), again(:)
        integer :: number, items, value
        type(MPI_T_enum) :: enumtype
        type(MPI_T_cvar_handle) :: handle
        call MPI_T_cvar_get_num(count, ierror)
        call check(count > 0 .and. ierror == MPI_SUCCESS, 'there are control variables')
        call MPI_T_cvar_get_info(count, name=name, ierror=ierror)
        call check(ierror == MPI_T_ERR_INVALID_INDEX .or. ierror /= MPI_SUCCESS .and. .not. is_mini, 'there are no more')
        call MPI_T_cvar_get_index('no such variable', found, ierror)
        call check(ierror == MPI_T_ERR_INVALID_NAME, 'a name that nobody has is refused')
        ints = 0
        do i = 0, count - 1
            call MPI_T_cvar_get_info(i, name, length, verbosity, datatype, enumtype, desc, needed, bind, scope, ierror)
            if (ierror /= MPI_SUCCESS) cycle
            call check(length == len_trim(name) .and. length > 0, 'a name is padded with blanks: ' // name)
            call MPI_T_cvar_get_info(i, name_len=needed)
            call check(needed == length, 'its length is known without it')
            call MPI_T_cvar_get_info(i, name=short, name_len=needed)
            call check(short == name(1:3), 'a short text has its beginning')
            call MPI_T_cvar_get_index(name, found, ierror)
            call check(found == i, 'the name has its index')
            call check(verbosity >= MPI_T_VERBOSITY_USER_BASIC .and. verbosity <= MPI_T_VERBOSITY_MPIDEV_ALL, 'a verbosity')
            call check(scope >= MPI_T_SCOPE_CONSTANT .and. scope <= MPI_T_SCOPE_ALL_EQ, 'a scope')
            if (enumtype /= MPI_T_ENUM_NULL .and. is_mini) then
                call MPI_T_enum_get_info(enumtype, items, name, length, ierror)
                call check(ierror == MPI_SUCCESS .and. items > 0 .and. length == len_trim(name), 'an enumeration')
                call MPI_T_enum_get_item(enumtype, items - 1, value, name, length, ierror)
                call check(ierror == MPI_SUCCESS .and. length == len_trim(name), 'its last item')
                call MPI_T_enum_get_item(enumtype, items, ierror=ierror)
                call check(ierror == MPI_T_ERR_INVALID_INDEX, 'and no more')
            end if
            if (bind /= MPI_T_BIND_NO_OBJECT .or. datatype /= MPI_INT) cycle
            ! Open MPI 4 has variables of components that are closed.
            if (.not. is_mini .and. name(:5) /= 'MPIR_' .and. name(:4) /= 'mpi_') cycle
            ints = ints + 1
            call MPI_T_cvar_handle_alloc(i, handle=handle, count=number, ierror=ierror)
            if (ierror /= MPI_SUCCESS) cycle
            allocate (buffer(8 * number), again(8 * number))
            buffer = 'x'
            again = 'x'
            call MPI_T_cvar_read(handle, buffer, ierror)
            call check(ierror == MPI_SUCCESS .and. any(buffer /= 'x'), 'an int is read: ' // name)
            if (scope /= MPI_T_SCOPE_CONSTANT .and. scope /= MPI_T_SCOPE_READONLY) then
                call MPI_T_cvar_write(handle, buffer, ierror)
                call MPI_T_cvar_read(handle, again)
                call check(all(buffer == again), 'a value is written and read')
            end if
            deallocate (buffer, again)
            call MPI_T_cvar_handle_free(handle, ierror)
            call check(ierror == MPI_SUCCESS .and. handle == MPI_T_CVAR_HANDLE_NULL, 'a handle is freed')
        end do
        call check(ints > 0, 'datatypes are those of Fortran')
    end subroutine

    ! A variable of communicators, and a text.
    subroutine check_mini()
        integer :: found, comm, value, again, number
        type(MPI_T_cvar_handle) :: handle, other
        character(len=64) :: text
        call MPI_T_cvar_get_index('MINI_COMM_PROTOCOL', found)
        call MPI_COMM_DUP(MPI_COMM_WORLD, comm, ierror)
        call MPI_T_cvar_handle_alloc(found, comm, handle, ierror=ierror)
        call check(ierror == MPI_SUCCESS .and. handle /= MPI_T_CVAR_HANDLE_NULL, 'a handle on a communicator')
        call MPI_T_cvar_handle_alloc(found, MPI_COMM_WORLD, other)
        call check(handle /= other .and. handle == handle, 'two handles differ')
        call MPI_T_cvar_read(other, again)
        call MPI_T_cvar_write(handle, again + 1, ierror)
        call check(ierror == MPI_SUCCESS, 'it is written')
        call MPI_T_cvar_read(handle, value)
        call check(value == again + 1, 'it is what was written')
        call MPI_T_cvar_read(other, value)
        call check(value == again, 'and another communicator has its own')
        call MPI_T_cvar_handle_free(handle)
        call MPI_T_cvar_handle_free(other)
        call MPI_COMM_FREE(comm, ierror)
        call MPI_T_cvar_handle_alloc(found, comm, handle, ierror=ierror)
        call check(ierror == MPI_T_ERR_INVALID_HANDLE, 'the null communicator has no handle')
        call MPI_T_pvar_get_index('queue_summary', MPI_T_PVAR_CLASS_GENERIC, found, ierror)
        call check(ierror == MPI_SUCCESS, 'a text')
        call read_text(found, text, number)
        call check(text(1:2) == '0 ' .or. index(text, 'posted') > 0, 'it ends with a null: ' // text)
    end subroutine

    subroutine read_text(found, text, number)
        integer, intent(in) :: found
        character(len=*), intent(out) :: text
        integer, intent(out) :: number
        type(MPI_T_pvar_session) :: session
        type(MPI_T_pvar_handle) :: handle
        character(len=1), allocatable :: buffer(:)
        integer :: i
        text = ''
        call MPI_T_pvar_session_create(session)
        call MPI_T_pvar_handle_alloc(session, found, handle=handle, count=number)
        allocate (buffer(number))
        call MPI_T_pvar_read(session, handle, buffer, ierror)
        do i = 1, min(number, len(text))
            if (buffer(i) == c_null_char) exit
            text(i:i) = buffer(i)
        end do
        call MPI_T_pvar_session_free(session)
    end subroutine

    subroutine check_counters()
        integer :: count, i, found, length, desc_length, verbosity, class, datatype, bind, number, counters
        logical :: readonly, continuous, atomic
        character(len=400) :: name, desc
        integer(c_long_long), allocatable :: values(:)
        type(MPI_T_enum) :: enumtype
        type(MPI_T_pvar_session) :: session, ended
        type(MPI_T_pvar_handle) :: handle
        call check(session == MPI_T_PVAR_SESSION_NULL .and. handle == MPI_T_PVAR_HANDLE_NULL, 'what has not begun is null')
        call MPI_T_pvar_session_create(session, ierror)
        call check(ierror == MPI_SUCCESS .and. session /= ended, 'a session begins')
        call MPI_T_pvar_get_num(count, ierror)
        call check(ierror == MPI_SUCCESS, 'performance variables are counted')
        counters = 0
        do i = 0, count - 1
            call MPI_T_pvar_get_info(i, name, length, verbosity, class, datatype, enumtype, desc, desc_length, bind, readonly, &
                                     continuous, atomic, ierror)
            if (ierror /= MPI_SUCCESS) cycle
            call check(name /= '', 'a performance variable has a name')
            call MPI_T_pvar_get_index(name, class, found, ierror)
            call check(found == i .or. .not. is_mini, 'the name has its index: ' // name)
            if (bind == MPI_T_BIND_MPI_COMM) then
                call MPI_T_pvar_handle_alloc(session, i, MPI_COMM_WORLD, handle, number, ierror)
            else if (bind == MPI_T_BIND_NO_OBJECT) then
                call MPI_T_pvar_handle_alloc(session, i, handle=handle, count=number, ierror=ierror)
            else
                cycle
            end if
            if (ierror /= MPI_SUCCESS .or. class /= MPI_T_PVAR_CLASS_COUNTER) cycle
            counters = counters + 1
            allocate (values(number))
            values = -1
            if (.not. continuous) call MPI_T_pvar_start(session, handle, ierror)
            call check(ierror == MPI_SUCCESS, 'a counter is started')
            call MPI_BARRIER(MPI_COMM_WORLD, ierror)
            call MPI_T_pvar_read(session, handle, values, ierror)
            call check(ierror == MPI_SUCCESS .and. all(values /= -1), 'a counter is read')
            if (name == 'communicator_collectives' .and. is_mini) then
                call check(values(1) == 1, 'it has counted')
                call MPI_T_pvar_readreset(session, handle, values, ierror)
                call MPI_T_pvar_read(session, handle, values)
                call check(ierror == MPI_SUCCESS .and. values(1) == 0, 'it is set back')
                call MPI_BARRIER(MPI_COMM_WORLD, ierror)
                call MPI_T_pvar_reset(session, handle, ierror)
                call MPI_T_pvar_stop(session, MPI_T_PVAR_ALL_HANDLES(), ierror)
                call check(ierror == MPI_SUCCESS, 'all are stopped')
                call MPI_BARRIER(MPI_COMM_WORLD, ierror)
                call MPI_T_pvar_read(session, handle, values)
                call check(values(1) == 0, 'a stopped one does not count')
                call MPI_T_pvar_write(session, handle, values, ierror)
                call check(ierror == MPI_T_ERR_PVAR_NO_WRITE .or. ierror == MPI_SUCCESS, 'a write is answered')
            else if (.not. continuous) then
                call MPI_T_pvar_stop(session, handle, ierror)
                call check(ierror == MPI_SUCCESS, 'a counter is stopped')
            end if
            deallocate (values)
            call MPI_T_pvar_handle_free(session, handle, ierror)
            call check(ierror == MPI_SUCCESS .and. handle == MPI_T_PVAR_HANDLE_NULL, 'a handle is freed')
        end do
        call check(counters > 0 .or. .not. is_mini, 'there are counters')
        call check(transfer(MPI_T_PVAR_ALL_HANDLES(), 0_c_intptr_t) == transfer(all_handles_of_c(), 0_c_intptr_t), 'all handles')
        call MPI_T_pvar_session_free(session, ierror)
        call check(ierror == MPI_SUCCESS .and. session == MPI_T_PVAR_SESSION_NULL, 'a session ends')
    end subroutine

    subroutine check_categories()
        integer :: count, i, found, length, desc_length, cvars, pvars, categories, events, before
        integer, allocatable :: indices(:)
        character(len=400) :: name, desc
        call MPI_T_category_get_num(count, ierror)
        call check(ierror == MPI_SUCCESS .and. count > 0, 'there are categories')
        call MPI_T_category_changed(before, ierror)
        call check(ierror == MPI_SUCCESS, 'their number of changes')
        do i = 0, count - 1
            call MPI_T_category_get_info(i, name, length, desc, desc_length, cvars, pvars, categories, ierror)
            if (ierror /= MPI_SUCCESS) cycle
            call check(length == len_trim(name), 'a category has a name')
            call MPI_T_category_get_index(name, found, ierror)
            call check(found == i, 'the name has its index')
            allocate (indices(max(cvars, pvars, categories, 1)), source=-1)
            call MPI_T_category_get_cvars(i, indices(:cvars), ierror)
            call check(ierror == MPI_SUCCESS .and. all(indices(:cvars) >= 0), 'its control variables')
            call MPI_T_category_get_pvars(i, indices(:pvars), ierror)
            call check(ierror == MPI_SUCCESS .and. all(indices(:pvars) >= 0), 'its performance variables')
            call MPI_T_category_get_categories(i, indices(:categories), ierror)
            call check(ierror == MPI_SUCCESS .and. all(indices(:categories) >= 0), 'its categories')
            deallocate (indices)
            call MPI_T_category_get_num_events(i, events, ierror)
            if (ierror == MPI_T_ERR_NOT_SUPPORTED .and. .not. is_mini) cycle
            call check(ierror == MPI_SUCCESS .or. .not. is_mini, 'its events are counted')
            allocate (indices(events), source=-1)
            call MPI_T_category_get_events(i, indices, ierror)
            call check(all(indices >= 0), 'its events')
            deallocate (indices)
        end do
    end subroutine
end program
