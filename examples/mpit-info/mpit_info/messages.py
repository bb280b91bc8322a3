"""What the processes of a program send, one JSON object a line: `messages.parsed(b'{"message": "lost", "events": 3}')`.

Whatever passes fits stream.json. What texts hold may be anything; it is cleaned where it is shown.
"""

from mpit_info import document, schema
from mpit_info.refusal import Refusal
from mpit_info.schema import Misfit

# A line may not be longer, in bytes: some 150,000 variables with their descriptions.
LONGEST = 64 << 20
KINDS = tuple(part["$ref"].rpartition("/")[2] for part in schema.file("stream.json")["anyOf"])
KNOWN = {kind: frozenset(schema.file("stream.json")["$defs"][kind]["properties"]) for kind in KINDS}
# What only a record has.
OF_RECORDS = ("recording", "status")


def checked(message, of_record=False):
    """The message without properties that are not known, a document in it completed; None for a kind that is not known."""
    if type(message) is not dict:
        raise Misfit("is no JSON object")
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
            raise Misfit(f"is no snapshot: {refusal}") from None
    problem = schema.problem("stream.json", message, f"/$defs/{kind}")
    if problem:
        raise Misfit(f"is no {kind}: {problem}")
    return message


def parsed(line):
    """The message of one line; None for a kind that is not known."""
    return checked(schema.parsed(line))
