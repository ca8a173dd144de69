"""Search: files by name and by content, with the same answers whether ripgrep is there or not."""
