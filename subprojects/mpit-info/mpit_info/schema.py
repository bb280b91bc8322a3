"""Validates values from outside: `schema.problem("schema.json", schema.parsed(data))`.

Every accepted value has the types, finite numbers and sizes of its schema, one of the files beside this package. The
keywords of JSON Schema that those files use are supported; a schema with any other is refused. Checking a sample of a
hundred values takes about ten microseconds, less than the package jsonschema needs; the tests compare the results of
both. Stricter than the standard in one point: 1.0 is not an integer.
"""

import functools
import json
import math
import pathlib
import sys

INSIDE = pathlib.Path(__file__).resolve().parent
# Keywords that describe and do not check.
SILENT = {"$schema", "$id", "$defs", "title", "description", "$comment"}
# The files of the schemas.
FILES = {"urn:mpit-info:1": "schema.json"}
SHORT = 40
NO_JSON = "is not JSON"


class Misfit(ValueError):
    """Invalid text from outside; the sentence names the place and is safe to print."""


def refused_constant(word):
    """Refuses NaN and infinities, which JSON does not have."""
    raise Misfit(f"holds {word}, which is not JSON")


DECODER = json.JSONDecoder(parse_constant=refused_constant)


def parsed(data):
    """The value of a JSON text, which may be bytes."""
    try:
        value = DECODER.decode(data if isinstance(data, str) else data.decode())
        # A lone surrogate can only be written as an escape: "\ud800".
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
    """The first violation of the schema in this file, as `columns[3].name is not a string`; None if it is valid."""
    found = compiled(name, part)(value)
    return found and (found[1:] if found.startswith(".") else found).strip()


@functools.lru_cache(maxsize=None)
def file(name):
    """The schema in a file."""
    # A wheel has the files in the package, a source tree and an installation beside it.
    path = INSIDE / name if (INSIDE / name).is_file() else INSIDE.parent / name
    return json.loads(path.read_text(encoding="utf-8"))


@functools.lru_cache(maxsize=None)
def compiled(name, part=""):
    """A function that returns the text of a value's first problem, or None; `part` is a path in the file, /$defs/name.
    """
    inner = file(name)
    for step in filter(None, part.split("/")):
        inner = inner[step]
    return compiled_part(name, inner)


def shown(text):
    """A word from outside for a message: short, in quotes, without control characters."""
    text = str(text)
    return ascii(text if len(text) <= SHORT else text[:SHORT] + "...")


def with_article(word):
    """The name of a type with its article: `an integer`."""
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"


def compiled_part(name, inner):
    """The function for a part of the schema of this name."""
    words = set(inner) - SILENT
    if words == {"$ref"}:
        other, _, part = inner["$ref"].partition("#")
        return compiled(FILES[other] if other else name, part)
    if words == {"anyOf"}:
        return any_of([compiled_part(name, one) for one in inner["anyOf"]])
    if not words <= KEYWORDS:
        raise ValueError(f"{name} uses {sorted(words)}, a combination that schema.py does not support")
    if "const" in inner or "enum" in inner:
        return one_of([inner["const"]] if "const" in inner else inner["enum"])
    types = inner.get("type", [])
    checks = {kind: check for word in ([types] if isinstance(types, str) else types)
              for kind, check in CHECKS[word](name, inner)}
    if not types:
        return lambda value: None
    if len(checks) == 1:
        (only, check), = checks.items()
        wrong = f" is not {with_article(types)}"
        return lambda value: check(value) if type(value) is only else wrong
    wrong = f" is not {with_article(types)}" if isinstance(types, str) else f" is not one of {', '.join(types)}"
    known = checks.get
    refused = lambda value: wrong
    return lambda value: known(type(value), refused)(value)


def any_of(checks):
    """Accepts a value that one of these accepts."""
    def check(value):
        for one in checks:
            found = one(value)
            if found is None:
                return None
        return found
    return check


def one_of(values):
    """Accepts these constants; 1 is not True here."""
    kinds = {(type(value), value) for value in values}

    def check(value):
        try:
            return None if (type(value), value) in kinds else " is not one of the known words"
        except TypeError:
            return " is not one of the known words"
    return check


def within(name, least, most):
    """Accepts numbers from `least` to `most`."""
    wrong = f" is not {with_article(name)} from {least:g} to {most:g}"
    return lambda value: None if least <= value <= most else wrong


def number_checks(name, inner):
    """Accepts finite numbers within the limits that fit a float, so that sums and means cannot raise."""
    check = within("number", max(inner.get("minimum", -sys.float_info.max), -sys.float_info.max),
                   min(inner.get("maximum", sys.float_info.max), sys.float_info.max))
    return [(int, check), (float, check)]


def integer_checks(name, inner):
    """Accepts integers within the limits."""
    return [(int, within("integer", inner.get("minimum", -math.inf), inner.get("maximum", math.inf)))]


def text_checks(name, inner):
    """Accepts texts of these lengths, in characters."""
    least, most = inner.get("minLength", 0), inner.get("maxLength", math.inf)
    wrong = f" is not a text of {least} to {most} characters"
    return [(str, lambda value: None if least <= len(value) <= most else wrong)]


def list_checks(name, inner):
    """Accepts lists of valid elements."""
    first = [compiled_part(name, one) for one in inner.get("prefixItems", [])]
    every = compiled_part(name, inner["items"]) if "items" in inner else None
    least, most = inner.get("minItems", 0), inner.get("maxItems", math.inf)
    wrong = f" is not a list of {least} to {most} elements"

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
    """Accepts objects with valid properties."""
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
                    return f" has a property {shown(word)}, which is unknown"
                continue
            if (found := of_word(each)) is not None:
                return f".{word if word in known else shown(word)}{found}"
        return None
    return [(dict, check)]


def plain_checks(kind):
    """Accepts all values of a type."""
    return lambda name, inner: [(kind, lambda value: None)]


CHECKS = {"object": object_checks, "array": list_checks, "string": text_checks, "boolean": plain_checks(bool),
          "null": plain_checks(type(None)), "integer": integer_checks, "number": number_checks}
KEYWORDS = {"type", "enum", "const", "required", "properties", "additionalProperties", "maxProperties", "items",
            "prefixItems", "minItems", "maxItems", "minimum", "maximum", "minLength", "maxLength"}
