"""Calls in plain text, for models that are prompted and do not know of tools."""
