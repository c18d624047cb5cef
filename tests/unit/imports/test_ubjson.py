from __future__ import annotations

import struct

import numpy as np
import pytest

from ceiba.errors import ModelFileError
from ceiba.imports.ubjson import decode_ubjson


def text(value):
    data = value.encode()
    return b"L" + struct.pack(">q", len(data)) + data


def entry(key, value):
    return b"{" + text(key) + value + b"}"


def test_values():
    data = b"{" + text("a") + b"[i\x01U\xffI\xff\xfed?\x80\x00\x00ZTF]"
    data += text("b") + b"S" + text("é") + text("c") + b"{}" + text("d") + b"NCx}"
    found = decode_ubjson(data)
    assert found == {"a": [1, 255, -2, 1.0, None, True, False], "b": "é", "c": {}, "d": "x"}


def test_typed_arrays():
    data = b"[$l#L" + struct.pack(">q", 2) + struct.pack(">2i", 5, -6)
    found = decode_ubjson(entry("a", data))["a"]
    assert found.tolist() == [5, -6]
    assert found.dtype == np.int32
    counted = b"[#i\x02i\x01i\x02"
    assert decode_ubjson(entry("a", counted)) == {"a": [1, 2]}
    assert decode_ubjson(entry("a", b"[$S#i\x01i\x01x")) == {"a": ["x"]}


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "ends"),
        (b"{", "ends"),
        (entry("a", b"i\x01") + b"x", "after its end"),
        (entry("a", b"Q"), "no marker"),
        (entry("a", b"[$i#L" + struct.pack(">q", 2**62)), "ends"),
        (entry("a", b"[$Z#L" + struct.pack(">q", 2**40)), "without content"),
        (entry("a", b"[#i\xff"), "negative"),
        (entry("a", b"[$i"), "no length"),
        (entry("a", b"[#S"), "not an integer"),
        (entry("a", b"{$i#i\x01"), "announces"),
        (entry("a", b"[" * 5000), "too deeply"),
        (b"{" + text("a") + b"i\x01" + text("a") + b"i\x01}", "twice"),
        (b"{i\xff", "ends"),
    ],
)
def test_damaged_files(data, what):
    with pytest.raises(ModelFileError, match=what):
        decode_ubjson(data)
