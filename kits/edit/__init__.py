"""Editing: exact replacements, insertions and patches that change nothing else."""
