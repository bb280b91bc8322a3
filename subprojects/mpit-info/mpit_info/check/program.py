"""The program that shows a failure alone, made of the calls that the check made: `program.text(check, calls, at, seen)`.

The calls are statements, in which sessions, handles and outputs have names. The program declares these names, makes the
calls, and prints what each call returns and stores.
"""

import re
import textwrap

WIDTH = 120
STATEMENT = re.compile(r"(\w+)\((.*)\)$")
# The types of the parameters of a call that are names: a type by the place of the parameter; outputs have an ampersand.
SESSIONS = {"pvar_session_create": 0, "pvar_session_free": 0, "pvar_handle_alloc": 0, "pvar_handle_free": 0, "pvar_start": 0, "pvar_stop": 0,
            "pvar_read": 0, "pvar_write": 0, "pvar_reset": 0, "pvar_readreset": 0}
HANDLES = {"cvar_handle_alloc": (2, "cvar_handle"), "cvar_handle_free": (0, "cvar_handle"), "cvar_read": (0, "cvar_handle"),
           "cvar_write": (0, "cvar_handle"), "pvar_handle_alloc": (3, "pvar_handle"),
           **{name: (1, "pvar_handle") for name in SESSIONS if name not in ("pvar_session_create", "pvar_session_free", "pvar_handle_alloc")},
           "event_handle_alloc": (3, "event_registration"), "event_handle_free": (0, "event_registration"),
           "event_handle_get_info": (0, "event_registration"), "event_handle_set_info": (0, "event_registration"),
           "event_register_callback": (0, "event_registration"), "event_set_dropped_handler": (0, "event_registration")}
COUNTS = {"cvar_handle_alloc": 3, "pvar_handle_alloc": 4}
# The other names that traces have.
TYPES = {"text": "char {}[65536] = \"\"", "value": "static char {}[65536]", "list": "static int {}[65536]", "type": "MPI_Datatype {} = MPI_DATATYPE_NULL",
         "types": "MPI_Datatype {}[64]", "places": "MPI_Aint {}[64]", "items": "MPI_T_enum {} = MPI_T_ENUM_NULL", "info": "MPI_Info {} = MPI_INFO_NULL",
         "ticks": "MPI_Count {} = 0", "most": "MPI_Count {} = 0", "order": "MPI_T_source_order {}", "object": "MPI_Comm {} = MPI_COMM_WORLD"}
# Which constant a handle is from the beginning, by its name.
CONSTANTS = {"all": "MPI_T_PVAR_ALL_HANDLES"}
# What a number is before the calls, so that it shows whether a call has set it.
FIRST = {"provided": -77, "outer": -77, "inner": -77}
NULLS = {"session": "MPI_T_PVAR_SESSION_NULL", "cvar_handle": "MPI_T_CVAR_HANDLE_NULL", "pvar_handle": "MPI_T_PVAR_HANDLE_NULL"}
# The last calls of a callback that stand in its program.
MOST_IN_CALLBACK = 4
# Of the function of a check, what a program of its own does not have.
LEFT_OUT = re.compile(r" \|\| is_left_out\([^)]*\)")
TRAFFIC = ["static void traffic(void) {", "    static int sent[4096], received[4096];", "    for (int i = 0; i < 20; i++) {",
           "        MPI_Request request;", "        MPI_Isend(sent, i * 200, MPI_INT, 0, 1, MPI_COMM_SELF, &request);",
           "        MPI_Recv(received, 4096, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE), MPI_Wait(&request, MPI_STATUS_IGNORE);",
           "        MPI_Barrier(MPI_COMM_SELF);", "    }", "}"]
MACROS = ["#define FAIL(...) return printf(__VA_ARGS__), putchar('\\n'), 1", "#define SKIP(...) return printf(__VA_ARGS__), putchar('\\n'), 77",
          '#define EXPECT(expected, call) do { int code = (call); if (code != (expected)) FAIL(#call " returned %d", code); } while (0)']
