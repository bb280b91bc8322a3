! Calls functions of an MPI from Fortran, each a number of times that is known. The macro MODULE is mpi_f08 or mpi; without it, mpif.h is
! included.
program calls
#ifdef MODULE
    use MODULE
#endif
    implicit none
#ifndef MODULE
    include 'mpif.h'
#endif
    integer :: rank, size, i, ierror
    double precision :: given(100), taken(100)
#ifdef WITH_TYPES
    type(MPI_Request) :: requests(2)
#else
    integer :: requests(2)
#endif
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
    given = rank
    do i = 1, 10
        call MPI_Irecv(taken, 100, MPI_DOUBLE_PRECISION, mod(rank + size - 1, size), 0, MPI_COMM_WORLD, requests(1), ierror)
        call MPI_Isend(given, 100, MPI_DOUBLE_PRECISION, mod(rank + 1, size), 0, MPI_COMM_WORLD, requests(2), ierror)
        call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
        call MPI_Barrier(MPI_COMM_WORLD, ierror)
    end do
    call MPI_Finalize(ierror)
end program
