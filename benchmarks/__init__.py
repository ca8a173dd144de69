"""Side-by-side measurements: ``python -m benchmarks [NAME ...]``, one module a table."""
