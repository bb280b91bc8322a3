#!/usr/bin/env python3
"""Lesson 18: the variables of a program with mpi4py.

Rank 0 comes late to a gather. It reads how many messages wait for it before and after, with two algorithms that it sets.

    mpiexec -n 4 python3 18-variables.py
"""

import array
import os

# Without this Open MPI decides itself about algorithms.
os.environ["OMPI_MCA_coll_tuned_use_dynamic_rules"] = "1"

from mpi4py import MPI  # starts the MPI

from mpit_info import variables

world = MPI.COMM_WORLD
rank, size = world.Get_rank(), world.Get_size()


def say(text):
    if rank == 0:
        print(text, flush=True)


algorithm = variables.controls["coll_tuned_gather_algorithm"]
say(f"{algorithm.name} is {algorithm.value}. Its scope is {algorithm.scope}, its values are")
for choice in algorithm.enumeration:
    say(f"  {choice.value} {choice}")

for name, senders in ("basic_linear", size - 1), ("binomial", (size - 1).bit_length()):
    algorithm.value = name  # in all processes, as the scope says; for communicators that are made from now on
    comm = world.Dup()
    everything = array.array("i", [0] * size)
    with variables.performances["pml_ob1_unexpected_msgq_length"].of(comm) as waiting:
        if rank == 0:
            while sum(waiting.value) < senders:
                comm.Iprobe()
            say(f"{algorithm.value}: so many messages of each rank wait: {waiting.value}")
        comm.Gather(array.array("i", [rank]), everything)
        say(f"after the gather: {waiting.value}")
    comm.Free()

for attempt in (lambda: setattr(variables.controls["mpi_param_check"], "value", False),
                lambda: variables.controls["coll_tuned_gathr_algorithm"]):
    try:
        attempt()
    except variables.Error as refusal:
        say(f"{type(refusal).__name__}: {refusal}")
