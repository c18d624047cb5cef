import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ceiba.errors import MissingDependencyError
from ceiba.storage import page as pages
from ceiba.storage.page import DamagedPageError, Page, pack, unpack


@given(st.binary(max_size=300), st.integers(1, 2000))
def test_bytes_come_back(pattern, times):
    data = pattern * times
    page, stored = pack(memoryview(data), 7)
    assert page.offset == 7
    assert len(stored) <= len(data)
    assert unpack(page, bytes(stored)) == data


def test_pages_that_do_not_shrink_are_stored_as_they_are(monkeypatch):
    data = np.random.default_rng(0).bytes(2**20)
    page, stored = pack(memoryview(data))
    assert not page.is_compressed
    assert stored.obj is data
    calls = []
    lz4 = pages.compressor()

    class Counted:
        @staticmethod
        def compress(part, **how):
            calls.append(len(part))
            return lz4.compress(part, **how)

    monkeypatch.setattr(pages, "compressor", lambda: Counted)
    pack(memoryview(data))
    assert calls == [pages._PROBE_BYTES]


def test_a_flipped_bit_or_a_cut_is_found():
    data = bytes(1000) + b"x" * 5000
    page, stored = pack(memoryview(data))
    assert page.is_compressed
    for place in range(len(stored)):
        wrong = bytearray(stored)
        wrong[place] ^= 1
        with pytest.raises(DamagedPageError, match="checksum"):
            unpack(page, bytes(wrong))
    with pytest.raises(DamagedPageError, match="checksum"):
        unpack(page, bytes(stored[:-1]))


@pytest.mark.parametrize("n_bytes", [6001, 5999, 10**15])
def test_a_wrong_length_is_found(n_bytes):
    page, stored = pack(memoryview(b"x" * 6000))
    wrong = Page(page.offset, page.n_stored, n_bytes, page.checksum)
    with pytest.raises(DamagedPageError, match=r"length|as long|decompressed"):
        unpack(wrong, bytes(stored))


def test_without_lz4(monkeypatch):
    data = memoryview(bytes(10_000))
    page, stored = pack(data)
    monkeypatch.setitem(sys.modules, "lz4.block", None)
    plain, same = pack(data)
    assert not plain.is_compressed
    assert unpack(plain, bytes(same)) == data
    with pytest.raises(MissingDependencyError, match=r"ceiba\[stream\]"):
        unpack(page, bytes(stored))
