! A program of two languages: Fortran sets names and hints that C reads, and C sets some that Fortran reads, each by the
! miniature runtime's own functions. It prints what it has seen, and stops with an error after the first thing that is wrong.
program names_and_hints
    use checks
    use, intrinsic :: iso_c_binding, only: c_char, c_int, c_null_char
    use, intrinsic :: iso_fortran_env, only: output_unit
    implicit none
    include 'mpif.h'

    ! What the part in C does, with INTEGERs as handles.
    interface
        subroutine begin_in_c(comm, win) bind(c)
            import :: c_int
            integer(c_int), intent(out) :: comm, win
        end subroutine begin_in_c
        subroutine name_objects_in_c(comm, datatype, win, name) bind(c)
            import :: c_char, c_int
            integer(c_int), value :: comm, datatype, win
            character(kind=c_char), intent(in) :: name(*)
        end subroutine name_objects_in_c
        function names_in_c_are(comm, datatype, win, name) bind(c) result(are)
            import :: c_char, c_int
            integer(c_int), value :: comm, datatype, win
            character(kind=c_char), intent(in) :: name(*)
            integer(c_int) :: are
        end function names_in_c_are
        function hints_from_c() bind(c) result(info)
            import :: c_int
            integer(c_int) :: info
        end function hints_from_c
        function hint_in_c_is(info, key, value) bind(c) result(is)
            import :: c_char, c_int
            integer(c_int), value :: info
            character(kind=c_char), intent(in) :: key(*), value(*)
            integer(c_int) :: is
        end function hint_in_c_is
        function mistakes_in_c(comm, win) bind(c) result(mistakes)
            import :: c_int
            integer(c_int), value :: comm, win
            integer(c_int) :: mistakes
        end function mistakes_in_c
    end interface

    integer :: comm, win, ierror

    call begin_in_c(comm, win)
    call name_from_here('halo exchange', 'halo exchange')
    call name_from_here('  halo exchange      ', '  halo exchange')
    call name_from_here('', '')
    call name_from_here(repeat(' ', 300), '')
    call name_from_here(repeat('n', 300), repeat('n', MPI_MAX_OBJECT_NAME))
    call name_in_c('ghost cells')
    call name_in_c('   ghost cells')
    call name_in_c('')
    call name_in_c(repeat('m', MPI_MAX_OBJECT_NAME))
    call read_names_of_constants()
    call set_hints_here()
    call read_hints_of_c()
    call refuse()
    call check(mistakes_in_c(comm, win) == 0, 'what C has checked')
    print '(a)', 'both languages agree'

