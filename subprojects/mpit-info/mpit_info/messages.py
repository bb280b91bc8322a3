"""The messages of the processes of a program, one JSON object a line: `messages.parsed(b'{"message": "lost", "events":
3}')`.

Every accepted message conforms to stream.json. Texts may contain anything; they are cleaned when they are shown.
"""

from mpit_info import document, schema, words
from mpit_info.refusal import Refusal
from mpit_info.schema import Misfit

# The longest line, in bytes: about 150,000 variables with their descriptions.
LONGEST = 64 << 20
KINDS = tuple(part["$ref"].rpartition("/")[2] for part in schema.file("stream.json")["anyOf"])
KNOWN = {kind: frozenset(schema.file("stream.json")["$defs"][kind]["properties"]) for kind in KINDS}
# Messages that only a record contains.
OF_RECORDS = ("recording", "status")


def checked(message, of_record=False):
    """The message without unknown properties, with its document completed; None for an unknown kind."""
    if type(message) is not dict:
        raise Misfit("is not a JSON object")
    kind = message.get("message")
    if type(kind) is not str:
        raise Misfit("has no kind of message")
    known = KNOWN.get(kind)
    if known is None or (kind in OF_RECORDS and not of_record):
        return None
    if not known.issuperset(message):
        message = {name: value for name, value in message.items() if name in known}
    if kind == "snapshot":
        try:
            return {**message, "document": document.complete(message.get("document"), "its document")}
        except Refusal as refusal:
            raise Misfit(f"is not a valid snapshot: {refusal}") from None
    problem = schema.problem("stream.json", message, f"/$defs/{kind}")
    if problem:
        raise Misfit(f"is not a valid {kind}: {problem}")
    if kind == "columns":
        return {**message, "columns": [
            {**column, "class": words.class_of(column["name"], column.get("class", "generic"))} for column in message["columns"]]}
    return message


def parsed(line):
    """The message of one line; None for an unknown kind."""
    return checked(schema.parsed(line))
