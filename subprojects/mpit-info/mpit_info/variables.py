"""The variables of the MPI of this process, or of a library with mpit: `variables.controls["btl_tcp_eager_limit"].value = 4096`.

`controls` and `performances` are mappings by name. A value is a bool, int, float or str, a member of an IntEnum, or a list of them.
"""

import collections.abc
import contextlib
import ctypes
import functools
import os
import sys
import threading
import weakref
from ctypes import byref, c_int, c_void_p

from mpit_info import process_mpi, words
from mpit_info.variable_values import Values, choices, decoded


class Error(RuntimeError):
    """A refusal; `code` is the name of the error code of MPI_T, such as MPI_T_ERR_CVAR_SET_NOT_NOW."""

    __str__ = BaseException.__str__  # that of KeyError adds quotes

    def __init__(self, sentence, code=None):
        super().__init__(sentence)
        self.code = code


class UnknownName(Error, KeyError):
    """No variable has the name."""


class ReadOnly(Error, PermissionError):
    """The variable cannot be written, or cannot at this time."""


class InvalidValue(Error, ValueError):
    """The library of the variable refuses the value."""


REFUSALS = {"MPI_T_ERR_CVAR_SET_NOT_NOW": ReadOnly, "MPI_T_ERR_CVAR_SET_NEVER": ReadOnly, "MPI_T_ERR_PVAR_NO_WRITE": ReadOnly}
_lock, _used = threading.RLock(), []


def use(library):
    """Takes the variables of this library, a ctypes.CDLL. Without a call they are those of the MPI, else of a library with mpit."""
    mpi = process_mpi.ProcessMPI(ctypes.PyDLL(library._name, handle=library._handle))
    _call(mpi, "the tool interface", "init_thread", mpi.level(), byref(c_int()))
    mpi.keep_plugins()
    with _lock:
        _used[:] = [mpi]


def _mpi():
    with _lock:
        if not _used:
            library = process_mpi.library()
            if library is None:
                raise Error("no library of this process has the functions MPI_T_*; import mpi4py.MPI, or load one with them, before")
            use(library)
        return _used[0]


def _call(mpi, subject, function, *arguments):
    code = mpi.call(function, *arguments)
    if code is not None:
        reason = "MPI_Finalize has been called" if mpi.has_ended() else process_mpi.REASONS.get(code[10:], "refused")
        kind = InvalidValue if function.endswith("_write") and code == "MPI_T_ERR_INVALID" else REFUSALS.get(code, Error)
        raise kind(f"{subject}: {reason} ({code})", code)


