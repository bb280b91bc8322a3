"""Writes what from_mpich.py has read: the header with the globals, the C file that shows them to tools, and the names in the environment.

    import mpich_tables; lines = mpich_tables.source_of(sources, given)

The C file builds its tables when they are opened. Constant tables would have some 2,000 addresses, which the loader writes into each process,
with a tool or without one.
"""

import textwrap

import mpich_macros

PREFIXES = ("MPIR_CVAR_", "MPIR_PARAM_", "MPICH_")
LONGEST_TEXT = 384
CONTROL_TYPES = {"int": "int", "boolean": "int", "enum": "int", "double": "double", "string": "const char *", "range": None}
MEASURE_TYPES = {"MPI_UNSIGNED": ("unsigned", "UNSIGNED"), "MPI_UNSIGNED_LONG": ("unsigned long", "UNSIGNED_LONG"),
                 "MPI_UNSIGNED_LONG_LONG": ("unsigned long long", "UNSIGNED_LONG_LONG"), "MPI_DOUBLE": ("double", "DOUBLE")}


def quoted(text):
    """A C string with the lines of the text."""
    plain = "\n".join(" ".join(line.split()) for line in str(text).strip().splitlines())
    return '"' + plain.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def declared(c_type, name):
    return f"{c_type}{'' if c_type.endswith('*') else ' '}{name}"


def beginning_of(sources, what):
    """The notices of the sources, from which names and descriptions are, and what the file is."""
    written = "DO NOT EDIT: from_mpich.py of mpit has written this from the declarations in the sources."
    return "\n\n".join([*sources.notices, f"{what}\n{written}\nWhat is mpit's own in it is under the BSD 3-Clause License."])


def comment_of(text):
    return "/*\n" + "\n".join(f" * {line}".rstrip() for line in text.splitlines()) + "\n */"


def readme_of(sources, given):
    yield beginning_of(sources, "The names in the environment that set the control variables.") + "\n" + "-" * 75 + "\n"
    for each in sources.controls.values():
        yield each.name
        aliases = each.names()[1:]
        yield from (f"    {'Aliases:' if alias is aliases[0] else ' ' * 8} {alias}" for alias in aliases)
        lines = [line.strip() for line in str(each.description).strip().splitlines()]
        for before, line in zip(["    Description: "] + [" " * 8] * len(lines), lines):
            yield textwrap.fill(line, 75, initial_indent=before, subsequent_indent=" " * 8, replace_whitespace=False,
                                break_long_words=False, break_on_hyphens=False)
        yield f"    Default: {each.initial()}\n"


def header_of(sources, given):
    name, range_type = given.name, given.range_type
    yield comment_of(beginning_of(sources, "The control and performance variables of the sources."))
    yield f"#ifndef {name.upper()}_H\n#define {name.upper()}_H\n"
    yield "#include <mpit/declare.h>\n#include <stdbool.h>\n"
    if any(each.type == "range" for each in sources.controls.values()):
        yield f"#ifndef MPIR_CVAR_HAS_RANGE_TYPE\ntypedef struct {{\n    int low, high;\n}} {range_type};\n#endif\n"
    groups = {}
    for each in sources.controls.values():
        if each.type == "enum":
            groups.setdefault(each.group or each.short(), []).extend(f"{each.name}_{item}" for item in each.items)
    for group, constants in groups.items():
        yield f"enum {group}_choices {{ {', '.join(constants)} }};"
    for each in sources.controls.values():
        c_type = CONTROL_TYPES[each.type] or range_type
        yield f"extern {declared(c_type, each.name)}; /* {each.place} */"
        if each.is_of_device:
            yield f"#ifdef MPID_{each.short()}\n#define {each.name}_DEFAULT MPID_{each.short()}\n#else"
        yield f"#define {each.name}_DEFAULT {each.initial()}"
        if each.is_of_device:
            yield "#endif"
    yield "\n/* The default of a variable, by its whole name. */"
    yield from (f"#define MPIR_CVAR_GET_DEFAULT_{of}(name_, to_) (*(to_) = name_##_DEFAULT)" for of in ("INT", "BOOLEAN", "DOUBLE", "STRING"))
    if given.macros:
        yield (mpich_macros.MACROS + (mpich_macros.EVENT_MACROS if sources.event_count else "")).replace("NAME", name)
    for each in () if given.macros else sources.measures.values():
        yield f"extern {cell_of(each)}; /* {each.place} */"
    yield (f"\n/* Shows the variables to tools, and takes values from outside. Returns how many could not be added, or -1 without memory.\n"
           f" * One thread at a time calls this and {name}_close(). */\nint {name}_open(void);")
    if given.rejection_code:
        yield (f"/* {given.rejection_code} if a value from outside could not be used since this was called last, 0 if all could. Each is\n"
               f" * reported. */\nint {name}_rejected(void);")
    yield f"/* The variables end; their storage stays. */\nvoid {name}_close(void);\n\n#endif"


