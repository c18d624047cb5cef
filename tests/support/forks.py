"""Where a test may fork while another thread works."""

from __future__ import annotations

import os

import pytest

#: AddressSanitizer's allocator keeps its locks over a fork, and a child that was born while another
#: thread allocated waits for them for ever (seen in its stack: asan_posix_memalign, Mutex::Lock).
forks_beside_threads = pytest.mark.skipif(
    not hasattr(os, "fork") or os.environ.get("CEIBA_SANITIZER") == "address",
    reason="no fork on this system, or not beside other threads under AddressSanitizer",
)
