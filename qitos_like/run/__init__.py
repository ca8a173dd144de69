"""Ring 2: from an action to its result, one step a file."""
