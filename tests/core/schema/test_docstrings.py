"""Docstrings in four styles."""

import subprocess
import sys

import pytest

from qitos_like.core.schema.docstring_entries import ParameterText
from qitos_like.core.schema.docstrings import read, read_fields

GOOGLE = """Add two numbers.

    They may be negative.

    Args:
        a (int): The first number,
            which may be long.
        b (int, optional): The second.

            In two paragraphs.
        *rest: The others.
        **more: Whatever: even colons.

    Returns:
        int: The sum.

    Raises:
        ValueError: Never.
    """

NUMPY = """Add two numbers.

    They may be negative.

    Parameters
    ----------
    a : int
        The first number,
        which may be long.
    b : int, optional
        The second.

        In two paragraphs.
    *rest
        The others.
    **more
        Whatever: even colons.

    Returns
    -------
    int
        The sum.
    """

SPHINX = """Add two numbers.

    They may be negative.

    :param a: The first number,
        which may be long.
    :type a: int
    :param int b: The second.

        In two paragraphs.
    :param rest: The others.
    :param more: Whatever: even colons.
    :returns: The sum.
    :rtype: int
    """

EPYTEXT = """Add two numbers.

    They may be negative.

    @param a: The first number,
        which may be long.
    @type a: int
    @param b: The second.

        In two paragraphs.
    @type b: int
    @param rest: The others.
    @param more: Whatever: even colons.
    @return: The sum.
    @rtype: int
    """

PARAMETERS = {
    "a": ParameterText("The first number, which may be long.", "int"),
    "b": ParameterText("The second. In two paragraphs.", "int"),
    "rest": ParameterText("The others."),
    "more": ParameterText("Whatever: even colons."),
}


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        (GOOGLE, "Returns:\n    int: The sum.\n\nRaises:\n    ValueError: Never."),
        (NUMPY, "Returns\n-------\nint\n    The sum."),
        (SPHINX, ":returns: The sum."),
        (EPYTEXT, "@return: The sum."),
    ],
    ids=["google", "numpy", "sphinx", "epytext"],
)
def test_parameters_are_read_and_cut_out_of_the_description(text, rest):
    docstring = read(text)

    assert PARAMETERS == docstring.parameters
    assert f"Add two numbers.\n\nThey may be negative.\n\n{rest}" == docstring.description


@pytest.mark.parametrize(
    "text",
    [
        "Args:\n    a: x",
        "Args:\n        a: x\n    ",
        "Sum.\n\nArguments:\n  a: x",
        "Sum.\n\nKeyword Args:\n  a: x",
        "Sum.\n\nParameters:\n\ta: x",
        "Sum.\nArgs:\n    a: x\n",
        "Sum.\n\n\n\n        Args:\n            a: x\n        ",
        "Sum.\n\nParameters\n----------\na\n    x",
        "Sum.\n\nOther Parameters\n----------------\na\n    x",
        ":param a: x",
        ":arg a: x",
        "Sum. :param\n\n:param a: x",
        "@param a: x",
        "Sum.\n\nArgs:\n    a (dict[str, list[int]]): x",
        "Sum.\n\nArgs:\n    a: x\n\n\nArgs:\n    b: y",
        "Sum.\n\nArgs:\n\n    a: x",
        "Sum.\n\nARGS:\n    a: x",
        "Sum.\n\nargs:\n    - `a` (int) : x",
        "Sum.\n\nNote:\n    It is slow.\nArgs:\n    a:\n        x",
        "Sum.\n\nArgs:\n    a (:obj:`int`): x",
        "Sum.\n\nArgs:\n    a (`int`, *optional*, defaults to 3):\n        x",
        "Sum.\n\nArgs:\n    a (dict[str: int] | Callable[[int], (a: b)]): x",
        "Sum.\n\nArgs:\n    a (Literal['one',\n        'two']): x",
        "Sum.\n\nArgs:\n    a=3: x",
        "Sum.\n\nArgs:\n    \\*a: x",
        "Sum.\n\nArgs:\n        a: x\n      b: less indented",
        "Sum.\n\nArgs:\n    a - x",
        "Sum.\n\nArguments:\n    a {int} -- x",
        "Sum.\n\nArguments:\n    a {int}: x",
        "Sum.\n\nArgs:\n    a (int) \u2013 x",
        "Sum.\n\nArgs:\n- a: x",
        "Sum.\n\nArgs:\n\na: x",
        "Sum.\n\nArgs:\n* `a` (int):\n  x\n* b: y",
        "Sum.\n\nArgs:\na: x\nReturns: it",
        "Sum.\n\nParameters:\n-----------\na (int)\n    x",
        "Sum.\n\nParameters\n==========\na : int\n    x",
        "Sum.\n\n:param Callable[[int], str] a: x",
        "Sum.\n\n:param :class:`Sum` a: x\n:rtype: int",
        "Sum.\n\n@param str a: x\n@rtype: int",
        "Sum.\n\n:param one two three b: y\n:param a: x",
        "Sum.\n\n:param a: x\nArgs:\n    b: y",
    ],
)
def test_ways_to_write_a_parameter(text):
    assert "x" == read(text).parameters["a"].text
    assert "a:" not in read(text).description
    assert "Args" not in read(text).description


