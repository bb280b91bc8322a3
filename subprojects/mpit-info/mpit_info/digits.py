"""Integers as text for a script of a page, in one to three characters each: `digits.packed([0, 5, None], 0)`.

A number is told by its distance d from a middle: 2d - 1 if it is more, -2d if it is less or equal, and by the characters of ALPHABET,
which JSON and HTML do not escape. unpacked() of page/report.js reads the text.
"""

ALPHABET = "".join(chr(code) for code in range(0x20, 0x7f) if chr(code) not in "\"\\<>&")
SIZE = len(ALPHABET)
# The first character fixes how many follow: none, one, two, or a decimal number that ends with a comma. The first of all is an
# unknown number.
ONE, TWO, THREE = 10, 84, 88
UNKNOWN, LONG = ALPHABET[0], ALPHABET[THREE]


def middle_of(values):
    """The median, which leaves the shortest text of most lines."""
    known = sorted(value for value in values if value is not None)
    return known[len(known) // 2] if known else 0


def digit(value):
    """One number from 0."""
    if value < ONE - 1:
        return ALPHABET[value + 1]
    value -= ONE - 1
    if value < (TWO - ONE) * SIZE:
        return ALPHABET[ONE + value // SIZE] + ALPHABET[value % SIZE]
    value -= (TWO - ONE) * SIZE
    if value < (THREE - TWO) * SIZE ** 2:
        return ALPHABET[TWO + value // SIZE ** 2] + ALPHABET[value // SIZE % SIZE] + ALPHABET[value % SIZE]
    return f"{LONG}{value - (THREE - TWO) * SIZE ** 2},"


def packed(values, middle):
    """The text of these integers; None is an unknown one."""
    return "".join(UNKNOWN if value is None else digit(2 * (value - middle) - 1 if value > middle else 2 * (middle - value))
                   for value in values)
