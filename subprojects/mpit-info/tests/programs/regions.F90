! Names regions by MPI_Pcontrol from Fortran: by number, and where the compiler lets it by a name with char(0). The macro MODULE is
! mpi_f08 or mpi; without it, mpif.h is included.
program regions
#ifdef MODULE
    use MODULE
#endif
    implicit none
#ifndef MODULE
    include 'mpif.h'
#endif
    integer :: i, ierror
    call MPI_Init(ierror)
    do i = 1, 3
        call MPI_Pcontrol(10)
        call MPI_Barrier(MPI_COMM_WORLD, ierror)
        call MPI_Pcontrol(11)
        call MPI_Barrier(MPI_COMM_WORLD, ierror)
        call MPI_Pcontrol(-11)
        call MPI_Pcontrol(-10)
    end do
    ! Of the standard: off and on.
    call MPI_Pcontrol(0)
    call MPI_Pcontrol(1)
#ifndef MODULE
    call MPI_Pcontrol(1, 'halo'//char(0))
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call MPI_Pcontrol(-1, 'halo'//char(0))
#endif
    call MPI_Finalize(ierror)
end program
