! A program in Fortran alone over the miniature runtime: it begins and ends MPI, duplicates a communicator, and gives it a name and
! hints. It stops with an error after the first thing that is wrong.
program alone
    use checks
    implicit none
    include 'mpif.h'

    integer :: comm, info, rank, size, length, count, ierror
    logical :: flag
    character(len=MPI_MAX_OBJECT_NAME) :: name
    character(len=8) :: value

    call MPI_INITIALIZED(flag, ierror)
    call check(.not. flag .and. ierror == MPI_SUCCESS, 'MPI has not begun')
    call MPI_INIT(ierror)
    call check(ierror == MPI_SUCCESS, 'MPI begins')
    call MPI_INITIALIZED(flag, ierror)
    call check(flag, 'MPI has begun')
    call MPI_COMM_SET_ERRHANDLER(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierror)
    call check(ierror == MPI_SUCCESS, 'errors are returned')
    call MPI_COMM_SET_ERRHANDLER(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierror)

    call PMPI_COMM_RANK(MPI_COMM_WORLD, rank, ierror)
    call check(rank == 0 .and. ierror == MPI_SUCCESS, 'the rank is 0')
    call MPI_COMM_SIZE(MPI_COMM_SELF, size, ierror)
    call check(size == 1 .and. ierror == MPI_SUCCESS, 'the size is 1')

    call MPI_COMM_DUP(MPI_COMM_WORLD, comm, ierror)
    call check(comm /= MPI_COMM_WORLD .and. ierror == MPI_SUCCESS, 'the duplicate is another one')
    call MPI_COMM_GET_NAME(comm, name, length, ierror)
    call check(length == 0 .and. name == '', 'the duplicate has no name')
    call MPI_COMM_SET_NAME(comm, 'halo exchange  ', ierror)
    call check(ierror == MPI_SUCCESS, 'the duplicate is named')
    call MPI_COMM_GET_NAME(comm, name, length, ierror)
    call check(length == 13 .and. name == 'halo exchange', 'the name is as it was set')

    call MPI_INFO_CREATE(info, ierror)
    call MPI_INFO_SET(info, ' buffers ', ' 8 ', ierror)
    call check(ierror == MPI_SUCCESS, 'a hint is set')
    call MPI_INFO_GET(info, 'buffers', 8, value, flag, ierror)
    call check(flag .and. value == '8', 'the hint is as it was set')
    call MPI_INFO_FREE(info, ierror)
    call check(info == MPI_INFO_NULL, 'the hints are freed')

    count = comm
    call MPI_COMM_FREE(comm, ierror)
    call check(comm == MPI_COMM_NULL .and. ierror == MPI_SUCCESS, 'the duplicate is freed')
    call MPI_COMM_DUP(count, comm, ierror)
    call check(comm == MPI_COMM_NULL .and. ierror == MPI_ERR_COMM, 'what was freed has no duplicate')

    call MPI_FINALIZE(ierror)
    call check(ierror == MPI_SUCCESS, 'MPI ends')
    call MPI_FINALIZED(flag, ierror)
    call check(flag, 'MPI has ended')
    print '(a)', 'Fortran needs nothing else'
end program alone