def cell_of(measure):
    names = {"COUNTER": "mpit_counter PVAR_COUNTER_", "TIMER": "mpit_timer PVAR_TIMER_"}
    return names.get(measure.of_class, f"{MEASURE_TYPES[measure.type][0]} PVAR_LEVEL_") + measure.name


def definitions_of(sources, given):
    for each in sources.controls.values():
        c_type = CONTROL_TYPES[each.type] or given.range_type
        yield f"{declared(c_type, each.name)} = {each.name}_DEFAULT;"
        if each.type == "string":
            yield f"static char {each.short()}_text[{LONGEST_TEXT}];"
    for each in () if given.macros else sources.measures.values():
        initial = {"COUNTER": "MPIT_COUNTER_CELL", "TIMER": "MPIT_TIMER_CELL"}.get(each.of_class, "0")
        yield f"{cell_of(each)} = {initial};"


SETTINGS = "const char* description, mpit_verbosity verbosity, mpit_scope scope, const char* environment"
# For each type of a control variable: the parameters of the function that adds one, its row, and what else the function does.
ADDING_CONTROLS = {
    "int": ("int* storage", "INT(name, storage", "", ""),
    "boolean": ("int* storage", "SWITCH(name, storage", "", ""),
    "double": ("double* storage", "DOUBLE(name, storage", "", ""),
    "range": ("int* storage", "NUMBERS(INT, name, storage, 2", "", ""),
    "enum": ("int* storage, const char* words, int first", "CHOICE(name, storage, enumeration_of(name, words, first)", "", ""),
    "string": (f"char (*text)[{LONGEST_TEXT}], const char** pointer, bool is_null", "TEXT(name, *text",
               f"""    if (*pointer != NULL && *pointer != *text) strncpy(*text, *pointer, {LONGEST_TEXT - 1});
    texts[used.texts].text = *text;
    texts[used.texts].longer = *pointer != NULL && strlen(*pointer) >= {LONGEST_TEXT} ? *pointer : NULL;
    texts[used.texts].pointer = pointer;
    texts[used.texts++].is_null = is_null;
""", ", .on_write = text_is_written, .any_length = true"),
}
TEXTS = """
/* The texts, and the pointers by which the sources read them; where the default is NULL, an empty one is NULL too. Tools see what fits
 * into `text`. A longer one is whole for the sources: each is copied once, and never freed, because a source may have its address. */
static struct longer_text {
    struct longer_text* next;
    char text[];
}* longer_texts;
static const char* copy_of(const char* value, size_t length) {
    struct longer_text* made = longer_texts;
    while (made != NULL && strcmp(made->text, value) != 0) made = made->next;
    if (made != NULL) return made->text;
    made = malloc(sizeof *made + length + 1);
    if (made == NULL) return NULL;
    made->next = longer_texts;
    longer_texts = made;
    return strcpy(made->text, value);
}
static struct {
    char* text;
    bool is_null; /* between the addresses */
    const char** pointer;
    const char* longer;
} texts[text_count];
static mpit_reply text_is_written(const void* value, void* storage) {
    const size_t length = strlen(value);
    unsigned i = 0;
    while (i < used.texts && texts[i].text != storage) i++;
    if (i == used.texts) return MPIT_NEVER;
    if (length < LONGEST) {
        *texts[i].pointer = texts[i].is_null && length == 0 ? NULL : texts[i].text;
        return MPIT_ACCEPTED;
    }
    const char* const copy = copy_of(value, length);
    if (copy == NULL) return MPIT_NOT_NOW;
    *texts[i].pointer = texts[i].longer = copy;
    return MPIT_ACCEPTED;
}
/* Values from outside that fit are in `text` only. */
static void point_to_texts(void) {
    for (unsigned i = 0; i < used.texts; i++) {
        const bool is_longer = texts[i].longer != NULL && strlen(texts[i].text) == LONGEST - 1 &&
                               strncmp(texts[i].longer, texts[i].text, LONGEST - 1) == 0;
        *texts[i].pointer = is_longer ? texts[i].longer : texts[i].is_null && *texts[i].text == '\\0' ? NULL : texts[i].text;
    }
}""".replace("LONGEST", str(LONGEST_TEXT))
ENUMERATIONS = """
static mpit_item items[item_count];
static mpit_enumeration enumerations[enumeration_count];
/* The words end with an empty one, and their values follow each other. */
static const mpit_enumeration* enumeration_of(const char* name, const char* words, int first) {
    mpit_enumeration* const made = &enumerations[used.enumerations++];
    made->name = MPIT_ROW_NAME(name);
    made->items = &items[used.items];
    for (; *words != '\\0'; words += strlen(words) + 1) {
        items[used.items].name = words;
        items[used.items++].value = first++;
    }
    used.items++;
    return made;
}"""

