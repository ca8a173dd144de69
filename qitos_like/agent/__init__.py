"""Ring 3: an agent's loop over a registry, from a task to a final answer."""
