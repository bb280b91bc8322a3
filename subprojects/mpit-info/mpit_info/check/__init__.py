"""The command check: whether an MPI keeps the rules of chapter 15.3 of the standard, the tool information interface."""