REJECTED = """int NAME_rejected(void) {
    int code = 0;
    for (int i = 0; i < category_count; i++) {
        const int of_group = mpit_rejection_code(groups[i]);
        if (of_group != 0) code = of_group;
    }
    return code;
}
"""


def adding_of(sources, given):
    """The functions by which the tables are built, those that are used."""
    used = {each.type for each in sources.controls.values()}
    for of_type, (parameters, row, before, setting) in ADDING_CONTROLS.items():
        if of_type in used:
            yield (f"static void add_{of_type}(const char* name, {parameters}, {SETTINGS}) {{\n{before}    control_rows[used.rows++] = (mpit_control)"
                   f"MPIT_ROW_{row}, description, .verbosity = verbosity, .scope = scope, .environment = environment{setting});\n}}")
    for of_class, of_type in dict.fromkeys(kind_of(each) for each in sources.measures.values() if not given.macros):
        cell = {"COUNTER": "mpit_counter", "TIMER": "mpit_timer"}.get(of_class, MEASURE_TYPES[of_type][0] if of_type else "")
        row = f"AT(LEVEL, {MEASURE_TYPES[of_type][1]}, name" if of_type else f"{of_class}(name"
        yield (f"static void add_{of_class}{of_type}(const char* name, {cell}* cell, const char* description, mpit_verbosity verbosity, bool readonly, "
               f"bool continuous) {{\n    measure_rows[used.measures++] = (mpit_performance)MPIT_ROW_{row}, cell, description, .verbosity = verbosity, "
               ".readonly = readonly, .continuous = continuous);\n}")


def kind_of(measure):
    return measure.of_class, measure.type if measure.of_class == "LEVEL" else ""


def control_of(each):
    where = {"string": f"&{each.short()}_text, &{each.name}, {'true' if each.initial() == 'NULL' else 'false'}", "range": f"&{each.name}.low"}
    storage = where.get(each.type, f"&{each.name}")
    if each.type == "enum":
        words = " ".join(quoted(item)[:-1] + '\\0"' for item in each.items)
        storage += f", {words}, {each.name}_{each.items[0]}"
    environment = quoted(each.environment()) if each.environment() else "NULL"
    return f"add_{each.type}({quoted(each.name)}, {storage}, {quoted(each.description)}, {each.verbosity}, {each.scope}, {environment});"


def measure_of(each):
    flags = ", ".join("true" if f"FLAG_{word}" in each.flags else "false" for word in ("READONLY", "CONTINUOUS"))
    return (f"add_{''.join(kind_of(each))}({quoted(each.name)}, &{cell_of(each).split()[-1]}, {quoted(each.description)}, {each.verbosity}, {flags});")


