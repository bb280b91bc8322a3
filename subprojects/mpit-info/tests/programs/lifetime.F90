! Starts an MPI in Fortran and ends it: `lifetime-f08-mpich world|thread|session [7]`. The module is mpi_f08, or mpi where MODULE says
! so. The exit status is 0, or 7 if the arguments say so.
#ifndef MODULE
#define MODULE mpi_f08
#endif
program lifetime
    use MODULE
    implicit none
    character(len=16) :: how, status
    integer :: rank, provided
#ifdef WITH_SESSIONS
    type(MPI_Session) :: one
#endif
#ifdef NEEDS_ERROR
    integer :: ierror
#define ERROR , ierror
#define ONLY_ERROR ierror
#else
#define ERROR
#define ONLY_ERROR
#endif

    call get_command_argument(1, how)
    call get_command_argument(2, status)
    select case (how)
    case ('world')
        call MPI_Init(ONLY_ERROR)
    case ('thread')
        call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided ERROR)
#ifdef WITH_SESSIONS
    case ('session')
        call MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, one)
        print '(a)', 'session'
        call flush(6)
        call MPI_Session_finalize(one)
        if (status == '7') stop 7
        stop
#endif
    case default
        stop 2
    end select
    call MPI_Comm_rank(MPI_COMM_WORLD, rank ERROR)
    print '(a, i0)', 'rank ', rank
    call flush(6)
    call MPI_Finalize(ONLY_ERROR)
    if (status == '7') stop 7
end program lifetime
