"""The commands get and set on running processes: `settings.show(options)`.

Each process answers with the values, or with the reason why not and the name of the MPI_T error.
"""

import sys

from mpit_info import reaching, words
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


def answers(pids, request):
    """The answers of all processes that can be reached, and whether those are all; of the others a sentence is printed."""
    told, sentences = reaching.of_those_reached(pids, lambda pid: reaching.answer(pid, request))
    for sentence in sentences:
        print(f"mpit-info: {sentence}; it is left out", file=sys.stderr)
    return told, not sentences


def chosen_by(options):
    """The numbers of all processes that can be reached, or of the one of --rank, and whether those are all. All that are there must answer
    before any of them is written.
    """
    told, are_all = answers(reaching.processes(options), {"want": "get", "names": []})
    chosen = [each["pid"] for each in told if options.rank is None or each.get("rank") == options.rank]
    if not chosen:
        raise Refusal(f"there is no rank {options.rank} among these processes", 1)
    return chosen, are_all


def hint(word, pid, kinds=("control", "performance")):
    """Which variable of a process a name perhaps means that no variable has."""
    told, _ = answers([pid], {"want": "get", "names": ["*"]})
    return words.perhaps(word, [one["name"] for answer in told for one in answer["values"] if one.get("kind") in kinds])


def get(options):
    """Prints the values of variables; returns 1 if nothing has the name, or if a process cannot be reached."""
    chosen, were_all = chosen_by(options)
    told, are_all = answers(chosen, {"want": "get", "names": options.names})
    for name, values in ranks(told):
        for one in values:
            if "error" not in one and one["value"] is None and "problem" in one:
                print(f"{name}: {clean(one['name'])}: {clean(str(one['problem']))}")
                continue
            print(f"{name}: {clean(one['name'])} = {refusal(one) if 'error' in one else shown(one['value'])}")
    if not any(answer["values"] for answer in told):
        raise Refusal(f"no variable matches {' '.join(options.names)}{hint(options.names[0], chosen[0])}", 1)
    return 0 if were_all and are_all else 1


def parsed(assignments):
    """The names and values of all assignments, before any of them is written."""
    pairs = [assignment.partition("=") for assignment in assignments]
    for assignment, (variable, equals, _) in zip(assignments, pairs):
        if not equals or not variable:
            raise Refusal(f"{assignment} is not NAME=VALUE")
    return [(variable, value) for variable, _, value in pairs]


def set_all(options):
    """Writes control variables; returns 1 if a process refuses or cannot be reached."""
    wanted = parsed(options.assignments)
    chosen, were_all = chosen_by(options)
    status, hints = 0 if were_all else 1, {}
    for variable, value in wanted:
        request = {"want": "set", "name": variable, "value": value}
        told, are_all = answers(chosen, request)
        status = status if are_all else 1
        for name, values in ranks(told):
            for one in values:
                if "error" not in one:
                    print(f"{name}: {clean(variable)} = {shown(one['value'])}")
                    continue
                status = 1
                if one["error"] == "MPI_T_ERR_INVALID_NAME" and variable not in hints:
                    hints[variable] = hint(variable, chosen[0], ("control",))
                near = hints.get(variable, "")
                kept = f"; it is {shown(one['value'])}" if one.get("value") is not None else ""
                print(f"{name}: {clean(variable)} was not set: {refusal(one)}{kept}{near}", file=sys.stderr)
    return status


def show(options):
    """Runs the command; returns the exit status."""
    return get(options) if options.command == "get" else set_all(options)
