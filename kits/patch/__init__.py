"""Patches: what they say, where they apply, and all their files at once."""
