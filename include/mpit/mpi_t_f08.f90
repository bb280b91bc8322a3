! SPDX-License-Identifier: BSD-3-Clause
! MPI_T for Fortran 2008: control variables, performance variables, categories and enumerations of any MPI (MPI-5.0, 15.3), by
! iso_c_binding. MPI has this interface for C alone.
!
!   mpifort -c mpi_t_f08.f90        then `use mpi_t_f08` beside `use mpi` or `use mpi_f08`
!
! Procedures and arguments have the names and the order of the C functions, and differ in these:
! * `ierror` is the last argument, and optional. Arguments that C skips if they are null are optional, too.
! * Texts have no null and are padded with blanks. Their length is an output: that of the text, or what the text needs if it is
!   absent.
! * Objects and datatypes are the INTEGER handles of `use mpi`; of mpi_f08 it is comm%MPI_VAL. The argument obj_handle is absent
!   for a variable without an object.
! * The indices of a category are an array, which is filled up to its size.
! * A text that MPI_T_cvar_read and MPI_T_pvar_read store ends with c_null_char.
!
! A module mpi may have the error classes too (Open MPI's has): `use mpi, only: MPI_COMM_WORLD` names what a program takes from it.
! Indices begin with 0, as in C. A thread that may call MPI_T in C may call these procedures, a signal handler may not.
module mpi_t_f08
    use, intrinsic :: iso_c_binding
    use mpi, only: MPI_DATATYPE_NULL
    implicit none
    private

    public :: MPI_T_init_thread, MPI_T_finalize
    public :: MPI_T_enum_get_info, MPI_T_enum_get_item
    public :: MPI_T_cvar_get_num, MPI_T_cvar_get_info, MPI_T_cvar_get_index, MPI_T_cvar_handle_alloc, MPI_T_cvar_handle_free
    public :: MPI_T_cvar_read, MPI_T_cvar_write
    public :: MPI_T_pvar_session_create, MPI_T_pvar_session_free, MPI_T_pvar_get_num, MPI_T_pvar_get_info, &
            MPI_T_pvar_get_index
    public :: MPI_T_pvar_handle_alloc, MPI_T_pvar_handle_free, MPI_T_pvar_start, MPI_T_pvar_stop, MPI_T_pvar_read, &
            MPI_T_pvar_write
    public :: MPI_T_pvar_reset, MPI_T_pvar_readreset, MPI_T_PVAR_ALL_HANDLES
    public :: MPI_T_category_get_num, MPI_T_category_get_info, MPI_T_category_get_num_events, MPI_T_category_get_index
    public :: MPI_T_category_get_cvars, MPI_T_category_get_pvars, MPI_T_category_get_events, MPI_T_category_get_categories
    public :: MPI_T_category_changed
    public :: operator(==), operator(/=)

    ! What C knows by address. Each is null at first.
    type, public, bind(C) :: MPI_T_enum
        type(c_ptr) :: address = c_null_ptr
    end type
    type, public, bind(C) :: MPI_T_cvar_handle
        type(c_ptr) :: address = c_null_ptr
    end type
    type, public, bind(C) :: MPI_T_pvar_session
        type(c_ptr) :: address = c_null_ptr
    end type
    type, public, bind(C) :: MPI_T_pvar_handle
        type(c_ptr) :: address = c_null_ptr
    end type
    type(MPI_T_enum), parameter, public :: MPI_T_ENUM_NULL = MPI_T_enum(c_null_ptr)
    type(MPI_T_cvar_handle), parameter, public :: MPI_T_CVAR_HANDLE_NULL = MPI_T_cvar_handle(c_null_ptr)
    type(MPI_T_pvar_session), parameter, public :: MPI_T_PVAR_SESSION_NULL = MPI_T_pvar_session(c_null_ptr)
    type(MPI_T_pvar_handle), parameter, public :: MPI_T_PVAR_HANDLE_NULL = MPI_T_pvar_handle(c_null_ptr)
    interface operator(==)
        module procedure is_same_enum, is_same_cvar_handle, is_same_session, is_same_pvar_handle
    end interface
    interface operator(/=)
        module procedure is_other_enum, is_other_cvar_handle, is_other_session, is_other_pvar_handle
    end interface

    ! The constants of mpi.h, which differ. The null datatype tells whose they are: 1 in the place of MPICH, of Open MPI or of the
    ! ABI of MPI-5.0.
    integer, parameter :: of(3) = [merge(1, 0, MPI_DATATYPE_NULL == 201326592), merge(1, 0, MPI_DATATYPE_NULL == 0), &
                                   merge(1, 0, MPI_DATATYPE_NULL == 512)]
    logical, parameter :: is_mpich = of(1) == 1

    integer, parameter, public :: MPI_T_ERR_CANNOT_INIT = sum(of * [61, 56, 1001])
    integer, parameter, public :: MPI_T_ERR_NOT_ACCESSIBLE = sum(of * [79, 81, 1002])
    integer, parameter, public :: MPI_T_ERR_NOT_INITIALIZED = sum(of * [60, 55, 1003])
    integer, parameter, public :: MPI_T_ERR_NOT_SUPPORTED = sum(of * [78, 82, 1004])
    integer, parameter, public :: MPI_T_ERR_MEMORY = sum(of * [59, 54, 1005])
    integer, parameter, public :: MPI_T_ERR_INVALID = sum(of * [74, 72, 1006])
    integer, parameter, public :: MPI_T_ERR_INVALID_INDEX = sum(of * [62, 57, 1007])
    integer, parameter, public :: MPI_T_ERR_INVALID_ITEM = sum(of * [63, 58, 1008])
    integer, parameter, public :: MPI_T_ERR_INVALID_SESSION = sum(of * [67, 62, 1009])
    integer, parameter, public :: MPI_T_ERR_INVALID_HANDLE = sum(of * [64, 59, 1010])
    integer, parameter, public :: MPI_T_ERR_INVALID_NAME = sum(of * [73, 73, 1011])
    integer, parameter, public :: MPI_T_ERR_OUT_OF_HANDLES = sum(of * [65, 60, 1012])
    integer, parameter, public :: MPI_T_ERR_OUT_OF_SESSIONS = sum(of * [66, 61, 1013])
    integer, parameter, public :: MPI_T_ERR_CVAR_SET_NOT_NOW = sum(of * [68, 63, 1014])
    integer, parameter, public :: MPI_T_ERR_CVAR_SET_NEVER = sum(of * [69, 64, 1015])
    integer, parameter, public :: MPI_T_ERR_PVAR_NO_WRITE = sum(of * [71, 66, 1016])
    integer, parameter, public :: MPI_T_ERR_PVAR_NO_STARTSTOP = sum(of * [70, 65, 1017])
    integer, parameter, public :: MPI_T_ERR_PVAR_NO_ATOMIC = sum(of * [72, 67, 1018])

    integer, parameter, public :: MPI_T_VERBOSITY_USER_BASIC = sum(of * [221, 0, 9])
    integer, parameter, public :: MPI_T_VERBOSITY_USER_DETAIL = sum(of * [222, 1, 10])
    integer, parameter, public :: MPI_T_VERBOSITY_USER_ALL = sum(of * [223, 2, 12])
    integer, parameter, public :: MPI_T_VERBOSITY_TUNER_BASIC = sum(of * [224, 3, 17])
    integer, parameter, public :: MPI_T_VERBOSITY_TUNER_DETAIL = sum(of * [225, 4, 18])
    integer, parameter, public :: MPI_T_VERBOSITY_TUNER_ALL = sum(of * [226, 5, 20])
    integer, parameter, public :: MPI_T_VERBOSITY_MPIDEV_BASIC = sum(of * [227, 6, 33])
    integer, parameter, public :: MPI_T_VERBOSITY_MPIDEV_DETAIL = sum(of * [228, 7, 34])
    integer, parameter, public :: MPI_T_VERBOSITY_MPIDEV_ALL = sum(of * [229, 8, 36])

    integer, parameter, public :: MPI_T_BIND_NO_OBJECT = sum(of * [9700, 0, 1])
    integer, parameter, public :: MPI_T_BIND_MPI_COMM = MPI_T_BIND_NO_OBJECT + 1
    integer, parameter, public :: MPI_T_BIND_MPI_DATATYPE = MPI_T_BIND_NO_OBJECT + 2
    integer, parameter, public :: MPI_T_BIND_MPI_ERRHANDLER = MPI_T_BIND_NO_OBJECT + 3
    integer, parameter, public :: MPI_T_BIND_MPI_FILE = MPI_T_BIND_NO_OBJECT + 4
    integer, parameter, public :: MPI_T_BIND_MPI_GROUP = MPI_T_BIND_NO_OBJECT + 5
    integer, parameter, public :: MPI_T_BIND_MPI_OP = MPI_T_BIND_NO_OBJECT + 6
    integer, parameter, public :: MPI_T_BIND_MPI_REQUEST = MPI_T_BIND_NO_OBJECT + 7
    integer, parameter, public :: MPI_T_BIND_MPI_WIN = MPI_T_BIND_NO_OBJECT + 8
    integer, parameter, public :: MPI_T_BIND_MPI_MESSAGE = MPI_T_BIND_NO_OBJECT + 9
    integer, parameter, public :: MPI_T_BIND_MPI_INFO = MPI_T_BIND_NO_OBJECT + 10
    integer, parameter, public :: MPI_T_BIND_MPI_SESSION = MPI_T_BIND_NO_OBJECT + 11
    character(len=10), parameter :: kinds(11) = [character(len=10) :: "Comm", "Type", "Errhandler", "File", "Group", "Op", &
            "Request", &
                                                 "Win", "Message", "Info", "Session"]

    integer, parameter, public :: MPI_T_SCOPE_CONSTANT = sum(of * [60438, 0, 1])
    integer, parameter, public :: MPI_T_SCOPE_READONLY = MPI_T_SCOPE_CONSTANT + 1
    integer, parameter, public :: MPI_T_SCOPE_LOCAL = MPI_T_SCOPE_CONSTANT + 2
    integer, parameter, public :: MPI_T_SCOPE_GROUP = MPI_T_SCOPE_CONSTANT + 3
    integer, parameter, public :: MPI_T_SCOPE_GROUP_EQ = MPI_T_SCOPE_CONSTANT + 4
    integer, parameter, public :: MPI_T_SCOPE_ALL = MPI_T_SCOPE_CONSTANT + 5
    integer, parameter, public :: MPI_T_SCOPE_ALL_EQ = MPI_T_SCOPE_CONSTANT + 6

    integer, parameter, public :: MPI_T_PVAR_CLASS_STATE = sum(of * [240, 0, 1])
    integer, parameter, public :: MPI_T_PVAR_CLASS_LEVEL = MPI_T_PVAR_CLASS_STATE + 1
    integer, parameter, public :: MPI_T_PVAR_CLASS_SIZE = MPI_T_PVAR_CLASS_STATE + 2
    integer, parameter, public :: MPI_T_PVAR_CLASS_PERCENTAGE = MPI_T_PVAR_CLASS_STATE + 3
    integer, parameter, public :: MPI_T_PVAR_CLASS_HIGHWATERMARK = MPI_T_PVAR_CLASS_STATE + 4
    integer, parameter, public :: MPI_T_PVAR_CLASS_LOWWATERMARK = MPI_T_PVAR_CLASS_STATE + 5
    integer, parameter, public :: MPI_T_PVAR_CLASS_COUNTER = MPI_T_PVAR_CLASS_STATE + 6
    integer, parameter, public :: MPI_T_PVAR_CLASS_AGGREGATE = MPI_T_PVAR_CLASS_STATE + 7
    integer, parameter, public :: MPI_T_PVAR_CLASS_TIMER = MPI_T_PVAR_CLASS_STATE + 8
    integer, parameter, public :: MPI_T_PVAR_CLASS_GENERIC = MPI_T_PVAR_CLASS_STATE + 9

    ! The functions of C. An address that is c_null_ptr is skipped there.
    interface
        integer(c_int) function c_init_thread(required, provided) bind(C, name="MPI_T_init_thread")
            import
            integer(c_int), value :: required
            integer(c_int) :: provided
        end function
        integer(c_int) function c_finalize() bind(C, name="MPI_T_finalize")
            import
        end function
        integer(c_int) function c_enum_get_info(enumtype, num, name, name_len) bind(C, name="MPI_T_enum_get_info")
            import
            type(MPI_T_enum), value :: enumtype
            type(c_ptr), value :: name
            integer(c_int) :: num, name_len
        end function
        integer(c_int) function c_enum_get_item(enumtype, number, item, name, name_len) bind(C, name="MPI_T_enum_get_item")
            import
            type(MPI_T_enum), value :: enumtype
            integer(c_int), value :: number
            type(c_ptr), value :: name
            integer(c_int) :: item, name_len
        end function
        integer(c_int) function c_cvar_get_info(cvar_index, name, name_len, verbosity, datatype, enumtype, desc, desc_len, &
                bound, scope) bind(C, name="MPI_T_cvar_get_info")
            import
            integer(c_int), value :: cvar_index
            type(c_ptr), value :: name, desc
            integer(c_int) :: name_len, verbosity, desc_len, bound, scope
            integer(c_intptr_t) :: datatype
            type(MPI_T_enum) :: enumtype
        end function
        integer(c_int) function c_cvar_handle_alloc(cvar_index, obj_handle, handle, count) bind(C, &
                name="MPI_T_cvar_handle_alloc")
            import
            integer(c_int), value :: cvar_index
            type(c_ptr), value :: obj_handle
            type(MPI_T_cvar_handle) :: handle
            integer(c_int) :: count
        end function
        integer(c_int) function c_cvar_handle_free(handle) bind(C, name="MPI_T_cvar_handle_free")
            import
            type(MPI_T_cvar_handle) :: handle
        end function
        integer(c_int) function c_pvar_get_info(pvar_index, name, name_len, verbosity, var_class, datatype, enumtype, desc, &
                desc_len, bound, readonly, continuous, atomic) bind(C, name="MPI_T_pvar_get_info")
            import
            integer(c_int), value :: pvar_index
            type(c_ptr), value :: name, desc
            integer(c_int) :: name_len, verbosity, var_class, desc_len, bound, readonly, continuous, atomic
            integer(c_intptr_t) :: datatype
            type(MPI_T_enum) :: enumtype
        end function
        integer(c_int) function c_pvar_get_index(name, var_class, pvar_index) bind(C, name="MPI_T_pvar_get_index")
            import
            character(kind=c_char), intent(in) :: name(*)
            integer(c_int), value :: var_class
            integer(c_int) :: pvar_index
        end function
        integer(c_int) function c_pvar_handle_alloc(session, pvar_index, obj_handle, handle, count) bind(C, &
                name="MPI_T_pvar_handle_alloc")
            import
            type(MPI_T_pvar_session), value :: session
            integer(c_int), value :: pvar_index
            type(c_ptr), value :: obj_handle
            type(MPI_T_pvar_handle) :: handle
            integer(c_int) :: count
        end function
        integer(c_int) function c_pvar_handle_free(session, handle) bind(C, name="MPI_T_pvar_handle_free")
            import
            type(MPI_T_pvar_session), value :: session
            type(MPI_T_pvar_handle) :: handle
        end function
        integer(c_int) function c_category_get_info(cat_index, name, name_len, desc, desc_len, num_cvars, num_pvars, &
                num_categories) bind(C, name="MPI_T_category_get_info")
            import
            integer(c_int), value :: cat_index
            type(c_ptr), value :: name, desc
            integer(c_int) :: name_len, desc_len, num_cvars, num_pvars, num_categories
        end function
        type(c_funptr) function c_dlsym(library, name) bind(C, name="dlsym")
            import
            type(c_ptr), value :: library
            character(kind=c_char), intent(in) :: name(*)
        end function
    end interface
    abstract interface
        integer(c_int) function get_number(num) bind(C)
            import
            integer(c_int) :: num
        end function
        integer(c_int) function get_index(name, cvar_index) bind(C)
            import
            character(kind=c_char), intent(in) :: name(*)
            integer(c_int) :: cvar_index
        end function
        integer(c_int) function access_cvar(handle, buf) bind(C)
            import
            type(MPI_T_cvar_handle), value :: handle
            type(c_ptr), value :: buf
        end function
        integer(c_int) function change_session(session) bind(C)
            import
            type(MPI_T_pvar_session) :: session
        end function
        integer(c_int) function change_handle(session, handle) bind(C)
            import
            type(MPI_T_pvar_session), value :: session
            type(MPI_T_pvar_handle), value :: handle
        end function
        integer(c_int) function access_pvar(session, handle, buf) bind(C)
            import
            type(MPI_T_pvar_session), value :: session
            type(MPI_T_pvar_handle), value :: handle
            type(c_ptr), value :: buf
        end function
        integer(c_int) function to_integer(handle) bind(C)
            import
            integer(c_intptr_t), value :: handle
        end function
        integer(c_intptr_t) function from_integer(number) bind(C)
            import
            integer(c_int), value :: number
        end function
        integer(c_int) function to_count(cat_index, count) bind(C)
            import
            integer(c_int), value :: cat_index
            integer(c_int) :: count
        end function
        integer(c_int) function to_indices(cat_index, length, indices) bind(C)
            import
            integer(c_int), value :: cat_index, length
            integer(c_int) :: indices(*)
        end function
    end interface
    procedure(get_number), bind(C, name="MPI_T_cvar_get_num") :: c_cvar_get_num
    procedure(get_number), bind(C, name="MPI_T_pvar_get_num") :: c_pvar_get_num
    procedure(get_number), bind(C, name="MPI_T_category_get_num") :: c_category_get_num
    procedure(get_number), bind(C, name="MPI_T_category_changed") :: c_category_changed
    procedure(change_session), bind(C, name="MPI_T_pvar_session_create") :: c_pvar_session_create
    procedure(change_session), bind(C, name="MPI_T_pvar_session_free") :: c_pvar_session_free
    procedure(change_handle), bind(C, name="MPI_T_pvar_start") :: c_pvar_start
    procedure(change_handle), bind(C, name="MPI_T_pvar_stop") :: c_pvar_stop
    procedure(change_handle), bind(C, name="MPI_T_pvar_reset") :: c_pvar_reset
    procedure(access_pvar), bind(C, name="MPI_T_pvar_read") :: c_pvar_read
    procedure(access_pvar), bind(C, name="MPI_T_pvar_readreset") :: c_pvar_readreset
    procedure(access_pvar), bind(C, name="MPI_T_pvar_write") :: c_pvar_write
    procedure(access_cvar), bind(C, name="MPI_T_cvar_read") :: c_cvar_read
    procedure(access_cvar), bind(C, name="MPI_T_cvar_write") :: c_cvar_write
    procedure(get_index), bind(C, name="MPI_T_cvar_get_index") :: c_cvar_get_index
    procedure(get_index), bind(C, name="MPI_T_category_get_index") :: c_category_get_index
    procedure(to_indices), bind(C, name="MPI_T_category_get_cvars") :: c_category_get_cvars
    procedure(to_indices), bind(C, name="MPI_T_category_get_pvars") :: c_category_get_pvars
    procedure(to_indices), bind(C, name="MPI_T_category_get_categories") :: c_category_get_categories

contains

    ! The initialization. MPI_T_init_thread may be called before MPI_Init, and as often as MPI_T_finalize is.

    subroutine MPI_T_init_thread(required, provided, ierror)
        integer, intent(in) :: required
        integer, intent(out) :: provided
        integer, optional, intent(out) :: ierror
        integer(c_int) :: c_provided
        call set_ierror(c_init_thread(int(required, c_int), c_provided), ierror)
        provided = c_provided
    end subroutine

    subroutine MPI_T_finalize(ierror)
        integer, optional, intent(out) :: ierror
        call set_ierror(c_finalize(), ierror)
    end subroutine

    ! Enumerations.

    subroutine MPI_T_enum_get_info(enumtype, num, name, name_len, ierror)
        type(MPI_T_enum), intent(in) :: enumtype
        integer, optional, intent(out) :: num, name_len, ierror
        character(len=*), optional, intent(out) :: name
        character(kind=c_char), allocatable, target :: text(:)
        integer(c_int) :: length, count, code
        call allocate_text(text, length, name)
        code = c_enum_get_info(enumtype, count, address_of(text), length)
        if (code == 0) call copy_text(text, length, name, name_len)
        if (code == 0 .and. present(num)) num = count
        call set_ierror(code, ierror)
    end subroutine

    subroutine MPI_T_enum_get_item(enumtype, index, value, name, name_len, ierror)
        type(MPI_T_enum), intent(in) :: enumtype
        integer, intent(in) :: index
        integer, optional, intent(out) :: value, name_len, ierror
        character(len=*), optional, intent(out) :: name
        character(kind=c_char), allocatable, target :: text(:)
        integer(c_int) :: length, item, code
        call allocate_text(text, length, name)
        code = c_enum_get_item(enumtype, int(index, c_int), item, address_of(text), length)
        if (code == 0) call copy_text(text, length, name, name_len)
        if (code == 0 .and. present(value)) value = item
        call set_ierror(code, ierror)
    end subroutine

    ! Control variables.

    subroutine MPI_T_cvar_get_num(num_cvar, ierror)
        integer, intent(out) :: num_cvar
        integer, optional, intent(out) :: ierror
        integer(c_int) :: count
        count = 0
        call set_ierror(c_cvar_get_num(count), ierror)
        num_cvar = count
    end subroutine

    subroutine MPI_T_cvar_get_info(cvar_index, name, name_len, verbosity, datatype, enumtype, desc, desc_len, bind, scope, &
            ierror)
        integer, intent(in) :: cvar_index
        character(len=*), optional, intent(out) :: name, desc
        integer, optional, intent(out) :: name_len, verbosity, datatype, desc_len, bind, scope, ierror
        type(MPI_T_enum), optional, intent(out) :: enumtype
        character(kind=c_char), allocatable, target :: text(:), more(:)
        integer(c_int) :: length, more_length, level, bound, code, c_scope
        integer(c_intptr_t) :: type
        type(MPI_T_enum) :: items
        type = 0
        call allocate_text(text, length, name)
        call allocate_text(more, more_length, desc)
        code = c_cvar_get_info(int(cvar_index, c_int), address_of(text), length, level, type, items, address_of(more), &
                more_length, bound, c_scope)
        if (code == 0) then
            call copy_text(text, length, name, name_len)
            call copy_text(more, more_length, desc, desc_len)
            if (present(verbosity)) verbosity = level
            if (present(datatype)) datatype = datatype_of(type)
            if (present(enumtype)) enumtype = items
            if (present(bind)) bind = bound
            if (present(scope)) scope = c_scope
        end if
        call set_ierror(code, ierror)
    end subroutine

    subroutine MPI_T_cvar_get_index(name, cvar_index, ierror)
        character(len=*), intent(in) :: name
        integer, intent(out) :: cvar_index
        integer, optional, intent(out) :: ierror
        integer(c_int) :: found
        found = -1
        call set_ierror(c_cvar_get_index(null_ended(name), found), ierror)
        cvar_index = found
    end subroutine

    subroutine MPI_T_cvar_handle_alloc(cvar_index, obj_handle, handle, count, ierror)
        integer, intent(in) :: cvar_index
        integer, optional, intent(in) :: obj_handle
        type(MPI_T_cvar_handle), intent(out) :: handle
        integer, optional, intent(out) :: count, ierror
        integer(c_intptr_t), target :: object
        integer(c_int) :: elements, code
        integer :: bound
        bound = 0
        if (present(obj_handle)) call MPI_T_cvar_get_info(cvar_index, bind=bound)
        code = c_cvar_handle_alloc(int(cvar_index, c_int), object_of(object, bound, obj_handle), handle, elements)
        if (code == 0 .and. present(count)) count = elements
        call set_ierror(code, ierror)
    end subroutine

    subroutine MPI_T_cvar_handle_free(handle, ierror)
        type(MPI_T_cvar_handle), intent(inout) :: handle
        integer, optional, intent(out) :: ierror
        call set_ierror(c_cvar_handle_free(handle), ierror)
    end subroutine

    subroutine MPI_T_cvar_read(handle, buf, ierror)
        type(MPI_T_cvar_handle), intent(in) :: handle
        type(*), dimension(..), target :: buf
        integer, optional, intent(out) :: ierror
        call set_ierror(c_cvar_read(handle, c_loc(buf)), ierror)
    end subroutine

    subroutine MPI_T_cvar_write(handle, buf, ierror)
        type(MPI_T_cvar_handle), intent(in) :: handle
        type(*), dimension(..), target, intent(in) :: buf
        integer, optional, intent(out) :: ierror
        call set_ierror(c_cvar_write(handle, c_loc(buf)), ierror)
    end subroutine

    ! Performance variables.

    subroutine MPI_T_pvar_session_create(session, ierror)
        type(MPI_T_pvar_session), intent(out) :: session
        integer, optional, intent(out) :: ierror
        call set_ierror(c_pvar_session_create(session), ierror)
    end subroutine

    subroutine MPI_T_pvar_session_free(session, ierror)
        type(MPI_T_pvar_session), intent(inout) :: session
        integer, optional, intent(out) :: ierror
        call set_ierror(c_pvar_session_free(session), ierror)
    end subroutine

    subroutine MPI_T_pvar_get_num(num_pvar, ierror)
        integer, intent(out) :: num_pvar
        integer, optional, intent(out) :: ierror
        integer(c_int) :: count
        count = 0
        call set_ierror(c_pvar_get_num(count), ierror)
        num_pvar = count
    end subroutine

    subroutine MPI_T_pvar_get_info(pvar_index, name, name_len, verbosity, var_class, datatype, enumtype, desc, desc_len, &
            bind, readonly, continuous, atomic, ierror)
        integer, intent(in) :: pvar_index
        character(len=*), optional, intent(out) :: name, desc
        integer, optional, intent(out) :: name_len, verbosity, var_class, datatype, desc_len, bind, ierror
        logical, optional, intent(out) :: readonly, continuous, atomic
        type(MPI_T_enum), optional, intent(out) :: enumtype
        character(kind=c_char), allocatable, target :: text(:), more(:)
        integer(c_int) :: length, more_length, level, class, bound, is_readonly, is_continuous, is_atomic, code
        integer(c_intptr_t) :: type
        type(MPI_T_enum) :: items
        type = 0
        call allocate_text(text, length, name)
        call allocate_text(more, more_length, desc)
        code = c_pvar_get_info(int(pvar_index, c_int), address_of(text), length, level, class, type, items, &
                address_of(more), more_length, bound, is_readonly, is_continuous, is_atomic)
        if (code == 0) then
            call copy_text(text, length, name, name_len)
            call copy_text(more, more_length, desc, desc_len)
            if (present(verbosity)) verbosity = level
            if (present(var_class)) var_class = class
            if (present(datatype)) datatype = datatype_of(type)
            if (present(enumtype)) enumtype = items
            if (present(bind)) bind = bound
            if (present(readonly)) readonly = is_readonly /= 0
            if (present(continuous)) continuous = is_continuous /= 0
            if (present(atomic)) atomic = is_atomic /= 0
        end if
        call set_ierror(code, ierror)
    end subroutine

    subroutine MPI_T_pvar_get_index(name, var_class, pvar_index, ierror)
        character(len=*), intent(in) :: name
        integer, intent(in) :: var_class
        integer, intent(out) :: pvar_index
        integer, optional, intent(out) :: ierror
        integer(c_int) :: found
        found = -1
        call set_ierror(c_pvar_get_index(null_ended(name), int(var_class, c_int), found), ierror)
        pvar_index = found
    end subroutine

    subroutine MPI_T_pvar_handle_alloc(session, pvar_index, obj_handle, handle, count, ierror)
        type(MPI_T_pvar_session), intent(in) :: session
        integer, intent(in) :: pvar_index
        integer, optional, intent(in) :: obj_handle
        type(MPI_T_pvar_handle), intent(out) :: handle
        integer, optional, intent(out) :: count, ierror
        integer(c_intptr_t), target :: object
        integer(c_int) :: elements, code
        integer :: bound
        bound = 0
        if (present(obj_handle)) call MPI_T_pvar_get_info(pvar_index, bind=bound)
        code = c_pvar_handle_alloc(session, int(pvar_index, c_int), object_of(object, bound, obj_handle), handle, elements)
        if (code == 0 .and. present(count)) count = elements
        call set_ierror(code, ierror)
    end subroutine

    subroutine MPI_T_pvar_handle_free(session, handle, ierror)
        type(MPI_T_pvar_session), intent(in) :: session
        type(MPI_T_pvar_handle), intent(inout) :: handle
        integer, optional, intent(out) :: ierror
        call set_ierror(c_pvar_handle_free(session, handle), ierror)
    end subroutine

    subroutine MPI_T_pvar_start(session, handle, ierror)
        type(MPI_T_pvar_session), intent(in) :: session
        type(MPI_T_pvar_handle), intent(in) :: handle
        integer, optional, intent(out) :: ierror
        call set_ierror(c_pvar_start(session, handle), ierror)
    end subroutine

    subroutine MPI_T_pvar_stop(session, handle, ierror)
        type(MPI_T_pvar_session), intent(in) :: session
        type(MPI_T_pvar_handle), intent(in) :: handle
        integer, optional, intent(out) :: ierror
        call set_ierror(c_pvar_stop(session, handle), ierror)
    end subroutine

    subroutine MPI_T_pvar_read(session, handle, buf, ierror)
        type(MPI_T_pvar_session), intent(in) :: session
        type(MPI_T_pvar_handle), intent(in) :: handle
        type(*), dimension(..), target :: buf
        integer, optional, intent(out) :: ierror
        call set_ierror(c_pvar_read(session, handle, c_loc(buf)), ierror)
    end subroutine

    subroutine MPI_T_pvar_write(session, handle, buf, ierror)
        type(MPI_T_pvar_session), intent(in) :: session
        type(MPI_T_pvar_handle), intent(in) :: handle
        type(*), dimension(..), target, intent(in) :: buf
        integer, optional, intent(out) :: ierror
        call set_ierror(c_pvar_write(session, handle, c_loc(buf)), ierror)
    end subroutine

    subroutine MPI_T_pvar_reset(session, handle, ierror)
        type(MPI_T_pvar_session), intent(in) :: session
        type(MPI_T_pvar_handle), intent(in) :: handle
        integer, optional, intent(out) :: ierror
        call set_ierror(c_pvar_reset(session, handle), ierror)
    end subroutine

    subroutine MPI_T_pvar_readreset(session, handle, buf, ierror)
        type(MPI_T_pvar_session), intent(in) :: session
        type(MPI_T_pvar_handle), intent(in) :: handle
        type(*), dimension(..), target :: buf
        integer, optional, intent(out) :: ierror
        call set_ierror(c_pvar_readreset(session, handle, c_loc(buf)), ierror)
    end subroutine

    ! The handle that stands for all handles of a session: a variable of MPICH's library, and a number elsewhere.
    type(MPI_T_pvar_handle) function MPI_T_PVAR_ALL_HANDLES() result(all)
        type(c_funptr) :: place
        type(c_ptr), pointer :: stored
        integer(c_intptr_t), parameter :: number = sum(of * [0, -1, 1])
        all%address = transfer(number, c_null_ptr)
        if (.not. is_mpich) return
        place = symbol("MPI_T_PVAR_ALL_HANDLES")
        if (.not. c_associated(place)) return
        call c_f_pointer(transfer(place, c_null_ptr), stored)
        all%address = stored
    end function

    ! Categories.

    subroutine MPI_T_category_get_num(num_cat, ierror)
        integer, intent(out) :: num_cat
        integer, optional, intent(out) :: ierror
        integer(c_int) :: count
        count = 0
        call set_ierror(c_category_get_num(count), ierror)
        num_cat = count
    end subroutine

    subroutine MPI_T_category_get_info(cat_index, name, name_len, desc, desc_len, num_cvars, num_pvars, num_categories, &
            ierror)
        integer, intent(in) :: cat_index
        character(len=*), optional, intent(out) :: name, desc
        integer, optional, intent(out) :: name_len, desc_len, num_cvars, num_pvars, num_categories, ierror
        character(kind=c_char), allocatable, target :: text(:), more(:)
        integer(c_int) :: length, more_length, cvars, pvars, categories, code
        call allocate_text(text, length, name)
        call allocate_text(more, more_length, desc)
        code = c_category_get_info(int(cat_index, c_int), address_of(text), length, address_of(more), more_length, cvars, &
                pvars, categories)
        if (code == 0) then
            call copy_text(text, length, name, name_len)
            call copy_text(more, more_length, desc, desc_len)
            if (present(num_cvars)) num_cvars = cvars
            if (present(num_pvars)) num_pvars = pvars
            if (present(num_categories)) num_categories = categories
        end if
        call set_ierror(code, ierror)
    end subroutine

    subroutine MPI_T_category_get_index(name, cat_index, ierror)
        character(len=*), intent(in) :: name
        integer, intent(out) :: cat_index
        integer, optional, intent(out) :: ierror
        integer(c_int) :: found
        found = -1
        call set_ierror(c_category_get_index(null_ended(name), found), ierror)
        cat_index = found
    end subroutine

    subroutine MPI_T_category_get_cvars(cat_index, indices, ierror)
        integer, intent(in) :: cat_index
        integer, contiguous, intent(out) :: indices(:)
        integer, optional, intent(out) :: ierror
        call set_ierror(c_category_get_cvars(int(cat_index, c_int), size(indices, kind=c_int), indices), ierror)
    end subroutine

    subroutine MPI_T_category_get_pvars(cat_index, indices, ierror)
        integer, intent(in) :: cat_index
        integer, contiguous, intent(out) :: indices(:)
        integer, optional, intent(out) :: ierror
        call set_ierror(c_category_get_pvars(int(cat_index, c_int), size(indices, kind=c_int), indices), ierror)
    end subroutine

    subroutine MPI_T_category_get_categories(cat_index, indices, ierror)
        integer, intent(in) :: cat_index
        integer, contiguous, intent(out) :: indices(:)
        integer, optional, intent(out) :: ierror
        call set_ierror(c_category_get_categories(int(cat_index, c_int), size(indices, kind=c_int), indices), ierror)
    end subroutine

    ! Of MPI-4.0: without events the answer is MPI_T_ERR_NOT_SUPPORTED.

    subroutine MPI_T_category_get_num_events(cat_index, num_events, ierror)
        integer, intent(in) :: cat_index
        integer, intent(out) :: num_events
        integer, optional, intent(out) :: ierror
        procedure(to_count), pointer :: function
        type(c_funptr) :: found
        integer(c_int) :: count, code
        count = 0
        code = int(MPI_T_ERR_NOT_SUPPORTED, c_int)
        found = symbol("MPI_T_category_get_num_events")
        if (c_associated(found)) then
            call c_f_procpointer(found, function)
            code = function(int(cat_index, c_int), count)
        end if
        num_events = count
        call set_ierror(code, ierror)
    end subroutine

    subroutine MPI_T_category_get_events(cat_index, indices, ierror)
        integer, intent(in) :: cat_index
        integer, contiguous, intent(out) :: indices(:)
        integer, optional, intent(out) :: ierror
        procedure(to_indices), pointer :: function
        type(c_funptr) :: found
        integer(c_int) :: code
        code = int(MPI_T_ERR_NOT_SUPPORTED, c_int)
        found = symbol("MPI_T_category_get_events")
        if (c_associated(found)) then
            call c_f_procpointer(found, function)
            code = function(int(cat_index, c_int), size(indices, kind=c_int), indices)
        end if
        call set_ierror(code, ierror)
    end subroutine

    subroutine MPI_T_category_changed(update_number, ierror)
        integer, intent(out) :: update_number
        integer, optional, intent(out) :: ierror
        integer(c_int) :: number
        number = 0
        call set_ierror(c_category_changed(number), ierror)
        update_number = number
    end subroutine

    ! Comparisons.

    elemental logical function is_same_enum(a, b)
        type(MPI_T_enum), intent(in) :: a, b
        is_same_enum = transfer(a, 0_c_intptr_t) == transfer(b, 0_c_intptr_t)
    end function
    elemental logical function is_other_enum(a, b)
        type(MPI_T_enum), intent(in) :: a, b
        is_other_enum = .not. is_same_enum(a, b)
    end function
    elemental logical function is_same_cvar_handle(a, b)
        type(MPI_T_cvar_handle), intent(in) :: a, b
        is_same_cvar_handle = transfer(a, 0_c_intptr_t) == transfer(b, 0_c_intptr_t)
    end function
    elemental logical function is_other_cvar_handle(a, b)
        type(MPI_T_cvar_handle), intent(in) :: a, b
        is_other_cvar_handle = .not. is_same_cvar_handle(a, b)
    end function
    elemental logical function is_same_session(a, b)
        type(MPI_T_pvar_session), intent(in) :: a, b
        is_same_session = transfer(a, 0_c_intptr_t) == transfer(b, 0_c_intptr_t)
    end function
    elemental logical function is_other_session(a, b)
        type(MPI_T_pvar_session), intent(in) :: a, b
        is_other_session = .not. is_same_session(a, b)
    end function
    elemental logical function is_same_pvar_handle(a, b)
        type(MPI_T_pvar_handle), intent(in) :: a, b
        is_same_pvar_handle = transfer(a, 0_c_intptr_t) == transfer(b, 0_c_intptr_t)
    end function
    elemental logical function is_other_pvar_handle(a, b)
        type(MPI_T_pvar_handle), intent(in) :: a, b
        is_other_pvar_handle = .not. is_same_pvar_handle(a, b)
    end function

    ! Between Fortran and C.

    subroutine set_ierror(code, ierror)
        integer(c_int), intent(in) :: code
        integer, optional, intent(out) :: ierror
        if (present(ierror)) ierror = code
    end subroutine

    ! Room for a text with its null, or none if nobody wants it: then C says the length.
    subroutine allocate_text(text, length, wanted)
        character(kind=c_char), allocatable, intent(out) :: text(:)
        integer(c_int), intent(out) :: length
        character(len=*), optional, intent(in) :: wanted
        length = 0
        if (present(wanted)) length = len(wanted, kind=c_int) + 1
        allocate (text(length))
    end subroutine

    type(c_ptr) function address_of(text)
        character(kind=c_char), target, intent(in) :: text(:)
        address_of = c_null_ptr
        if (size(text) > 0) address_of = c_loc(text)
    end function

    ! What C has stored, without its null and with blanks; the length of C counts the null.
    subroutine copy_text(text, length, name, name_len)
        character(kind=c_char), intent(in) :: text(:)
        integer(c_int), intent(in) :: length
        character(len=*), optional, intent(out) :: name
        integer, optional, intent(out) :: name_len
        integer :: i
        if (.not. present(name)) then
            if (present(name_len)) name_len = max(length - 1, 0)
            return
        end if
        name = ""
        do i = 1, len(name)
            if (text(i) == c_null_char) exit
            name(i:i) = text(i)
        end do
        if (present(name_len)) name_len = i - 1
    end subroutine

    function null_ended(name) result(text)
        character(len=*), intent(in) :: name
        character(kind=c_char) :: text(len_trim(name) + 1)
        integer :: i
        do i = 1, len_trim(name)
            text(i) = name(i:i)
        end do
        text(size(text)) = c_null_char
    end function

    ! A function or variable of the MPI of this program, by the first name that it has; null if it has none.
    type(c_funptr) function symbol(name, other_name)
        character(len=*), intent(in) :: name
        character(len=*), optional, intent(in) :: other_name
        symbol = c_dlsym(c_null_ptr, null_ended(name))
        if (present(other_name) .and. .not. c_associated(symbol)) symbol = c_dlsym(c_null_ptr, null_ended(other_name))
    end function

    ! The INTEGER of a datatype of C, which is that integer in MPICH.
    integer function datatype_of(type)
        integer(c_intptr_t), intent(in) :: type
        procedure(to_integer), pointer :: function
        type(c_funptr) :: found
        datatype_of = transfer(type, 0_c_int)
        if (is_mpich) return
        found = symbol("MPI_Type_c2f", "MPI_Type_toint")
        if (.not. c_associated(found)) return
        call c_f_procpointer(found, function)
        datatype_of = function(type)
    end function

    ! The address of an object's handle in C, which is stored in `object`; c_null_ptr without an object.
    type(c_ptr) function object_of(object, bound, obj_handle)
        integer(c_intptr_t), target, intent(out) :: object
        integer, intent(in) :: bound
        integer, optional, intent(in) :: obj_handle
        procedure(from_integer), pointer :: function
        character(len=:), allocatable :: kind
        type(c_funptr) :: found
        object = 0
        object_of = c_null_ptr
        if (.not. present(obj_handle) .or. bound <= MPI_T_BIND_NO_OBJECT .or. bound > MPI_T_BIND_MPI_SESSION) return
        object_of = c_loc(object)
        object = transfer([int(obj_handle, c_int), 0_c_int], object)
        if (is_mpich) return
        kind = trim(kinds(bound - MPI_T_BIND_NO_OBJECT))
        found = symbol("MPI_" // kind // "_f2c", "MPI_" // kind // "_fromint")
        if (.not. c_associated(found)) return
        call c_f_procpointer(found, function)
        object = function(int(obj_handle, c_int))
    end function
end module
