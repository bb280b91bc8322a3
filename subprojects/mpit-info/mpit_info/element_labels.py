"""What the elements of arrays are: `element_labels.label(labels, "unexpected", 3)` is `peer 3`.

A control variable NAME_labels has the labels of the elements of NAME, in the same category and separated by commas. For arrays of MPICH and
Open MPI that are known here none is needed.
"""

import re

from mpit_info import document

# The names of arrays, and what an element is by its number.
KNOWN = tuple((re.compile(name), text) for name, text in (
    # Open MPI, of a communicator: common/monitoring, and the queues of pml/ob1.
    (r"(pml|coll)_monitoring_messages_(count|size)|osc_monitoring_messages_(sent|recv)_(count|size)", "rank {}"),
    (r"pml_ob1_(unexpected_msgq|posted_recvq)_length", "rank {}"),
    # MPICH with ch3:nemesis: the ranks of the same node.
    (r"nem_fbox_fall_back_to_queue_count", "local rank {}")))


def of_document(told):
    """The labels of a document, as lists by the name of the array."""
    return {member["name"]: [part.strip() for part in control["value"].split(",")] for member, control in document.companions(told, "_labels")
            if control["type"] == "char" and control["scope"] in ("constant", "readonly") and isinstance(control["value"], str) and control["value"]}


def common(known, told):
    """The labels that are known with those of another document: none of an array whose elements have other labels there."""
    pairs = {name: sorted((known.get(name, labels), labels), key=len) for name, labels in told.items()}
    return {**known, **{name: longer if shorter and shorter == longer[:len(shorter)] else [] for name, (shorter, longer) in pairs.items()}}


def label(labels, name, element):
    """The label of an element; an empty text without one."""
    if element is None:
        return ""
    if name in labels:
        return labels[name][element] if element < len(labels[name]) else ""
    return next((text.format(element) for known, text in KNOWN if known.fullmatch(name)), "")
