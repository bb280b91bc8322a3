"""The commands get and set on running processes: `settings.show(options)`.

Each process answers with the values, or with the reason why not and the name of the MPI_T error.
"""

import sys

from mpit_info import reaching
from mpit_info.document import clean
from mpit_info.refusal import Refusal


def shown(value):
    """A value as a text."""
    if value is None:
        return "-"
    return " ".join(map(shown, value)) if isinstance(value, list) else clean(str(value))


def refusal(one):
    """The reason why there is no value, or why it was not written."""
    return f"{clean(str(one.get('problem', 'refused')))} ({clean(str(one['error']))})"


def ranks(told):
    """The answers by rank, with the name of each process."""
    for answer in sorted(told, key=lambda each: (each.get("rank", -1), each.get("pid", 0))):
        rank = answer.get("rank", -1)
        yield f"rank {rank}" if rank >= 0 else f"process {answer.get('pid')}", answer["values"]


def chosen_by(options):
    """The numbers of all processes, or of the one of --rank. All must answer before any of them is written."""
    told = [reaching.answer(pid, {"want": "get", "names": []}) for pid in reaching.processes(options)]
    chosen = [each["pid"] for each in told if options.rank is None or each.get("rank") == options.rank]
    if not chosen:
        raise Refusal(f"there is no rank {options.rank} among these processes", 1)
    return chosen


def get(options):
    """Prints the values of variables; returns 1 if nothing has the name."""
    told = [reaching.answer(pid, {"want": "get", "names": options.names}) for pid in chosen_by(options)]
    for name, values in ranks(told):
        for one in values:
            if "error" not in one and one["value"] is None and "problem" in one:
                print(f"{name}: {clean(one['name'])}: {clean(str(one['problem']))}")
                continue
            print(f"{name}: {clean(one['name'])} = {refusal(one) if 'error' in one else shown(one['value'])}")
    if not any(answer["values"] for answer in told):
        raise Refusal(f"no variable matches {' '.join(options.names)}", 1)
    return 0


def parsed(assignments):
    """The names and values of all assignments, before any of them is written."""
    pairs = [assignment.partition("=") for assignment in assignments]
    for assignment, (variable, equals, _) in zip(assignments, pairs):
        if not equals or not variable:
            raise Refusal(f"{assignment} is not NAME=VALUE")
    return [(variable, value) for variable, _, value in pairs]


def set_all(options):
    """Writes control variables; returns 1 if a process refuses."""
    wanted = parsed(options.assignments)
    status, chosen = 0, chosen_by(options)
    for variable, value in wanted:
        request = {"want": "set", "name": variable, "value": value}
        for name, values in ranks([reaching.answer(pid, request) for pid in chosen]):
            for one in values:
                if "error" not in one:
                    print(f"{name}: {clean(variable)} = {shown(one['value'])}")
                    continue
                status = 1
                kept = f"; it is {shown(one['value'])}" if one.get("value") is not None else ""
                print(f"{name}: {clean(variable)} was not set: {refusal(one)}{kept}", file=sys.stderr)
    return status


def show(options):
    """Runs the command; returns the exit status."""
    return get(options) if options.command == "get" else set_all(options)