HEADERS = (("pthread.h", r"pthread_"), ("signal.h", r"SIG|signal\("), ("string.h", r"\b(mem|str)\w+\("), ("sys/time.h", "itimer"))


def declarations(calls):
    """The lines that declare the names of the calls: numbers first."""
    numbers, others = [], {}
    for call in calls:
        name, arguments = STATEMENT.match(call).groups() if STATEMENT.match(call) else ("", "")
        name, words = name.replace("MPI_T_", "", 1), [word.strip() for word in arguments.split(",")]
        if name in SESSIONS:
            others.setdefault(words[SESSIONS[name]].lstrip("&"), ("MPI_T_pvar_session", NULLS["session"]))
        if name in HANDLES:
            place, kind = HANDLES[name]
            word = words[place].lstrip("&")
            others.setdefault(word, (f"MPI_T_{kind}", CONSTANTS.get(word, NULLS.get(kind))))
        if name in COUNTS:
            numbers.append(words[COUNTS[name]].lstrip("&"))
        for word in re.findall(r"\b(?:%s)\b" % "|".join(TYPES), re.sub(r'"[^"]*"', "", call)):
            others.setdefault(word, None)
        numbers += [word[1:] for word in words if word.startswith("&") and word[1:] not in others]
        numbers += re.findall(r"^(size|room|n) =", call)
        if call == "freed = handle" or call == "freed = session":
            others["freed"] = others.get(call.split()[-1])
    numbers = [word for word in dict.fromkeys(numbers) if word not in others]
    lines = [f"int {', '.join(f'{word} = {FIRST.get(word, 0)}' for word in numbers)};"] if numbers else []
    if "&type" in "".join(calls):
        others.setdefault("text", None)
    typed = {}
    for word, kind in others.items():
        if kind is None:
            lines.append(f"{TYPES[word].format(word)};")
        elif word.isidentifier() and not word.startswith("MPI_"):
            typed.setdefault(kind[0], []).append(word + (f" = {kind[1]}" if kind[1] else ""))
    lines += [f"{kind} {', '.join(words)};" for kind, words in typed.items()]
    return lines


# What is printed after a call, by the name of an output.
NUMBERS = ("size", "room", "verbosity", "n", "count", "cvars", "pvars", "categories", "scope", "bind", "class", "provided",
           "outer", "inner", "readonly", "continuous", "atomic")


def line_of(call):
    """The line of one call, with what it stores."""
    match = STATEMENT.match(call)
    if not match or not match[1].startswith("MPI_"):
        return f"{call};"
    outputs = re.sub(r'"[^"]*"', "", match[2])
    shown = [word for word in NUMBERS if re.search(rf"&{word}\b", outputs)]
    formats, values = [f"{word} %d" for word in shown], list(shown)
    if re.search(r"_(read|readreset)$", match[1]) and "value" in outputs:
        formats, values = ["the value is %llu"], ["*(unsigned long long*)value"]
    if re.search(r"\btext\b", outputs):
        formats, values = [*formats, 'the text is \\"%s\\"'], [*values, "text"]
    more = f', printf("{", ".join(formats)}\\n", {", ".join(values)})' if formats else ""
    named = ', MPI_Type_get_name(type, text, &size), printf("the type is %s\\n", text)' if "&type" in outputs else ""
    return f"CALL({call}){more}{named};"


