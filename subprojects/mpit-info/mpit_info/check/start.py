"""Starts the checks that were compiled over the ABI, in a process into which an MPI was loaded: `python3 start.py CHECKS.so CVAR_02`."""

import ctypes
import sys

words = [word.encode() for word in sys.argv[1:]]
sys.exit(ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_GLOBAL).main(len(words), (ctypes.c_char_p * (len(words) + 1))(*words, None)))
