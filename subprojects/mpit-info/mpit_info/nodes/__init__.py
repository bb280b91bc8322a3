"""Runs of many nodes: one collector a node, and a tree over them in which summaries travel, not every value."""
