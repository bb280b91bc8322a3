# The parts of report.py, one job a file.