contains

    ! Both parts print, each through a buffer of its own.
    subroutine say(what)
        character(*), intent(in) :: what
        print '(a)', what
        flush (output_unit)
    end subroutine say

    subroutine name_from_here(name, kept)
        character(*), intent(in) :: name, kept
        call mpi_comm_set_name(comm, name, ierror)
        call check(ierror == MPI_SUCCESS, 'MPI_COMM_SET_NAME')
        call mpi_type_set_name(MPI_DOUBLE_PRECISION, name, ierror)
        call check(ierror == MPI_SUCCESS, 'MPI_TYPE_SET_NAME')
        call mpi_win_set_name(win, name, ierror)
        call check(ierror == MPI_SUCCESS, 'MPI_WIN_SET_NAME')
        call say('Fortran names three objects "'//name//'"')
        call check(names_in_c_are(comm, MPI_DOUBLE_PRECISION, win, kept//c_null_char) == 1, 'names in C')
        call read_names(kept)
    end subroutine name_from_here

    subroutine name_in_c(name)
        character(*), intent(in) :: name
        call name_objects_in_c(comm, MPI_DOUBLE_PRECISION, win, name//c_null_char)
        call read_names(name)
        call say('Fortran reads "'//name//'"')
    end subroutine name_in_c

    ! Into variables that are too short, just as long and longer.
    subroutine read_names(expected)
        character(*), intent(in) :: expected
        integer :: length
        character(5) :: short
        character(MPI_MAX_OBJECT_NAME) :: fitting
        character(200) :: long
        call mpi_comm_get_name(comm, short, length, ierror)
        call check(ierror == MPI_SUCCESS .and. short == expected(:min(5, len(expected))), 'a name that is cut')
        call check(length == min(5, len(expected)), 'the length of a name that is cut')
        call mpi_comm_get_name(comm, fitting, length, ierror)
        call check(ierror == MPI_SUCCESS .and. fitting == expected, 'MPI_COMM_GET_NAME')
        call check(length == len(expected), 'the length of a name')
        call mpi_type_get_name(MPI_DOUBLE_PRECISION, long, length, ierror)
        call check(ierror == MPI_SUCCESS .and. long == expected .and. length == len(expected), 'MPI_TYPE_GET_NAME')
        call mpi_win_get_name(win, long, length, ierror)
        call check(ierror == MPI_SUCCESS .and. long == expected .and. length == len(expected), 'MPI_WIN_GET_NAME')
        call pmpi_win_get_name(win, short, length, ierror)
        call check(ierror == MPI_SUCCESS .and. short == expected(:min(5, len(expected))), 'PMPI_WIN_GET_NAME')
    end subroutine read_names

    subroutine read_names_of_constants()
        integer :: length
        character(MPI_MAX_OBJECT_NAME) :: name
        call mpi_comm_get_name(MPI_COMM_WORLD, name, length, ierror)
        call check(ierror == MPI_SUCCESS .and. name(:length) == 'MPI_COMM_WORLD', 'the name of MPI_COMM_WORLD')
        call mpi_comm_get_name(MPI_COMM_NULL, name, length, ierror)
        call check(ierror == MPI_SUCCESS .and. name(:length) == 'MPI_COMM_NULL', 'the name of MPI_COMM_NULL')
        call mpi_type_get_name(MPI_INTEGER, name, length, ierror)
        call check(ierror == MPI_SUCCESS .and. name(:length) == 'MPI_INTEGER', 'the name of MPI_INTEGER')
        call mpi_win_get_name(MPI_WIN_NULL, name, length, ierror)
        call check(ierror == MPI_SUCCESS .and. name(:length) == 'MPI_WIN_NULL', 'the name of MPI_WIN_NULL')
        call say('Fortran reads MPI_COMM_WORLD, MPI_COMM_NULL, MPI_INTEGER and MPI_WIN_NULL')
    end subroutine read_names_of_constants

    subroutine set_hints_here()
        integer :: info, copy, nkeys
        call mpi_info_create(info, ierror)
        call check(ierror == MPI_SUCCESS, 'MPI_INFO_CREATE')
        call mpi_info_set(info, '  hosts ', '  a, b  ', ierror)
        call check(ierror == MPI_SUCCESS, 'MPI_INFO_SET')
        call mpi_info_set(info, 'empty', '', ierror)
        call mpi_info_set(info, 'gone', 'soon', ierror)
        call mpi_info_delete(info, ' gone', ierror)
        call check(ierror == MPI_SUCCESS, 'MPI_INFO_DELETE')
        call mpi_info_get_nkeys(info, nkeys, ierror)
        call check(ierror == MPI_SUCCESS .and. nkeys == 2, 'MPI_INFO_GET_NKEYS')
        call say('Fortran sets "  hosts " to "  a, b  "')
        call check(hint_in_c_is(info, 'hosts'//c_null_char, 'a, b'//c_null_char) == 1, 'a hint in C')
        call check(hint_in_c_is(info, 'empty'//c_null_char, c_null_char) == 1, 'an empty hint in C')
        call mpi_info_dup(info, copy, ierror)
        call check(ierror == MPI_SUCCESS .and. copy /= info, 'MPI_INFO_DUP')
        call mpi_info_free(info, ierror)
        call check(ierror == MPI_SUCCESS .and. info == MPI_INFO_NULL, 'MPI_INFO_FREE')
        call check(hint_in_c_is(copy, 'hosts'//c_null_char, 'a, b'//c_null_char) == 1, 'a hint of a copy in C')
        call mpi_info_free(copy, ierror)
    end subroutine set_hints_here

    subroutine read_hints_of_c()
        integer :: info, length
        logical :: flag
        character(3) :: short
        character(20) :: key, value
        info = hints_from_c()
        call mpi_info_get_nthkey(info, 0, key, ierror)
        call check(ierror == MPI_SUCCESS .and. key == 'buffer_size', 'MPI_INFO_GET_NTHKEY')
        call mpi_info_get_valuelen(info, key, length, flag, ierror)
        call check(ierror == MPI_SUCCESS .and. flag .and. length == 7, 'MPI_INFO_GET_VALUELEN')
        call mpi_info_get(info, key, 3, value, flag, ierror)
        call check(ierror == MPI_SUCCESS .and. flag .and. value == '104', 'MPI_INFO_GET')
        length = len(value)
        call mpi_info_get_string(info, ' buffer_size', length, value, flag, ierror)
        call check(ierror == MPI_SUCCESS .and. flag .and. length == 7 .and. value == '1048576', 'MPI_INFO_GET_STRING')
        call say('Fortran reads "'//value//'" for "'//key//'"')
        length = len(short)
        call mpi_info_get_string(info, key, length, short, flag, ierror)
        call check(flag .and. length == 7 .and. short == '104', 'a value that is cut')
        length = 0
        call mpi_info_get_string(info, key, length, short, flag, ierror)
        call check(flag .and. length == 7 .and. short == '104', 'the length of a value')
        length = len(value)
        call mpi_info_get_string(info, 'no such key', length, value, flag, ierror)
        call check(ierror == MPI_SUCCESS .and. .not. flag .and. value == '1048576', 'a key that is not there')
        call mpi_info_get_valuelen(info, 'no such key', length, flag, ierror)
        call check(ierror == MPI_SUCCESS .and. .not. flag, 'the length of a key that is not there')
        call mpi_info_free(info, ierror)
        call check(ierror == MPI_SUCCESS, 'MPI_INFO_FREE of what C has made')
        call mpi_info_create_env(info, ierror)
        call check(ierror == MPI_SUCCESS, 'MPI_INFO_CREATE_ENV')
        call mpi_info_get_valuelen(info, 'wdir', length, flag, ierror)
        call check(flag .and. length > 0, 'the working directory')
        call mpi_info_free(info, ierror)
        call mpi_info_get_valuelen(MPI_INFO_ENV, 'wdir', length, flag, ierror)
        call check(ierror == MPI_SUCCESS .and. flag .and. length > 0, 'MPI_INFO_ENV')
    end subroutine read_hints_of_c

    subroutine refuse()
        integer :: info, freed, length
        character(20) :: name
        call mpi_info_create(info, ierror)
        freed = info
        call mpi_info_free(info, ierror)
        call mpi_info_create(info, ierror)
        call mpi_info_set(freed, 'key', 'value', ierror)
        call check(ierror == MPI_ERR_INFO, 'an INTEGER whose object is freed')
        call mpi_info_set(MPI_INFO_NULL, 'key', 'value', ierror)
        call check(ierror == MPI_ERR_INFO, 'MPI_INFO_NULL')
        call mpi_info_set(info, '', 'value', ierror)
        call check(ierror == MPI_ERR_INFO_KEY, 'an empty key')
        call mpi_info_delete(info, 'no such key', ierror)
        call check(ierror == MPI_ERR_INFO_NOKEY, 'a key that is not there')
        call mpi_info_free(info, ierror)
        call mpi_comm_get_name(12345678, name, length, ierror)
        call check(ierror == MPI_ERR_COMM .and. name == '' .and. length == 0, 'an INTEGER of no communicator')
        call mpi_type_set_name(-1, 'nobody', ierror)
        call check(ierror == MPI_ERR_TYPE, 'an INTEGER of no datatype')
        call mpi_win_set_name(MPI_WIN_NULL, 'nobody', ierror)
        call check(ierror == MPI_ERR_WIN, 'MPI_WIN_NULL')
        call say('Fortran is refused what C is refused')
    end subroutine refuse

end program names_and_hints
