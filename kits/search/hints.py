"""What may be wrong with a pattern that finds nothing: what it means in other tools."""

import re

_OF_GLOBS = (
    (re.compile(r".*\\"), "in a glob \\ takes the next character as it is: write / in paths"),
    (re.compile("/"), "in a glob / in front is the folder that is searched"),
    (re.compile("~"), "in a glob ~ in front is a character"),
    (re.compile("[^{]*[,|]"), "in a glob , and | are characters: write {*.py,*.ts} for both"),
)
_OF_EXPRESSIONS = (
    (re.compile(r".*\\\|"), r"in a pattern \| is a character: write | for either of two"),
    (re.compile(r".*\$\w"), r"in a pattern $ is the end of a line: write \$ for the character"),
    (re.compile(r".*\\\\"), r"in a pattern \\ is a backslash of the text: escape with one"),
)


def of_glob(pattern: str) -> str:
    """What may be wrong with a glob; empty if nothing is known.

    >>> of_glob("~/a.py")
    'in a glob ~ in front is a character'
    """
    return next((hint for found, hint in _OF_GLOBS if found.match(pattern)), "")


def of_expression(pattern: str) -> str:
    """What may be wrong with a regular expression; empty if nothing is known."""
    return next((hint for found, hint in _OF_EXPRESSIONS if found.match(pattern)), "")
