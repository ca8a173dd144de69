"""The shell: commands in a bash that persists, and never outlives its user."""