@pytest.mark.parametrize(
    "text",
    [
        "",
        "One line.",
        "Two lines.\n\nAnd more.",
        "The args: a and b.",
        "Parameters are listed elsewhere.",
        "See also: :func:`other`.",
        "Args:",
        "Args:\nnot indented",
        "Args:\nSee also: the manual",
        "Args:\nhttp://example.com: x",
        "Args:\nReturns:\n    x",
        "Args:\n\nTo be written.",
        "Args:\n    a line without a colon",
        "Time 12:30: `:param` is a field.",
        "Sum.\n\n:param: of what?",
        "Sum.\n\nExample:\n    Args:\n        a: in an example",
        "Sum.\n\nFor instance::\n\n    :param a: in an example",
        "```\nArgs:\n    a: fenced\n```",
        "```\nOpen.",
    ],
)
def test_text_without_parameters_stays_whole(text):
    assert {} == read(text).parameters
    assert text == read(text).description


def test_no_docstring_is_an_empty_one():
    assert "" == read(None).description
    assert {} == read(None).parameters


def test_several_names_may_share_a_text():
    parameters = read("Sum.\n\nParameters\n----------\nx, y : int\n    Where.").parameters

    assert {"x": ParameterText("Where.", "int"), "y": ParameterText("Where.", "int")} == parameters


def test_what_is_no_parameter_in_a_section_stays_and_costs_the_others_nothing():
    docstring = read("Sum.\n\nArgs:\n    a: x\n    Note that b is ignored.\n    c (int): z\n")

    assert {"a": ParameterText("x"), "c": ParameterText("z", "int")} == docstring.parameters
    assert "Sum.\n\nArgs:\n    Note that b is ignored." == docstring.description


def test_a_type_of_several_words_is_told_from_the_name():
    fields = ":param list of int a: x\n:param dict[str, int] b: y\n@param c: z\n@type c: :obj:`int`"

    assert {
        "a": ParameterText("x", "list of int"),
        "b": ParameterText("y", "dict[str, int]"),
        "c": ParameterText("z", ":obj:`int`"),
    } == read(fields).parameters


def test_text_after_the_parameters_is_kept():
    docstring = read("Sum.\n\nArgs:\n    a: x\n\nNote that it is slow.\n\nExample:\n    >>> 1")

    assert "Sum.\n\nNote that it is slow.\n\nExample:\n    >>> 1" == docstring.description


def test_text_after_fields_is_kept():
    assert "Sum.\n\nMore." == read("Sum.\n\n:param a: x\n\nMore.").description


@pytest.mark.parametrize(
    "text",
    [
        "C.\n\nAttributes:\n    x: here",
        "C.\n\nAttributes\n----------\nx : int\n    here",
        "C.\n\nArgs:\n    x: here",
    ],
)
def test_the_fields_of_a_class_are_described_in_its_docstring(text):
    assert {"x": "here"} == read_fields(text)


def test_attributes_of_a_function_are_description():
    assert "F.\n\nAttributes:\n    x: here" == read("F.\n\nAttributes:\n    x: here").description


def test_a_docstring_without_parameters_does_not_load_the_parser():
    script = (
        "import sys\n"
        "from qitos_like.core.schema.docstrings import read\n"
        "read('Sum.\\n\\nReturns:\\n    it')\n"
        "assert 'docstring_parser' not in sys.modules\n"
        "read('Sum.\\n\\nArgs:\\n    a: x')\n"
        "assert 'docstring_parser' in sys.modules\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )

    assert "" == done.stderr
