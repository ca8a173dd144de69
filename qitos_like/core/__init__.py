"""Ring 1: values and contracts. No files, threads, event loop, clock or environment."""
