"""The command `mpit-info diff`, which compares two runs: `command.show(options)`.

Data flow in one direction: two records or documents (runs), what they have in common and where they differ (compared),
and the outputs (tables, page, result).
"""
