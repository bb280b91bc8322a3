"""The one place where values come in from outside: `schema.problem("schema.json", schema.parsed(data))`.

Whatever passes has the types, the finite numbers and the sizes of its schema, one of the files beside this package.

Takes the keywords of JSON Schema that those files use, and refuses to load any other. Checking a sample of a hundred values takes
some ten microseconds, which the package jsonschema cannot do; the tests compare the verdicts of both. Stricter than the
standard in one point: 1.0 is no integer.
"""

import functools
import json
import math
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent.parent
# What describes and does not check.
SILENT = {"$schema", "$id", "$defs", "title", "description", "$comment"}
# Where the schemas of these names are.
FILES = {"urn:mpit-info:1": "schema.json"}
SHORT = 40
NO_JSON = "is not JSON"


class Misfit(ValueError):
    """Text from outside that is not what it should be; the sentence says where, and can be shown."""


def refused_constant(word):
    """NaN and infinities are no JSON."""
    raise Misfit(f"holds {word}, which is not JSON")


DECODER = json.JSONDecoder(parse_constant=refused_constant)


def parsed(data):
    """The value of a JSON text, which may be bytes."""
    try:
        value = DECODER.decode(data if isinstance(data, str) else data.decode())
        # Half of a character that UTF-16 has two for can only be written so: "\ud800".
        if (b"\\u" if isinstance(data, bytes) else "\\u") in data:
            json.dumps(value, ensure_ascii=False).encode()
    except Misfit:
        raise
    except RecursionError:
        raise Misfit("is nested too deeply") from None
    except UnicodeEncodeError:
        raise Misfit("holds half a character, which UTF-8 has not") from None
    except ValueError:
        raise Misfit(NO_JSON) from None
    return value


def problem(name, value, part=""):
    """What is wrong with a value by the schema in this file, as `columns[3].name is no string`; None for nothing."""
    found = compiled(name, part)(value)
    return found and (found[1:] if found.startswith(".") else found).strip()


@functools.lru_cache(maxsize=None)
def file(name):
    """The schema in a file."""
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


@functools.lru_cache(maxsize=None)
def compiled(name, part=""):
    """A function from a value to the text of its first problem, or to None; `part` is a path in the file, /$defs/name."""
    inner = file(name)
    for step in filter(None, part.split("/")):
        inner = inner[step]
    return compiled_part(name, inner)


def shown(text):
    """A word from outside that a message can show: short, in quotes, without control characters."""
    text = str(text)
    return ascii(text if len(text) <= SHORT else text[:SHORT] + "...")


def compiled_part(name, inner):
    """The function for a part of the schema of this name."""
    words = set(inner) - SILENT
    if words == {"$ref"}:
        other, _, part = inner["$ref"].partition("#")
        return compiled(FILES[other] if other else name, part)
    if words == {"anyOf"}:
        return any_of([compiled_part(name, one) for one in inner["anyOf"]])
    if not words <= KEYWORDS:
        raise ValueError(f"{name} uses {sorted(words)}, which schema.py does not know together")
    if "const" in inner or "enum" in inner:
        return one_of([inner["const"]] if "const" in inner else inner["enum"])
    types = inner.get("type", [])
    checks = {kind: check for word in ([types] if isinstance(types, str) else types)
              for kind, check in CHECKS[word](name, inner)}
    if not types:
        return lambda value: None
    if len(checks) == 1:
        (only, check), = checks.items()
        wrong = f" is no {types}"
        return lambda value: check(value) if type(value) is only else wrong
    wrong = f" is no {types}" if isinstance(types, str) else f" is none of {', '.join(types)}"
    known = checks.get
    refused = lambda value: wrong
    return lambda value: known(type(value), refused)(value)


def any_of(checks):
    """Passes what passes one of these."""
    def check(value):
        for one in checks:
            found = one(value)
            if found is None:
                return None
        return found
    return check


def one_of(values):
    """Passes these constants; 1 is not True here."""
    kinds = {(type(value), value) for value in values}

    def check(value):
        try:
            return None if (type(value), value) in kinds else " is no word that is known here"
        except TypeError:
            return " is no word that is known here"
    return check


def within(name, least, most):
    """Passes numbers from `least` to `most`."""
    wrong = f" is no {name} from {least:g} to {most:g}"
    return lambda value: None if least <= value <= most else wrong


def number_checks(name, inner):
    """Passes finite numbers within the limits; none that a float cannot hold, so that sums and means cannot raise."""
    check = within("number", max(inner.get("minimum", -sys.float_info.max), -sys.float_info.max),
                   min(inner.get("maximum", sys.float_info.max), sys.float_info.max))
    return [(int, check), (float, check)]


def integer_checks(name, inner):
    """Passes whole numbers within the limits."""
    return [(int, within("integer", inner.get("minimum", -math.inf), inner.get("maximum", math.inf)))]


def text_checks(name, inner):
    """Passes texts of these lengths, in characters."""
    least, most = inner.get("minLength", 0), inner.get("maxLength", math.inf)
    wrong = f" is no text of {least} to {most} characters"
    return [(str, lambda value: None if least <= len(value) <= most else wrong)]


def list_checks(name, inner):
    """Passes lists of what fits."""
    first = [compiled_part(name, one) for one in inner.get("prefixItems", [])]
    every = compiled_part(name, inner["items"]) if "items" in inner else None
    least, most = inner.get("minItems", 0), inner.get("maxItems", math.inf)
    wrong = f" is no list of {least} to {most} elements"

    def check(value):
        if not least <= len(value) <= most:
            return wrong
        for place, element in enumerate(value[:len(first)]):
            if (found := first[place](element)) is not None:
                return f"[{place}]{found}"
        if every is not None:
            for element in value[len(first):] if first else value:
                if (found := every(element)) is not None:
                    return f"[{next(place for place, each in enumerate(value) if each is element)}]{found}"
        return None
    return [(list, check)]


def object_checks(name, inner):
    """Passes objects whose properties fit."""
    known = {word: compiled_part(name, one) for word, one in inner.get("properties", {}).items()}
    required, most = inner.get("required", []), inner.get("maxProperties", math.inf)
    others = inner.get("additionalProperties", True)
    rest = compiled_part(name, others) if isinstance(others, dict) else None

    def check(value):
        if len(value) > most:
            return f" has more than {most} properties"
        for word in required:
            if word not in value:
                return f" has no {word}"
        for word, each in value.items():
            of_word = known.get(word, rest)
            if of_word is None:
                if others is False:
                    return f" has a property {shown(word)}, which is not known"
                continue
            if (found := of_word(each)) is not None:
                return f".{word if word in known else shown(word)}{found}"
        return None
    return [(dict, check)]


def plain_checks(kind):
    """Passes all of a type."""
    return lambda name, inner: [(kind, lambda value: None)]


CHECKS = {"object": object_checks, "array": list_checks, "string": text_checks, "boolean": plain_checks(bool),
          "null": plain_checks(type(None)), "integer": integer_checks, "number": number_checks}
KEYWORDS = {"type", "enum", "const", "required", "properties", "additionalProperties", "maxProperties", "items",
            "prefixItems", "minItems", "maxItems", "minimum", "maximum", "minLength", "maxLength"}
