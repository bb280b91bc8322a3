"""A program that does nothing but start an MPI: `python3 empty_program.py libmpich.so.12 libmpi.so.12`.

The first library that can be loaded is that of the MPI. The functions in front of those of the MPI, which an agent has, are found by
their version alone.
"""

import ctypes
import sys


def main(names):
    """Starts and ends the MPI; returns the exit status."""
    for name in names:
        try:
            library = ctypes.CDLL(name, ctypes.RTLD_GLOBAL)
            break
        except OSError as problem:
            if str(problem) != f"{name}: cannot open shared object file: No such file or directory":
                print(f"mpit-info: {name}: {str(problem).removeprefix(f'{name}: ')}", file=sys.stderr)
    else:
        return 127
    find = ctypes.CDLL(None).dlvsym
    find.restype, find.argtypes = ctypes.c_void_p, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p)

    def function(name, *parameters):
        address = find(None, name.encode(), b"MPIT_INFO")
        return ctypes.CFUNCTYPE(ctypes.c_int, *parameters)(address) if address else getattr(library, name)

    return function("MPI_Init", ctypes.c_void_p, ctypes.c_void_p)(None, None) or function("MPI_Finalize")()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
