"""Ring 4: the command line, one small file per command."""
