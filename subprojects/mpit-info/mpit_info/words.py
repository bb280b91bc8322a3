"""The words of documents in their order, and the words of the command line for them: `words.upper_verbosity("tuner")`.

They are mpit's own enumerators, as in declarations.
"""

from mpit_info.document import clean
from mpit_info.refusal import Refusal

VERBOSITIES = ["user_basic", "user_detail", "user_all", "tuner_basic", "tuner_detail", "tuner_all",
               "developer_basic", "developer_detail", "developer_all"]
LEVELS = {"user": "user_all", "tuner": "tuner_all", "developer": "developer_all"}
CLASSES = ["state", "level", "size", "percentage", "high_watermark", "low_watermark", "counter", "aggregate", "timer",
           "generic"]
BINDINGS = ["none", "communicator", "datatype", "error_handler", "file", "group", "operation", "request", "window",
            "message", "info", "session"]
SCOPES = ["constant", "readonly", "local", "group", "group_equal", "all", "all_equal"]
ORIGINS = {"library": "library", "configuration": "configuration file", "environment": "environment",
           "command_line": "command line", "info": "Info object", "tool": "tool"}

# The words of --kind, and the lists of a document.
KINDS = {"controls": "control_variables", "performances": "performance_variables", "events": "events",
         "categories": "categories", "enumerations": "enumerations"}
TITLES = {"control_variables": "Control variables", "performance_variables": "Performance variables",
          "events": "Events", "sources": "Sources of events", "categories": "Categories",
          "enumerations": "Enumerations"}
ONE_OF = {"control_variables": "control variable", "performance_variables": "performance variable", "events": "event",
          "categories": "category", "enumerations": "enumeration"}
# The lists of members that a category has.
MEMBERS = {"controls": "control_variables", "performances": "performance_variables", "events": "events"}

# The classes whose values only grow while they run, for which the rate is shown.
GROWING = ("counter", "aggregate", "timer")
# Open MPI 5 declares all of its software counters as sizes.
SOFTWARE_COUNTER = "runtime_spc_OMPI_SPC_"

# The most problems of one kind that have a sentence each.
MOST_NAMED = 5


def upper_verbosity(word):
    """The number of the highest verbosity that a word accepts: `user` means all user levels."""
    word = LEVELS.get(word, word)
    if word not in VERBOSITIES:
        raise Refusal(f"unknown verbosity {word}; use user, tuner, developer or one of {', '.join(VERBOSITIES)}")
    return VERBOSITIES.index(word)


def class_of(name, told):
    """The class of a variable by what it does: `class_of("runtime_spc_OMPI_SPC_SEND", "size")` is counter."""
    if told != "size" or not name.startswith(SOFTWARE_COUNTER):
        return told
    if name.endswith("_IN_QUEUE"):
        return "high_watermark" if name.startswith(SOFTWARE_COUNTER + "MAX_") else "level"
    return "aggregate" if name.startswith(SOFTWARE_COUNTER + "BYTES_") or name.endswith("_TIME") else "counter"


def of_member(member):
    """The name of a performance variable of a document, and its class by what it does."""
    return member["name"], class_of(member["name"], member["class"])


def nearest(word, known, least=0.6):
    """The known name that is most like a word, in upper or lower case; None if no name is like it."""
    import difflib  # takes 10 ms
    by_lower = {name.lower(): name for name in known}
    found = difflib.get_close_matches(word.lower().strip("*"), by_lower, 1, least)
    return by_lower[found[0]] if found else None


def perhaps(word, known, otherwise="", least=0.6):
    """`; perhaps eager_limit is meant` behind a word that is unknown; another text if no name is like it."""
    name = nearest(word, known, least)
    return f"; perhaps {clean(name)} is meant" if name else otherwise


def plural(count, word):
    """`1 event`, `2 events`, `3 categories`."""
    if count == 1:
        return f"1 {word}"
    return f"{count:,} {word[:-1] + 'ies' if word.endswith('y') else word + ('es' if word.endswith(('s', 'ch')) else 's')}"


def first_few(sentences, rest):
    """The first of many sentences, then `rest(count)` for the others."""
    more = len(sentences) - MOST_NAMED
    return sentences[:MOST_NAMED] + ([rest(more)] if more > 0 else [])


def spoken(word):
    """A word as text: `high watermark`."""
    return word.replace("_", " ")
