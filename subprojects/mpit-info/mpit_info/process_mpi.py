"""The functions MPI_T_* of this process, by ctypes: `mpi = ProcessMPI(loaded()); code = mpi.call("cvar_get_num", byref(count))`.

The values of constants are those of the binary interface: of MPICH and its derivatives, of Open MPI, or of MPI-5.0, which
libraries with mpit have in a process without an MPI. A call keeps the lock of Python, so that only one runs at a time.
"""

import ctypes
import os
import re

from mpit_info import words

# The return codes MPI_T_ERR_*, in the order of their values from 1001 on in MPI-5.0.
REASONS = {
    "CANNOT_INIT": "the tool interface cannot be initialized",
    "NOT_ACCESSIBLE": "it is not accessible",
    "NOT_INITIALIZED": "the tool interface is not initialized",
    "NOT_SUPPORTED": "the call is not supported",
    "MEMORY": "memory is exhausted",
    "INVALID": "the value or the call is not valid",
    "INVALID_INDEX": "its library does not have it, or is not loaded any more",
    "INVALID_ITEM": "the enumeration has no such item",
    "INVALID_SESSION": "the session is not valid",
    "INVALID_HANDLE": "its object or library does not exist any more",
    "INVALID_NAME": "there is no such name",
    "OUT_OF_HANDLES": "no more handles can be allocated",
    "OUT_OF_SESSIONS": "no more sessions can be created",
    "CVAR_SET_NOT_NOW": "it cannot be set at this time",
    "CVAR_SET_NEVER": "it cannot be set",
    "PVAR_NO_WRITE": "it cannot be written or reset",
    "PVAR_NO_STARTSTOP": "it cannot be started or stopped",
    "PVAR_NO_ATOMIC": "it cannot be read and reset in one step",
}
# The order in the interfaces of MPICH and of Open MPI.
OLDER = ["MEMORY", "NOT_INITIALIZED", "CANNOT_INIT", "INVALID_INDEX", "INVALID_ITEM", "INVALID_HANDLE", "OUT_OF_HANDLES",
         "OUT_OF_SESSIONS", "INVALID_SESSION", "CVAR_SET_NOT_NOW", "CVAR_SET_NEVER", "PVAR_NO_STARTSTOP", "PVAR_NO_WRITE",
         "PVAR_NO_ATOMIC"]
CODES = {
    "abi": dict(enumerate(REASONS, 1001)),
    "mpich": {**dict(enumerate(OLDER, 59)), 73: "INVALID_NAME", 74: "INVALID", 78: "NOT_SUPPORTED", 79: "NOT_ACCESSIBLE"},
    "openmpi": {**dict(enumerate(OLDER, 54)), 72: "INVALID", 73: "INVALID_NAME", 81: "NOT_ACCESSIBLE", 82: "NOT_SUPPORTED"},
}
# The datatypes of variables: the constants of MPI-5.0 and of MPICH, and the object of Open MPI.
TYPES = [
    (ctypes.c_int, 0x209, 0x4c000405, "int"), (ctypes.c_uint, 0x20d, 0x4c000406, "unsigned"),
    (ctypes.c_long, 0x20a, 0x4c000807, "long"), (ctypes.c_ulong, 0x20e, 0x4c000808, "unsigned_long"),
    (ctypes.c_longlong, 0x20b, 0x4c000809, "long_long_int"), (ctypes.c_ulonglong, 0x20f, 0x4c000819, "unsigned_long_long"),
    (ctypes.c_int32, 0x250, 0x4c000439, "int32_t"), (ctypes.c_uint32, 0x251, 0x4c00043d, "uint32_t"),
    (ctypes.c_int64, 0x258, 0x4c00083a, "int64_t"), (ctypes.c_uint64, 0x259, 0x4c00083e, "uint64_t"),
    (ctypes.c_int64, 0x202, 0x4c000845, "count"), (ctypes.c_double, 0x214, 0x4c00080b, "double"),
    (ctypes.c_char, 0x243, 0x4c000101, "char"), (ctypes.c_bool, 0x238, 0x4c00013f, "c_bool"),
]
# The constants for the words of mpit-info.
WORDS = {"verbosity": words.VERBOSITIES, "class": words.CLASSES, "binding": words.BINDINGS, "scope": words.SCOPES}
NUMBERS = {
    "abi": {"verbosity": [9, 10, 12, 17, 18, 20, 33, 34, 36], "class": range(1, 11), "binding": range(1, 13), "scope": range(1, 8)},
    "mpich": {"verbosity": range(221, 230), "class": range(240, 250), "binding": range(9700, 9712), "scope": range(60438, 60445)},
    "openmpi": {"verbosity": range(9), "class": range(10), "binding": range(12), "scope": range(7)},
}
# The classes of mpi4py for the objects that variables belong to.
OBJECTS = dict(zip(words.BINDINGS[1:], ["Comm", "Datatype", "Errhandler", "File", "Group", "Op", "Request", "Win", "Message", "Info",
                                        "Session"]))
# Their null handles: the constants of MPI-5.0 and of MPICH, and the object of Open MPI.
NULLS = dict(zip(words.BINDINGS[1:], [
    (0x100, 0x04000000, "mpi_comm_null"), (0x200, 0x0c000000, "mpi_datatype_null"), (0x140, 0x14000000, "mpi_errhandler_null"),
    (0x118, 0, "mpi_file_null"), (0x108, 0x08000000, "mpi_group_null"), (0x20, 0x18000000, "mpi_op_null"),
    (0x180, 0x2c000000, "request_null"), (0x110, 0x20000000, "mpi_win_null"), (0x128, 0x2c000000, "message_null"),
    (0x130, 0x1c000000, "mpi_info_null"), (0x120, 0x38000000, "mpi_instance_null")]))


