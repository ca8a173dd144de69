"""Which encoding a file has."""

import pytest

from kits.text.encoding import BinaryFileError, Encoding, detect, encoding_for


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (b"", Encoding("utf-8")),
        (b"plain", Encoding("utf-8")),
        ("caf\u00e9".encode(), Encoding("utf-8")),
        (b"caf\xe9", Encoding(None)),
        (b"\xef\xbb\xbfx", Encoding("utf-8", b"\xef\xbb\xbf")),
        (b"\xff\xfex\0", Encoding("utf-16-le", b"\xff\xfe")),
        (b"\xfe\xff\0x", Encoding("utf-16-be", b"\xfe\xff")),
        (b"\xff\xfe\0\0x\0\0\0", Encoding("utf-32-le", b"\xff\xfe\0\0")),
        (b"# coding: latin-1\n\xe9", Encoding("iso8859-1")),
        (b"#!/bin/python\n# vim: set fileencoding=cp1252 :\n\x80", Encoding("cp1252")),
        (b"// -*- mode: c; coding: latin-1-unix -*-\n\xe9", Encoding("iso8859-1")),
        (b'<?xml version="1.0" encoding="ISO-8859-1"?>\n\xe9', Encoding("iso8859-1")),
        (b"# coding: latin-1\nonly ascii", Encoding("iso8859-1")),
        (b"# coding: latin-1\n" + "caf\u00e9".encode(), Encoding("utf-8")),
        (b"# coding: utf-8\n\xe9", Encoding(None)),
        (b"# coding: cp1252\n\x81", Encoding(None)),
        (b"# coding: klingon\n\xe9", Encoding(None)),
        (b"# coding: utf-16\n\xe9", Encoding(None)),
        (b"\n\n# coding: latin-1\n\xe9", Encoding(None)),
        (b"open(x, encoding='latin-1')\n", Encoding("utf-8")),
        (b"text " * 2000 + b"\0", Encoding("utf-8")),
    ],
    ids=lambda value: ascii(value)[:40] if isinstance(value, bytes) else str(value.codec),
)
def test_an_encoding_is_told_from_the_bytes(data, encoding):
    assert encoding == detect(data)


@pytest.mark.parametrize("data", [b"\0", b"a\0b", b"\xff\xfea", b"\xff\xfe\x00\xd8"], ids=repr)
def test_what_is_no_text_is_binary(data):
    with pytest.raises(BinaryFileError):
        detect(data)


@pytest.mark.parametrize(
    ("head", "codec"),
    [
        ("caf\u00e9".encode()[:-1], "utf-8"),
        (b"caf\xe9 ", None),
        (b"# coding: gbk\n\xd6\xd0\xce", "gbk"),
        (b"\xff\xfea", "utf-16-le"),
    ],
    ids=repr,
)
def test_of_a_beginning_a_character_cut_off_is_no_error(head, codec):
    assert codec == detect(head, whole=False).codec


@pytest.mark.parametrize(
    ("encoding", "name"),
    [
        (Encoding("utf-8"), None),
        (Encoding("utf-8", b"\xef\xbb\xbf"), "UTF-8 with BOM"),
        (Encoding("utf-16-le", b"\xff\xfe"), "UTF-16"),
        (Encoding("iso8859-1"), "ISO8859-1"),
        (Encoding(None), r"not UTF-8 (such bytes are shown as \xNN)"),
    ],
    ids=str,
)
def test_an_unusual_encoding_has_a_name(encoding, name):
    assert name == encoding.unusual


@pytest.mark.parametrize(
    ("text", "old", "encoding"),
    [
        ("x", None, Encoding("utf-8")),
        ("# coding: latin-1\n", None, Encoding("iso8859-1")),
        ("x", b"\xff\xfeo\0", Encoding("utf-16-le", b"\xff\xfe")),
        ("\ufeffx", b"\xef\xbb\xbfo", Encoding("utf-8")),
        ("x", b"caf\xe9", Encoding("utf-8")),
    ],
    ids=ascii,
)
def test_a_whole_new_text_is_written_as_it_declares_or_as_the_mark_says(text, old, encoding):
    assert encoding == encoding_for(text, old)
