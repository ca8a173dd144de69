"""Text as bytes: encodings, line ends, numbered lines and diffs, with nothing changed on the way."""
