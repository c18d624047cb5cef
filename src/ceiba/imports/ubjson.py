"""Decode Universal Binary JSON, the default format of XGBoost's model files.

A value is a marker byte and its content. Numbers are big-endian. Arrays and objects may announce
the type and the number of their items; arrays of numbers of one type are read into numpy arrays.

Files are untrusted: every announced length is compared with the bytes that are left, and types
without content are refused in typed arrays, because a few bytes could announce billions of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ceiba.imports.raw_trees import damaged

__all__ = ["decode_ubjson"]

#: Types of numbers. "d" and "D" are floats; the others are integers.
_NUMBERS = {
    ord(marker): np.dtype(name)
    for marker, name in (
        *(("i", ">i1"), ("U", ">u1"), ("I", ">i2"), ("l", ">i4"), ("L", ">i8")),
        *(("d", ">f4"), ("D", ">f8")),
    )
}
_INTEGERS = frozenset(b"iUIlL")
_CONSTANTS = {ord("Z"): None, ord("T"): True, ord("F"): False}
#: Nesting of a model file is 8 levels or less.
_DEEPEST = 64


def decode_ubjson(data: bytes) -> Any:
    """Return the value of a file: dictionaries, lists, numpy arrays, text and numbers."""
    reader = _Reader(data)
    value = reader.value(reader.marker(), 0)
    if reader.at != len(data):
        raise damaged("it has bytes after its end")
    return value


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def marker(self) -> int:
        """Return the next marker; "N" (no operation) is skipped."""
        while True:
            marker = self._bytes(1)[0]
            if marker != ord("N"):
                return marker

    def value(self, marker: int, depth: int) -> Any:
        if depth > _DEEPEST:
            raise damaged("its values are nested too deeply")
        if marker in _NUMBERS:
            return self._number(marker)
        if marker in _CONSTANTS:
            return _CONSTANTS[marker]
        if marker in b"SH":
            return self._text()
        if marker == ord("C"):
            return chr(self._bytes(1)[0])
        if marker == ord("["):
            return self._array(depth + 1)
        if marker == ord("{"):
            return self._object(depth + 1)
        raise damaged(f"byte {self.at - 1} is no marker of UBJSON")

    def _bytes(self, n_bytes: int) -> bytes:
        if not 0 <= n_bytes <= len(self.data) - self.at:
            raise damaged(f"it ends at byte {len(self.data)}, within a value")
        self.at += n_bytes
        return self.data[self.at - n_bytes : self.at]

    def _number(self, marker: int) -> Any:
        dtype = _NUMBERS[marker]
        return np.frombuffer(self._bytes(dtype.itemsize), dtype)[0].item()

    def _length(self) -> int:
        marker = self.marker()
        if marker not in _INTEGERS:
            raise damaged("a length is not an integer")
        return int(self._number(marker))

    def _text(self) -> str:
        return self._bytes(self._length()).decode()

    def _header(self) -> tuple[int | None, int | None]:
        """Return the type and the number of items that a container announces."""
        kind, count = None, None
        if self.data[self.at : self.at + 1] == b"$":
            self.at += 1
            kind = self._bytes(1)[0]
        if self.data[self.at : self.at + 1] == b"#":
            self.at += 1
            count = self._length()
            if count < 0:
                raise damaged("a length is negative")
        if kind is not None and count is None:
            raise damaged("a container has a type and no length")
        return kind, count

    def _array(self, depth: int) -> Any:
        kind, count = self._header()
        if kind is not None and count is not None:
            if kind in _NUMBERS:
                dtype = _NUMBERS[kind]
                content = self._bytes(dtype.itemsize * count)
                return np.frombuffer(content, dtype).astype(dtype.newbyteorder("="))
            if kind in _CONSTANTS or kind == ord("N"):
                raise damaged("an array has items without content")
            return [self.value(kind, depth) for _ in range(count)]
        if count is not None:
            return [self.value(self.marker(), depth) for _ in range(count)]
        items = []
        while (marker := self.marker()) != ord("]"):
            items.append(self.value(marker, depth))
        return items

    def _object(self, depth: int) -> dict[str, Any]:
        kind, count = self._header()
        if kind is not None:
            raise damaged("an object announces the type of its values")
        found: dict[str, Any] = {}
        while count is None or len(found) < count:
            if count is None and self.data[self.at : self.at + 1] == b"}":
                self.at += 1
                break
            key = self._text()
            if key in found:
                raise damaged(f"an object has the key {key!r} twice")
            found[key] = self.value(self.marker(), depth)
        return found
