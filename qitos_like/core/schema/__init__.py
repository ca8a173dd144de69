"""From Python signatures to JSON Schemas, and from JSON arguments back to Python values."""