def reference(path, mode=0):
    """The handle of a library if it is loaded, else None; with `os.RTLD_NODELETE` the library stays."""
    dlopen = ctypes.PyDLL(None).dlopen
    dlopen.restype = ctypes.c_void_p
    return dlopen(os.fsencode(path), os.RTLD_LAZY | os.RTLD_NOLOAD | mode)


def loaded(pattern=r"\.so\b"):
    """The paths of the loaded libraries that match."""
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
        paths = {line.rstrip("\n").split(None, 5)[-1]: None for line in maps}
    return [path for path in paths if path.startswith("/") and re.search(pattern, path)]


def library():
    """The library that has the functions: that of an MPI, else one with mpit; None if no library has them."""
    best = None
    for path in [None, *loaded()]:
        handle = reference(path) if path else None
        candidate = ctypes.PyDLL(path, handle=handle) if handle or not path else None
        if hasattr(candidate, "MPI_T_init_thread") and hasattr(candidate, "MPI_Init"):
            return candidate
        if hasattr(candidate, "MPI_T_init_thread") and best is None:
            best = candidate
        elif handle:
            ctypes.PyDLL(None).dlclose(ctypes.c_void_p(handle))
    return best


class ProcessMPI:
    """The tool interface of a library of this process, with the constants of its binary interface."""

    def __init__(self, functions):
        self.functions = functions
        text, major, minor = ctypes.create_string_buffer(8193), ctypes.c_int(), ctypes.c_int()
        self._call("MPI_Get_library_version", text, ctypes.byref(minor))
        self._call("MPI_Abi_get_version", ctypes.byref(major), ctypes.byref(minor))
        self.is_open_mpi = text.value.startswith(b"Open MPI")
        # As in agent/finding.c.
        self.interface = ("openmpi" if major.value < 1 and hasattr(functions, "ompi_mpi_comm_world") else
                          "mpich" if major.value < 1 and re.search(rb"MPICH|MVAPICH|^Intel\(R\) MPI", text.value) else "abi")
        self.handle_type = ctypes.c_int if self.interface == "mpich" else ctypes.c_void_p
        self.types = {self._constant(abi, mpich, "mpi_" + openmpi): c_type for c_type, abi, mpich, openmpi in TYPES}
        self.words = {kind: dict(zip(NUMBERS[self.interface][kind], texts)) for kind, texts in WORDS.items()}

    def _call(self, name, *arguments):
        """Calls a function that an MPI may lack."""
        return getattr(self.functions, name)(*arguments) if hasattr(self.functions, name) else None

    def _constant(self, abi, mpich, openmpi):
        if self.interface == "openmpi":
            return ctypes.addressof(ctypes.c_char.in_dll(self.functions, "ompi_" + openmpi))
        return abi if self.interface == "abi" else mpich

    def _is(self, function):
        flag = ctypes.c_int()
        self._call(function, ctypes.byref(flag))
        return flag.value != 0

    def has_ended(self):
        """True after MPI_Finalize."""
        return self._is("MPI_Finalized")

    def has_object(self, binding, owner):
        """False of a null handle. Open MPI 4.1.4 crashes if a variable is bound to one, and if one is bound before MPI_Init."""
        if not owner or isinstance(owner, self.handle_type) and binding in NULLS and owner.value == self._constant(*NULLS[binding]):
            return False
        return not self.is_open_mpi or self._is("MPI_Initialized") or hasattr(self.functions, "MPI_Session_init")

    def room(self, c_type):
        """The least elements of a buffer: Open MPI 4.1.4 says that a text has 2048, and writes all of one that is longer. This is the
        most that an entry of the environment can have on Linux (MAX_ARG_STRLEN)."""
        return 128 * 1024 if self.is_open_mpi and c_type is ctypes.c_char else 0

    def level(self):
        """The level of threads for MPI_T_init_thread: Open MPI takes it for that of the process, MPICH for that of all tools."""
        level = ctypes.c_int(4096 if self.interface == "abi" else 3)
        if self.is_open_mpi and self._is("MPI_Initialized"):
            self._call("MPI_Query_thread", ctypes.byref(level))
        return level

    def crashes_on(self, name):
        """Open MPI 4.1.4 and 6.0.0rc2 crash if a counter of Omni-Path is opened on a machine without it."""
        return self.is_open_mpi and name.startswith("mtl_psm2_") and not os.path.exists("/dev/hfi1_0")

    def word(self, kind, number):
        """The word of a constant, or None."""
        return self.words[kind].get(number.value)

    def keep_plugins(self):
        """Open MPI 4.1.4 reads variables of plugins that it has unloaded."""
        for path in loaded("/mca_") if self.is_open_mpi else []:
            reference(path, os.RTLD_NODELETE)

    def call(self, name, *arguments):
        """Calls MPI_T_<name>, but not after MPI_Finalize, when MPICH 4.0.2 crashes in some; returns the name of the error, or None."""
        if self.has_ended():
            return "MPI_T_ERR_NOT_INITIALIZED"
        code = getattr(self.functions, "MPI_T_" + name)(*arguments)
        if code == 0:
            return None
        name = CODES[self.interface].get(code & 0x7f if self.interface == "mpich" else code)
        return f"MPI_T_ERR_{name}" if name else f"error {code}"
