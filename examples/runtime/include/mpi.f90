! `use mpi` of the miniature runtime: the constants and procedures of mpif.h.
module mpi
    implicit none
    include 'mpif.h'
end module
