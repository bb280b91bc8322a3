"""The command `mpit-info tune`, which finds the best value of a control variable: `command.show(options)`.

Data flow in one direction: the values to try (sweep), the way each is set (setting), the runs (trial, with a metric),
the races between them (search, race), the statistics over their results (evidence, verdict), and the outputs (show,
picture, result).
"""
