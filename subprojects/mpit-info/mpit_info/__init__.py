"""The front end of mpit-info, which lists and watches the variables of any MPI and of any library that embeds mpit.

Run it as `mpit-info`, or as `python3 -m mpit_info`. Data flow in one direction: from the agent in the program (launch)
or from a file (document) through the filters (selection) to one of the outputs (table, tree, report and others).
"""

VERSION = "1.0.0"
