#!/usr/bin/env python3
"""Lesson 18: the variables of a running program in Python.

The module of mpit-info reads and writes those of the MPI that mpi4py has started, here Open MPI: the number of messages of an
allreduce, and the algorithm for communicators that are made from then on.

    mpiexec -n 4 python3 18-variables.py
"""

import os

# Open MPI counts messages, and takes an algorithm, only if it is told so before its start.
os.environ.update(OMPI_MCA_pml_monitoring_enable="1", OMPI_MCA_coll_tuned_use_dynamic_rules="1")

from mpi4py import MPI  # starts the MPI

from mpit_info import variables

is_first = MPI.COMM_WORLD.Get_rank() == 0

# A control variable. The scope says that all processes must set it.
algorithm = variables.controls["coll_tuned_allreduce_algorithm"]
if is_first:
    print(f"{algorithm.name} is {algorithm.value}, scope {algorithm.scope}, one of:")
    for choice in algorithm.enumeration:
        print(f"  {choice.value} {choice}")
algorithm.value = "ring"
ring = MPI.COMM_WORLD.Dup()
if is_first:
    print(f"It is {algorithm.value} now.")

# A performance variable of a communicator. It counts in the block.
with variables.performances["coll_monitoring_a2a_count"].of(ring) as messages:
    before = messages.value
    ring.allreduce(1)
    after = messages.value
if is_first:
    print(f"{messages.description} Before an allreduce {before}, after it {after}.")

try:
    variables.controls["btl_tcp_eager_limit"].value = 4096
except variables.ReadOnly as refusal:
    if is_first:
        print(refusal)
try:
    variables.controls["coll_tuned_alreduce_algorithm"]
except KeyError as refusal:
    if is_first:
        print(refusal)
