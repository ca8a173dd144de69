"""States of a folder that can be compared and brought back, kept outside of it."""
