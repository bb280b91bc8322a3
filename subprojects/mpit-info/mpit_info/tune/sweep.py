"""The values to try, as on the command line: `sweep.parse("MINI_EAGER_LIMIT=1k..1M*2")`.

A value is a text, which the library parses; k, M and G behind a whole number are powers of 1024. A candidate is a tuple
of pairs of a name and a value; the empty candidate leaves every variable as it is.
"""

import collections
import itertools
import math
import re

from mpit_info.refusal import Refusal

SUFFIXES = {"": 1, "k": 1 << 10, "M": 1 << 20, "G": 1 << 30}
WHOLE = re.compile(r"(-?\d+)([kKMG]?)")
RANGE = re.compile(r"(-?[\d.]+[kKMG]?)\.\.(-?[\d.]+[kKMG]?)(?:([*+])([\d.]+[kKMG]?))?")
MOST_VALUES, MOST_CANDIDATES = 200, 400
# The prefix of a variable of the environment that sets no control variable.
OUTSIDE = "env:"

# The values are texts. `is_stretched` is true for a range with a factor, which pictures draw on a logarithmic axis.
Sweep = collections.namedtuple("Sweep", "name values is_stretched")
AS_IT_IS = ()


def number(text):
    """The number of a text with a suffix; None if it is not a number."""
    whole = WHOLE.fullmatch(text)
    if whole:
        return int(whole[1]) * SUFFIXES[whole[2].replace("K", "k")]
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def as_text(value):
    """A number as a library reads it."""
    return str(value) if isinstance(value, int) else f"{value:.10g}"


def expanded(name, first, last, sign, step):
    """The numbers of a range; both ends belong to it."""
    low, high = number(first), number(last)
    by = number(step) if step else 1
    if low is None or high is None or by is None or low > high:
        raise Refusal(f"the range {first}..{last} of {name} is empty or has no numbers")
    if sign == "*" and (by <= 1 or low <= 0) or by <= 0:
        raise Refusal(f"the range of {name} never ends: a factor is above 1 and begins above 0, a step is above 0")
    values = []
    while low <= high * (1 + 1e-12) and len(values) <= MOST_VALUES:
        values.append(low)
        low = low * by if sign == "*" else low + by
    return [as_text(value) for value in values]


def parse(text):
    """A sweep: `NAME=LOW..HIGH*FACTOR`, `NAME=LOW..HIGH+STEP`, `NAME=LOW..HIGH`, or `NAME=VALUE,VALUE`."""
    name, equals, told = text.partition("=")
    if not name or not equals or not told:
        raise Refusal(f"--sweep {text} is not NAME=VALUES; for instance --sweep LIMIT=1k..1M*2 or --sweep MODE=a,b")
    values, is_stretched = [], False
    for part in told.split(","):
        found = RANGE.fullmatch(part)
        if found:
            values += expanded(name, *found.groups())
            is_stretched = is_stretched or found[3] == "*"
        else:
            whole = WHOLE.fullmatch(part)
            values.append(as_text(number(part)) if whole else part)
    values = list(dict.fromkeys(values))
    if len(values) > MOST_VALUES:
        raise Refusal(f"{name} has more than {MOST_VALUES} values")
    return Sweep(name, values, is_stretched)


def parse_all(texts):
    """The sweeps of a command line."""
    sweeps = [parse(text) for text in texts]
    names = [sweep.name for sweep in sweeps]
    repeated = next((name for name in names if names.count(name) > 1), None)
    if repeated:
        raise Refusal(f"{repeated} has two sweeps; write all its values into one: --sweep {repeated}=1k,4k,1M")
    return sweeps


def grid(sweeps):
    """All combinations of the values."""
    count = math.prod(len(sweep.values) for sweep in sweeps)
    if count > MOST_CANDIDATES:
        raise Refusal(f"the sweeps have {count} combinations, more than {MOST_CANDIDATES}; choose --search one or "
                      "--search optimise, or fewer values")
    return [tuple(zip((sweep.name for sweep in sweeps), values))
            for values in itertools.product(*(sweep.values for sweep in sweeps))]


def short(value):
    """A value for a person: 64k for 65536."""
    if WHOLE.fullmatch(value) and value.lstrip("-").isdigit():
        whole = int(value)
        for suffix in ("G", "M", "k"):
            if whole and whole % SUFFIXES[suffix] == 0:
                return f"{whole // SUFFIXES[suffix]}{suffix}"
    return value


def label(candidate):
    """A candidate for a person: its value, or `NAME=value` for each of several variables."""
    if candidate == AS_IT_IS:
        return "as it is"
    if len(candidate) == 1:
        return short(candidate[0][1])
    return " ".join(f"{name}={short(value)}" for name, value in candidate)
