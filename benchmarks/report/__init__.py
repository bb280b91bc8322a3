# What report.py does with the results, one job a file.