class Variable:
    """A variable, whose `value` can be read; `verbosity`, `binding`, `scope` and `variable_class` are words as in mpit-info."""

    def __init__(self, mpi, index, attributes, more):
        self._mpi, self._index, self._owner, self._opened, self._free, self._has_begun = mpi, index, None, None, None, False
        verbosity, datatype, self._enumeration, binding = c_int(), mpi.handle_type(), c_void_p(), c_int()
        lengths, texts = (c_int(), c_int()), (None, None)
        for _ in range(2):  # the first call has the lengths
            _call(mpi, f"variable {index}", self.PREFIX + "_get_info", index, texts[0], byref(lengths[0]), byref(verbosity),
                  *map(byref, attributes), byref(datatype), byref(self._enumeration), texts[1], byref(lengths[1]), byref(binding),
                  *map(byref, more))
            texts = texts if texts[0] else [ctypes.create_string_buffer(max(1, length.value)) for length in lengths]
        self.name, self.description = map(decoded, texts)
        self.__doc__, self._c_type = self.description, mpi.types.get(datatype.value)
        self.verbosity, self.binding = mpi.word("verbosity", verbosity), mpi.word("binding", binding)

    def __repr__(self):
        return f"<{self.KIND} {self.name}>"

    def _call(self, function, *arguments):
        _call(self._mpi, self.name, function, *arguments)

    @functools.cached_property
    def _values(self):
        if self._c_type is None:
            raise Error(f"{self.name}: its datatype is unknown", "MPI_T_ERR_NOT_SUPPORTED")
        found = Values(self.name, self._c_type, least=self._mpi.room(self._c_type))
        if self._enumeration and found.type is int:
            name, text, count, number, items = *map(ctypes.create_string_buffer, (1024, 1024)), c_int(), c_int(), []
            self._call("enum_get_info", self._enumeration, byref(count), name, byref(c_int(1024)))
            for item in range(count.value):
                self._call("enum_get_item", self._enumeration, item, byref(number), text, byref(c_int(1024)))
                items.append((decoded(text), number.value))
            found.enumeration = choices(decoded(name), tuple(items))
        return found

    type = property(lambda self: self._values.type, doc="The type of an element.")
    enumeration = property(lambda self: self._values.enumeration, doc="The IntEnum of the values that have names, else None.")

    def of(self, owner):
        """The variable of an object: one of mpi4py, or a ctypes object with the handle of one."""
        if self.binding == "none":
            raise TypeError(f"{self.name} belongs to no object")
        found = object.__new__(type(self))
        vars(found).update(vars(self), _owner=owner, _opened=None, _has_begun=False)
        return found

    def _object(self):
        """The handle of the object, or None; followed by zeros, because Open MPI 6.0.0rc2 reads 224 bytes more."""
        if self.binding == "none":
            return None
        if self._owner is None:
            raise Error(f"{self.name} belongs to a {self.binding}: use .of({self.binding})", "MPI_T_ERR_INVALID_HANDLE")
        mpi4py = sys.modules.get("mpi4py.MPI")
        if isinstance(self._owner, getattr(mpi4py, process_mpi.OBJECTS.get(self.binding, ""), ())):
            place, size = mpi4py._addressof(self._owner), mpi4py._sizeof(self._owner)
        elif isinstance(self._owner, self._mpi.handle_type):
            place, size = ctypes.addressof(self._owner), ctypes.sizeof(self._owner)
        else:
            raise TypeError(f"{self.name} belongs to a {self.binding}, which {self._owner!r} is not")
        if not self._mpi.has_object(self.binding, self._owner):
            raise Error(f"{self.name}: the {self.binding} does not exist", "MPI_T_ERR_INVALID_HANDLE")
        return ctypes.create_string_buffer(ctypes.string_at(place, size), 256)


class Control(Variable):
    """A control variable; its `scope` says in which processes a change must be made."""

    PREFIX, KIND = "cvar", "control variable"

    def __init__(self, mpi, index):
        scope = c_int()
        super().__init__(mpi, index, (), (scope,))
        self.scope, self.variable_class = mpi.word("scope", scope), None

    @contextlib.contextmanager
    def _handle(self):
        handle, count = c_void_p(), c_int()
        self._call("cvar_handle_alloc", self._index, self._object(), byref(handle), byref(count))
        try:
            yield handle, count.value
        finally:
            self._mpi.call("cvar_handle_free", byref(handle))

    @property
    def value(self):
        """The value; to set it raises ReadOnly, InvalidValue, TypeError, ValueError or OverflowError."""
        with self._handle() as (handle, count):
            buffer = self._values.buffer(count)
            self._call("cvar_read", handle, buffer)
            return self._values.value(buffer, count)

    @value.setter
    def value(self, value):
        with self._handle() as (handle, count):
            self._call("cvar_write", handle, self._values.filled(value, count))


def _release(mpi, process, session, handle):
    if os.getpid() == process:
        mpi.call("pvar_handle_free", session, byref(handle))
        mpi.call("pvar_session_free", byref(session))


