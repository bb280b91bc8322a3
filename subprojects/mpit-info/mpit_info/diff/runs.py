"""One side of a comparison: `runs.read("a.jsonl")` has the launches of a record, or of a document as one sample."""

from mpit_info import document, recording, words
from mpit_info.launches import Launches
from mpit_info.refusal import Refusal


def read(path):
    """The launches of a record that `watch --record` has written, or of a document of `--json`."""
    try:
        source = recording.Replay(path, 0)
    except Refusal as refusal:
        try:
            return of_document(document.read(path))
        except Refusal:
            raise refusal from None
    launches = Launches(command=source.command)
    for process, message in source.messages():
        if message is not None:
            launches.accept(process, message)
    launches.finish(source.status, source.problems())
    if not launches.has_processes():
        raise Refusal(f"no process has sent anything in {path}")
    return launches


def of_document(told):
    """One process whose variables were read once."""
    launches, mpi = Launches(command=told["program"]), told["mpi"]
    known = [member for member in told["performance_variables"]
             if isinstance(member["value"], (int, float)) and not isinstance(member["value"], bool)]
    columns = [{"name": member["name"], "class": words.of_member(member)[1], "type": member["type"]} for member in known]
    for message in ({"message": "hello", "rank": mpi["rank"], "processes": 1},
                    {"message": "snapshot", "document": told}, {"message": "columns", "columns": columns},
                    {"message": "sample", "time": 0.0, "values": [member["value"] for member in known]}):
        launches.accept(0, message)
    return launches