def source_of(sources, given):
    name, controls = given.name, list(sources.controls.values())
    measures = [] if given.macros else list(sources.measures.values())
    texts = [each for each in controls if each.type == "string"]
    choices = [each for each in controls if each.type == "enum"]
    categories = list(dict.fromkeys(each.category for each in [*controls, *sources.measures.values()]))
    yield comment_of(beginning_of(sources, "The definitions of the variables, and their tables."))
    yield "#define MPIT_AUTOMATIC_TABLES\n"
    yield from (f'#include "{each}"' for each in given.include)
    yield f'#include "{name}.h"\n\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n'
    yield from definitions_of(sources, given)
    yield f"""
/* The tables are built by {name}_open(): until then no page of them is used, and the loader has no address to write. A table ends with an empty row.
 * MPIT_ROW_NAME() hides a constant: of two beside each other a compiler makes a vector, which the loader would fill. */
enum {{
    category_count = {len(categories)},
    row_count = {len(controls) + len(categories)},
    measure_count = {len(measures) + len(categories)},
    text_count = {len(texts)},
    enumeration_count = {len(choices)},
    item_count = {sum(len(each.items) + 1 for each in choices)}
}};
static mpit_control control_rows[row_count];
static mpit_performance measure_rows[measure_count];
static mpit_group* groups[category_count];
static struct category {{
    const char *name, *description;
    const mpit_control* controls;
    const mpit_performance* measures;
}} categories[category_count];
static struct {{
    unsigned categories, rows, measures, texts, enumerations, items;
}} used;"""
    yield (TEXTS if texts else "") + (ENUMERATIONS if choices else "")
    yield from adding_of(sources, given)
    yield """static void begin_category(const char* name, const char* description) {
    if (used.categories != 0) {
        used.rows++;
        used.measures++;
    }
    categories[used.categories++] = (struct category){MPIT_ROW_NAME(name), description, &control_rows[used.rows], &measure_rows[used.measures]};
}

static void build_tables(void) {
    memset(&used, 0, sizeof used);"""
    for category in categories:
        yield f"    begin_category({quoted(category)}, {quoted(sources.categories.get(category, ''))});"
        yield from (f"    {control_of(each)}" for each in controls if each.category == category)
        yield from (f"    {measure_of(each)}" for each in measures if each.category == category)
    yield "}"
    if given.macros:
        events = mpich_macros.EVENTS.replace("COUNT", str(sources.event_count)) if sources.event_count else ""
        yield (mpich_macros.CATEGORIES + events + mpich_macros.ADDING).replace("NAME", name)
    point = "    point_to_texts();\n" if texts else ""
    yield f"""
int {name}_open(void) {{
    mpit_policy policy = {{0}};
    policy.environment = MPIT_ROW_NAME({quoted(", ".join(f"{prefix}*" for prefix in PREFIXES))});
    policy.prefix = {quoted(PREFIXES[0])};
    policy.in_capitals = false;
{f"    policy.rejection_code = {given.rejection_code};" + chr(10) if given.rejection_code else ""}    int refused = 0;
    build_tables();
    for (int i = 0; i < category_count; i++) {{
        groups[i] = mpit_open(NULL, categories[i].name, categories[i].description, &policy);
        if (groups[i] == NULL) return -1;
        refused += mpit_add_controls(groups[i], categories[i].controls, NULL);
        refused += mpit_add_performance(groups[i], categories[i].measures, NULL);
        const int taken = mpit_publish(groups[i]);
        if (taken < 0) return -1;
        refused += taken;
    }}
{point}    return refused;
}}
{REJECTED.replace("NAME", name) if given.rejection_code else ""}void {name}_close(void) {{
{"    forget_performance();" + chr(10) if given.macros else ""}{"    forget_events();" + chr(10) if given.macros and sources.event_count else ""}    for (int i = 0; i < category_count; i++) {{
        mpit_close(groups[i]);
        groups[i] = NULL;
    }}
}}"""
