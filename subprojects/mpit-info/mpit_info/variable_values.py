"""What the elements of an MPI_T variable are in Python, and back: `Values("eager_limit", ctypes.c_int).value(buffer, 1)`."""

import ctypes
import enum
import functools
import operator

TYPES = {ctypes.c_char: str, ctypes.c_double: float, ctypes.c_bool: bool}


class Choice(enum.IntEnum):
    """A value that has a name, as which it is printed."""

    def __str__(self):
        return self.name

    def __format__(self, form):
        return format(self.name, form)


@functools.lru_cache(maxsize=None)
def choices(name, items):
    """The IntEnum of these pairs of a name and a value; None if Python cannot have one of the names."""
    try:
        made = Choice(name, items)
    except (AttributeError, TypeError, ValueError):
        return None
    return made if len(made.__members__) == len(items) else None


def decoded(buffer):
    """The text in a buffer for a name or a description."""
    return buffer.value.decode("utf-8", "replace")


class Values:
    """The values that a variable can have: `type` is the type of an element in Python, `enumeration` an IntEnum or None.

    A buffer has room for at least `least` elements.
    """

    def __init__(self, name, c_type, enumeration=None, least=0):
        self.name, self.c_type, self.enumeration, self.least = name, c_type, enumeration, least
        self.type = TYPES.get(c_type, int)

    def buffer(self, count):
        """Room for so many elements, and a null."""
        return (self.c_type * (max(count, self.least) + 1))()

    def value(self, buffer, count):
        """The value in a buffer."""
        if self.type is str:
            return buffer.value.decode("utf-8", "surrogateescape")
        named = {member.value: member for member in self.enumeration or ()}
        values = [named.get(value, value) for value in buffer[:count]]
        return values[0] if count == 1 else values

    def filled(self, value, count):
        """A buffer with a value; raises TypeError, ValueError or OverflowError."""
        buffer = self.buffer(count)
        if self.type is str:
            buffer.value = self._text(value, count - 1)
        elif count == 1:
            buffer[0] = self._element(value)
        elif isinstance(value, str) or not hasattr(value, "__len__") or len(value) != count:
            raise ValueError(f"{self.name} takes a list of {count} elements, not {value!r}")
        else:
            buffer[:count] = [self._element(element) for element in value]
        return buffer

    def _text(self, value, most):
        if not isinstance(value, str):
            raise TypeError(f"{self.name} takes str, not {type(value).__name__}")
        text = value.encode("utf-8", "surrogateescape")
        if len(text) > most or b"\0" in text:
            raise ValueError(f"{self.name} takes a text of at most {most} bytes without a null")
        return text

    def _element(self, value):
        if self.enumeration and isinstance(value, str):
            if value not in self.enumeration.__members__:
                raise ValueError(f"{self.name} takes {', '.join(self.enumeration.__members__)}, not {value!r}")
            value = self.enumeration[value]
        try:
            number = float(value) if self.type is float and not isinstance(value, str) else operator.index(value)
        except TypeError:
            raise TypeError(f"{self.name} takes {self.type.__name__}, not {type(value).__name__}") from None
        if self.type is not float and self.c_type(number).value != number:
            raise OverflowError(f"{self.name}: {number} is out of the range of its type {self.c_type.__name__}")
        return number
