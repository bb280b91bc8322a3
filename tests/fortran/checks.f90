! What the programs of this folder share: `call check(count == 1, 'one is counted')` stops with an error if it is not so.
module checks
    implicit none

contains

    subroutine check(holds, what)
        logical, intent(in) :: holds
        character(len=*), intent(in) :: what
        if (holds) return
        print '(2a)', 'not so: ', what
        error stop 1
    end subroutine
end module