# What is said of a variable, where the check has not asked for it with traced calls.
INFORMATION = {"control variable": "MPI_T_cvar_get_info({}, text, &size, &verbosity, &type, &items, NULL, NULL, &bind, &scope)",
               "performance variable": "MPI_T_pvar_get_info({}, text, &size, &verbosity, &class, &type, &items, NULL, NULL, &bind, &readonly, &continuous, &atomic)",
               "description of control variable": "MPI_T_cvar_get_info({}, NULL, NULL, NULL, NULL, NULL, text, &room, NULL, NULL)",
               "description of performance variable":
                   "MPI_T_pvar_get_info({}, NULL, NULL, NULL, NULL, NULL, NULL, text, &room, NULL, NULL, NULL, NULL)",
               "description of category": "MPI_T_category_get_info({}, NULL, NULL, text, &room, NULL, NULL, NULL)",
               "category": "MPI_T_category_get_info({}, text, &size, NULL, NULL, &cvars, &pvars, &categories)",
               "event type": "MPI_T_event_get_info({}, text, &size, &verbosity, types, places, &n, &items, NULL, NULL, NULL, &bind)"}


def with_information(calls, since, at):
    """The calls with that for the information about the variable, if the others show or need something of it."""
    kind, _, number = at.partition(", ")[0].rpartition(" ")
    if kind not in INFORMATION or any(call.startswith("MPI_T_") for call in since) and kind != "category" and \
            not any(re.search(r"\bitems\b", call) for call in since):
        return calls
    rooms = [f"{word} = {most}" for word, most in (("size", 65536), ("room", 65536), ("n", 64)) if f"&{word}" in INFORMATION[kind]]
    return [*calls[:len(calls) - len(since)], *rooms, INFORMATION[kind].format(number), *since]


def from_calls(calls, in_callback):
    """The lines of a program that makes these calls."""
    lines = ['#define CALL(call) printf("%d from %s\\n", (int)(call), #call)']
    if "traffic()" in calls:
        lines += TRAFFIC
    whole = "\n".join(calls)
    for name, signature, body in (
            ("callback", "MPI_T_event_instance instance, MPI_T_event_registration registration, MPI_T_cb_safety level, void* data", in_callback),
            ("freed", "MPI_T_event_registration registration, MPI_T_cb_safety level, void* data", []),
            ("dropped", "MPI_Count count, MPI_T_event_registration registration, int source, MPI_T_cb_safety level, void* data", [])):
        if re.search(rf", {name}\)$", whole, re.MULTILINE):
            inner = [f"    {line}" for line in [*declarations(body), *map(line_of, body[-MOST_IN_CALLBACK:])]]
            lines += [f"static void {name}({signature}) {{", *(inner or [f'    puts("{name}");']), "}"]
    body = [*map(line_of, calls)]
    if [call.partition("(")[0] for call in calls[:2]] == ["MPI_Init_thread", "MPI_T_init_thread"]:
        # As most programs begin, without what the calls return.
        body[:2] = [f"{calls[0]}, {calls[1]};"]
    return [*lines, "int main(void) {", *(f"    {line}" for line in [*declarations(calls), *body]), "}"]


def text(check, calls, since, in_callback, at, seen):
    """The program: a comment with the rule and what was seen, and then the code. `since` are the last of the calls, for the variable."""
    comment = [f"{check.name}, {check.kind}, MPI-5.0 {check.clause}: {check.rule}", *([f"Seen at {at}: {seen}"] if at else [f"Seen: {seen}"])]
    comment = [line for part in comment for line in textwrap.wrap(part.replace("*/", "* /"), WIDTH - 3)]
    if check.source:
        code = re.sub(r"\bCHECK\(\w+\) \{", "int main(void) {", re.sub(r"\((MPI_T_\w+)\)\(", r"\1(", LEFT_OUT.sub("", check.source))).splitlines()
        code = [macro for macro in MACROS if any(macro.split()[1].partition("(")[0] + "(" in line for line in code)] + code
        if any("EXPECT(" in line for line in code) and not any(line.startswith("#define FAIL") for line in code):
            code = [MACROS[0], *code]
    else:
        code = from_calls(with_information(calls, since, at), in_callback)
    headers = ["#include <mpi.h>", "#include <stdio.h>",
               *(f"#include <{header}>" for header, pattern in HEADERS if any(re.search(pattern, line) for line in code))]
    return "\n".join([*(f"// {line}" for line in comment), *headers, *code]) + "\n"
