"""How a value gets into a program, and how a user keeps it: `way = setting.way_of("btl_vader_eager_limit", document)`.

MPICH reads MPIR_CVAR_… from the environment, Open MPI OMPI_MCA_…, and a library with mpit a variable of the same name,
unless it declares another one. `{NAME}` in the program's arguments is replaced instead.
"""

import fnmatch
import shlex

from mpit_info.document import clean
from mpit_info.refusal import Refusal
from mpit_info.words import perhaps
from mpit_info.tune import sweep

OPEN_MPI = "OMPI_MCA_"
# What Open MPI needs at the start to use a variable: a pattern of names, and a control variable with its value.
NEEDED = (("coll_tuned_*_algorithm*", "coll_tuned_use_dynamic_rules", "1"),)
MPICH_NAMES = ("MPIR_", "MPICH_", "MV2_", "I_MPI_")


class Way:
    """One variable: `variable` is that of the environment, or None for an argument of the program. `control` is true
    if the document lists it.
    """

    def __init__(self, name, variable, library, control=True):
        self.name, self.variable, self.library, self.control = name, variable, library, control

    def needed(self, ways):
        """The ways and values of the control variables without which the library does not use this one, but for those of the sweeps."""
        found = NEEDED if self.library == "openmpi" and self.variable == OPEN_MPI + self.name else ()
        swept = [way.variable for way in ways.values()]
        return [(Way(other, OPEN_MPI + other, self.library), value) for pattern, other, value in found
                if fnmatch.fnmatchcase(self.name, pattern) and OPEN_MPI + other not in swept]

    def lines(self, value, ways):
        """Pairs of a place and the words that set the value there, and what it needs."""
        return [line for way, given in (*self.needed(ways), (self, value)) for line in way.own_lines(given)]

    def own_lines(self, value):
        """Those of the value alone."""
        if self.variable is None:
            return [("argument", f"{{{self.name}}} is {value}")]
        quoted = shlex.quote(value)
        exported = f"export {self.variable}={quoted}"
        if self.library == "openmpi":
            if self.variable != OPEN_MPI + self.name:
                return [("mpiexec", f"-x {self.variable}={quoted}"), ("shell", exported)]
            return [("mpiexec", f"--mca {self.name} {quoted}"), ("shell", exported),
                    ("~/.openmpi/mca-params.conf", f"{self.name} = {value}")]
        found = [("shell", exported)]
        if self.library != "mpit":
            return [("mpiexec", f"-genv {self.variable} {quoted}"), *found]
        return [*found, ("a file that MPIT_CONFIGURATION names", f"{self.name} = {value}")]


def library_of(document):
    """`mpich`, `openmpi` or `mpit`: the family of the MPI by its version text, or by its variables."""
    text = (document["mpi"]["library"] or "").lower() if document else ""
    if "open mpi" in text:
        return "openmpi"
    if any(word in text for word in ("mpich", "mvapich", "intel(r) mpi", "cray mpi")):
        return "mpich"
    origins = document and any(control["origin"] for control in document["control_variables"])
    return "mpit" if origins else "other"


def way_of(name, document, command, pattern=None):
    """The way of a variable; refuses a name that the program does not have, since it would be tuned in vain."""
    library = library_of(document)
    if f"{{{name}}}" in " ".join(command):
        return Way(name, None, library, control=False)
    if name.startswith(sweep.OUTSIDE):
        return Way(name, name[len(sweep.OUTSIDE):], library, control=False)
    if document is None:
        raise Refusal(f"the program has sent no variables, so that {name} is not known; --sweep {sweep.OUTSIDE}{name}=… "
                      f"sets a variable of the environment, and {{{name}}} in the program's arguments is replaced")
    names = [control["name"] for control in document["control_variables"]]
    if name not in names:
        hint = perhaps(name, names, f"; write {sweep.OUTSIDE}{name}=… for a variable of the environment that is none")
        raise Refusal(f"{clean(name)} is not a control variable of this program{hint}")
    if pattern:
        return Way(name, pattern.replace("*", name), library)
    if not is_of(library, name):
        library = "mpit" if any(each["name"] == name and each["origin"] for each in document["control_variables"]) else "other"
    return Way(name, OPEN_MPI + name if library == "openmpi" else name, library)


def is_of(library, name):
    """Whether a name looks like one of the MPI itself, and not of a library with mpit beside it."""
    if library == "openmpi":
        return name == name.lower()
    return library != "mpich" or name.startswith(MPICH_NAMES)


def environment(ways, candidate):
    """The variables of the environment for a candidate, and those that all runs need."""
    needed = {way.variable: value for each in ways.values() for way, value in each.needed(ways)}
    return {**needed, **{ways[name].variable: value for name, value in candidate if ways[name].variable is not None}}


def command(ways, candidate, words):
    """The program's words for a candidate. A variable that a candidate leaves as it is has no word to replace."""
    chosen = {f"{{{name}}}": value for name, value in candidate if ways[name].variable is None}
    replaced = []
    for word in words:
        for place, value in chosen.items():
            word = word.replace(place, value)
        replaced.append(word)
    return replaced


def value_in(document, name):
    """The value of a control variable of a document, as a text; None if it is not known."""
    value = next((control["value"] for control in document["control_variables"] if control["name"] == name), None)
    return None if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def item(document, name, value):
    """The item of a control variable's enumeration that has this number; the value itself if there is none."""
    enumeration = next((control["enumeration"] for control in document["control_variables"] if control["name"] == name), None)
    return next((one["name"] for each in document["enumerations"] if each["name"] == enumeration for one in each["items"]
                 if str(one["value"]) == value), value)


def is_same(asked, value):
    """Whether a library's value is that which was asked for."""
    one, other = sweep.number(asked), sweep.number(value)
    return asked == value if one is None or other is None else one == other
