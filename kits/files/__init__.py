"""Files and folders: viewing, creating and writing, and what an agent has read of them."""