class Performance(Variable):
    """A performance variable. Unless it is `continuous`, it counts from start() on, which `with` calls.

    It has a session of its own until close(), which the end of `with` calls: others see no start, stop and reset.
    """

    PREFIX, KIND = "pvar", "performance variable"

    def __init__(self, mpi, index):
        kind, *flags = c_int(), c_int(), c_int(), c_int()
        super().__init__(mpi, index, (kind,), flags)
        self.variable_class = mpi.word("class", kind)
        self.readonly, self.continuous, self.atomic = (bool(flag.value) for flag in flags)

    def _handle(self):
        """The session, the handle and the number of elements."""
        owner = self._object()
        if self._opened is None:
            if self._mpi.crashes_on(self.name):
                raise Error(f"{self.name}: Open MPI crashes without Omni-Path", "MPI_T_ERR_NOT_SUPPORTED")
            session, handle, count = c_void_p(), c_void_p(), c_int()
            self._call("pvar_session_create", byref(session))
            free = weakref.finalize(self, _release, self._mpi, os.getpid(), session, handle)
            try:
                self._call("pvar_handle_alloc", session, self._index, owner, byref(handle), byref(count))
            except Error:
                free()
                raise
            self._opened, self._free = (session, handle, count.value), free
        return self._opened

    @property
    def value(self):
        """The value."""
        if not (self.continuous or self._has_begun):
            raise Error(f"{self.name} counts from start() on, or in a with statement")
        session, handle, count = self._handle()
        buffer = self._values.buffer(count)
        self._call("pvar_read", session, handle, buffer)
        return self._values.value(buffer, count)

    def _change(self, function):
        session, handle, _ = self._handle()
        if not self.continuous or function == "pvar_reset":
            self._call(function, session, handle)

    def start(self):
        """Begins to count, or continues; returns the variable."""
        self._change("pvar_start")
        self._has_begun = True
        return self

    __enter__ = start

    def stop(self):
        """Ends to count; the value stays."""
        self._change("pvar_stop")

    def reset(self):
        """Sets the value to that of the first start."""
        self._change("pvar_reset")

    def close(self):
        """Frees the session; the next start begins another one."""
        if self._opened is not None:
            self._free()
        self._opened, self._has_begun = None, False

    def __exit__(self, *exception):
        self.close()


class Variables(collections.abc.Mapping):
    """The variables of a kind by name. If those of several classes have one name, keys are pairs: `["queue_length", "level"]`."""

    def __init__(self, kind):
        self._kind = kind

    def __repr__(self):
        return f"<{len(self)} {self._kind.KIND}s>"

    def _described(self, mpi, indices):
        """The variables of these indices; Open MPI 4.1.4 does not describe all."""
        for index in indices:
            with contextlib.suppress(Error):
                yield self._kind(mpi, index)

    def _all(self):
        mpi, count = _mpi(), c_int()
        _call(mpi, f"the {self._kind.KIND}s", self._kind.PREFIX + "_get_num", byref(count))
        mpi.keep_plugins()
        return list(self._described(mpi, range(count.value)))

    def __iter__(self):
        found = self._all()
        times = collections.Counter(each.name for each in found)
        return iter([each.name if times[each.name] == 1 else (each.name, each.variable_class) for each in found])

    def __len__(self):
        return len(self._all())

    def _found(self, key):
        name, of_class = key if isinstance(key, tuple) and len(key) == 2 else (key, None)
        mpi, index, indices = _mpi(), c_int(), []
        for arguments in [[number] for number in mpi.words["class"]] if self._kind is Performance else [[]]:
            if mpi.call(self._kind.PREFIX + "_get_index", str(name).encode(errors="replace"), *arguments, byref(index)) is None:
                indices.append(index.value)
        return [each for each in self._described(mpi, indices) if each.name == name and of_class in (None, each.variable_class)]

    def __contains__(self, key):
        return len(self._found(key)) == 1

    def __getitem__(self, key):
        found = self._found(key)
        if len(found) == 1:
            return found[0]
        if found:
            keys = ", ".join(f"[{key!r}, {each.variable_class!r}]" for each in found)
            raise UnknownName(f"{len(found)} {self._kind.KIND}s are named {key}; use one of {keys}")
        near = words.perhaps(str(key), [name for name in self if isinstance(name, str)])
        raise UnknownName(f"there is no {self._kind.KIND} {key}{near}", "MPI_T_ERR_INVALID_NAME")


controls, performances = Variables(Control), Variables(Performance)
